#include "diagnoser/detect/wasserstein/gate_facts.h"

#include <gmock/gmock.h>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/detect/detectors.h"
#include "diagnoser/metrics/samples.h"

namespace limpet::gate_facts_test {
namespace {

// Four disks with 100 requests a second of 64 KiB; the last one as told.
struct Disk {
  double await = 10;    // ms
  double service = 4;   // ms of busy time a request
  double requests = 1;  // times the others'
  double read = 1;      // of the bytes, the rest is written
};

class GateFactsTest : public ::testing::Test {
 protected:
  GateFacts Last(const Disk& last, const PresetSettings& preset) {
    samples_.clear();
    for (int i = 0; i < 3; ++i) {
      samples_.push_back(Make(other_));
    }
    samples_.push_back(Make(last));
    members_.clear();
    for (const char* const node : {"a", "b", "c", "d"}) {
      members_.push_back({.name = std::string(node) + "/sda",
                          .node = node,
                          .device = device_,
                          .entities = {0},
                          .rotates = rotates_});
    }
    const GroupSamples group{
        .end = {}, .metrics = rows::kDisks, .members = members_, .samples = samples_};
    const auto window = CompareGroup(group, preset, *MakeDetector(preset), nullptr);
    return FindGateFacts(group, window, preset).back();
  }

 private:
  static MemberSamples Make(const Disk& disk) {
    const double requests = 100 * disk.requests;
    DiskSamples row{};
    row[Index(DiskMetric::kRequests)] = requests;
    row[Index(DiskMetric::kRead)] = requests * 128 * disk.read;
    row[Index(DiskMetric::kWrite)] = requests * 128 * (1 - disk.read);
    row[Index(DiskMetric::kAwait)] = disk.await;
    row[Index(DiskMetric::kServiceTime)] = disk.service;
    row[Index(DiskMetric::kUtil)] = requests * disk.service / 10;
    MemberSamples member;
    for (const double value : row) {
      member.metrics.Add(std::vector<double>(64, value));
    }
    member.requests = requests * 64;
    return member;
  }

  std::vector<Member> members_;
  std::vector<MemberSamples> samples_;

 protected:
  Disk other_;
  std::string device_ = "sda";
  bool rotates_ = false;
};

// A spare that took over, or the only server that is asked for something.
TEST_F(GateFactsTest, NobodyIsSlowerThanPeersWithoutRequests) {
  EXPECT_GT(Last({.await = 40}, DefaultPreset()).requests, 0);
  other_.requests = 0.001;
  other_.await = 0;
  EXPECT_EQ(Last({.await = 40}, DefaultPreset()).requests, 0);
  EXPECT_EQ(Last({.await = 40}, DefaultPreset()).await_effect, 0);
  EXPECT_GT(Last({.await = 40}, BarePreset()).requests, 0) << "the papers' letter";
}

TEST_F(GateFactsTest, NvmeIsFlash) {
  EXPECT_FALSE(Last({}, BarePreset()).flash);
  device_ = "nvme1n1";
  EXPECT_TRUE(Last({}, BarePreset()).flash);
}

TEST_F(GateFactsTest, AVirtualDiskIsFlashWhereItsPeersAnswerLikeIt) {
  device_ = "vdb";
  EXPECT_FALSE(Last({}, BarePreset()).flash) << "10 ms";
  other_.await = 0.3;
  EXPECT_TRUE(Last({}, BarePreset()).flash);
  other_.read = 0.1;
  EXPECT_TRUE(Last({.read = 0.15}, BarePreset()).flash);
  EXPECT_FALSE(Last({.read = 0.4}, BarePreset()).flash) << "reads may take longer";
}

// node_exporter before 1.9 does not say what rotates.
TEST_F(GateFactsTest, SoIsADiskThatDoesNotSayWhetherItRotates) {
  other_.await = 0.3;
  EXPECT_TRUE(Last({.await = 2}, DefaultPreset()).flash);
  EXPECT_FALSE(Last({.await = 2}, BarePreset()).flash) << "the papers' letter";
  rotates_ = true;
  EXPECT_FALSE(Last({.await = 2}, DefaultPreset()).flash) << "a cache of writes";
}

// At 6,400 requests of 0.1 ms a window a kernel that times in ticks of 4 ms has counted 160.
TEST_F(GateFactsTest, FlashIsTimedWellByManyRequestsOfTheSameWork) {
  device_ = "nvme0n1";
  other_ = {.await = 0.1};
  EXPECT_FALSE(Last({.await = 0.3}, DefaultPreset()).timed_flash) << "its peers do too little";
  other_.requests = 3;
  EXPECT_TRUE(Last({.await = 0.15, .requests = 3}, DefaultPreset()).timed_flash);
  EXPECT_FALSE(Last({.await = 0.15, .requests = 1}, DefaultPreset()).timed_flash);
  EXPECT_FALSE(Last({.await = 0.3, .requests = 2}, DefaultPreset()).timed_flash)
      << "who has less to do sleeps between its requests";
  other_.read = 0.5;
  EXPECT_TRUE(Last({.await = 0.15, .requests = 3, .read = 0.55}, DefaultPreset()).timed_flash);
  EXPECT_FALSE(Last({.await = 0.15, .requests = 3, .read = 0.65}, DefaultPreset()).timed_flash)
      << "writes end in its memory";
  device_ = "sda";
  EXPECT_FALSE(Last({.await = 0.15, .requests = 3, .read = 0.5}, DefaultPreset()).timed_flash)
      << "nobody says that it is flash";
}

TEST_F(GateFactsTest, ServiceTimeIsThatOfARequest) {
  const auto facts = Last({.await = 40, .service = 8}, BarePreset());
  EXPECT_DOUBLE_EQ(facts.requests, 6400);
  ASSERT_TRUE(facts.svctm_effect);
  EXPECT_DOUBLE_EQ(*facts.svctm_effect, 0.8);  // 4 / max(4, 5)
  EXPECT_DOUBLE_EQ(*facts.mean_util, 80);
  EXPECT_FALSE(facts.busiest);
}

TEST_F(GateFactsTest, ADiskThatIsFasterExplainsNobodysWait) {
  EXPECT_EQ(Last({.await = 40, .service = 2}, BarePreset()).svctm_effect, 0);
}

TEST_F(GateFactsTest, OrThatOfTheDeviceForItsWork) {
  auto preset = BarePreset();
  preset.service_time = ServiceTime::kDevice;
  EXPECT_NEAR(*Last({.await = 40, .service = 8}, preset).svctm_effect, 1, 1e-9);
  const auto busier = Last({.await = 40, .service = 4, .requests = 1.5}, preset);
  EXPECT_NEAR(*busier.svctm_effect, 0, 1e-9);
  EXPECT_TRUE(busier.busiest);
}

// In a striped closed loop of six the median disk may be busy for 99 % of the time, and the fastest
// for 97: busy time is not capped there.
TEST_F(GateFactsTest, HowBusyThreeQuartersOfTheGroupAre) {
  auto preset = BarePreset();
  preset.svctm_gate = SvctmGate::kUncapped;
  EXPECT_DOUBLE_EQ(Last({.service = 8}, preset).least_util, 40);
  EXPECT_DOUBLE_EQ(Last({.service = 2}, preset).least_util, 35);
}

TEST_F(GateFactsTest, AwaitStandsBesideThroughputWhenItIsHigh) {
  EXPECT_DOUBLE_EQ(Last({.await = 40}, BarePreset()).await_effect, 3);
  EXPECT_EQ(Last({.await = 5}, BarePreset()).await_effect, 0);
}

}  // namespace
}  // namespace limpet::gate_facts_test
