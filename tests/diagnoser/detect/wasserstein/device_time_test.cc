#include "diagnoser/detect/wasserstein/device_time.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "diagnoser/metrics/samples.h"

namespace limpet {
namespace {

// A disk that takes a seconds a request and b a byte, `slow` times as long as its peers.
struct Disk {
  double requests = 100;  // a second
  double size = 64e3;     // bytes a request
  double slow = 1;
  double varies = 0;  // part by which the size goes up and down
};
constexpr double kPerRequest = 2e-3;
constexpr double kPerByte = 1e-8;

class DeviceTimesTest : public ::testing::Test {
 protected:
  std::vector<double> Slowdowns(const std::vector<Disk>& disks) {
    samples_.clear();
    for (const auto& disk : disks) {
      samples_.push_back(Make(disk));
    }
    members_.resize(disks.size());
    const GroupSamples group{
        .end = {}, .metrics = rows::kDisks, .members = members_, .samples = samples_};
    std::vector<std::size_t> who(disks.size());
    std::iota(who.begin(), who.end(), std::size_t{0});
    const DeviceTimes times(group, who);
    std::vector<double> slowdowns;
    for (const auto place : who) {
      slowdowns.push_back(times.Slowdown(place).value_or(-1));
      busiest_.push_back(times.IsBusiest(place));
    }
    return slowdowns;
  }
  static MemberSamples Make(const Disk& disk) {
    constexpr std::size_t kWindow = 32;
    std::vector<std::vector<double>> metrics(rows::kDisks.size(), std::vector<double>(kWindow));
    for (std::size_t t = 0; t < kWindow; ++t) {
      const double size = disk.size * (1 + disk.varies * std::sin(static_cast<double>(t)));
      const double busy = disk.slow * disk.requests * (kPerRequest + kPerByte * size);
      metrics[Index(DiskMetric::kUtil)][t] = 100 * busy;
      metrics[Index(DiskMetric::kRequests)][t] = disk.requests;
      metrics[Index(DiskMetric::kRead)][t] = disk.requests * size / kBytesPerSector;
    }
    MemberSamples member;
    for (const auto& metric : metrics) {
      member.metrics.Add(metric);
    }
    return member;
  }

  std::vector<Member> members_;
  std::vector<MemberSamples> samples_;
  std::vector<bool> busiest_;
};

TEST_F(DeviceTimesTest, ASlowDeviceTakesLongerForTheSameWork) {
  const auto slowdowns = Slowdowns({{}, {}, {}, {.slow = 1.8}});
  EXPECT_NEAR(slowdowns[3], 1.8, 1e-9);
  EXPECT_LE(slowdowns[0], 1 + 1e-9);
}

TEST_F(DeviceTimesTest, MoreWorkIsNotSlowness) {
  const auto slowdowns = Slowdowns({{}, {}, {}, {.requests = 170}});
  EXPECT_NEAR(slowdowns[3], 1, 1e-9);
  EXPECT_TRUE(busiest_[3]);
  EXPECT_FALSE(busiest_[0]);
}

// Per request it is even faster than its peers.
TEST_F(DeviceTimesTest, ASlowDiskWithSmallRequestsIsFoundWherePeersRequestsVary) {
  const auto slowdowns = Slowdowns({{.size = 256e3, .varies = 0.5},
                                    {.size = 300e3, .varies = 0.5},
                                    {.size = 200e3, .varies = 0.5},
                                    {.size = 20e3, .slow = 1.8}});
  EXPECT_NEAR(slowdowns[3], 1.8, 0.01);
}

TEST_F(DeviceTimesTest, WherePeersRequestsAreAllOfOneSizeNobodyIsBlamedForAnother) {
  for (const double size : {40e3, 77e3, 128e3}) {
    const auto slowdowns = Slowdowns({{}, {}, {}, {.size = size}});
    EXPECT_LE(slowdowns[3], 1.01) << size;
  }
}

TEST_F(DeviceTimesTest, WithoutEnoughThatWorkThereIsNothingToCompareWith) {
  EXPECT_EQ(Slowdowns({{}, {.requests = 0}, {.requests = 0}, {.slow = 2}})[3], -1);
  EXPECT_EQ(Slowdowns({{.requests = 0}, {.requests = 0}, {.requests = 0}})[0], -1);
  EXPECT_EQ(Slowdowns({{}, {}, {}, {.requests = 0}})[3], -1);
}

}  // namespace
}  // namespace limpet
