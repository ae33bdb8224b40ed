#include "diagnoser/runtime/disk_probes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace limpet::disk_probes_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using State = ProbeReading::State;

class DiskProbesTest : public ::testing::Test {
 protected:
  DiskProbesTest() {
    for (const auto* node : {"io01", "io02", "io03", "io04", "io05"}) {
      AddDisk(node);
    }
  }
  void AddDisk(const std::string& node, const std::string& device = "sdb") {
    view_.components.push_back({.preset = "p", .group = "disks", .node = node, .device = device});
  }
  VerdictEvent& Indict(const std::string& node, const std::string& component) {
    auto& verdict = view_.verdicts.emplace_back();
    verdict.node = node;
    verdict.cause = Cause::kDiskBusy;
    verdict.evidence.push_back({.component = component, .group = "disks", .metric = "await"});
    return verdict;
  }
  std::vector<std::string> Choose() {
    const auto round = probes_.Choose(
        view_, 10min,
        [this](const std::string& node) { return down_.contains(node) ? nullptr : &endpoint_; },
        now_, wanted_);
    std::vector<std::string> names;
    for (const auto& target : round.value_or(ProbeRound{})) {
      names.push_back(target.node + "/" + target.device);
    }
    return names;
  }
  static ProbeReadings Readings(const std::string& node) {
    return {
        {.node = node, .device = "sdb", .state = State::kMeasured, .reads = 30, .median = 0.04},
        {.node = "io02", .device = "sdb", .state = State::kMeasured, .reads = 30, .median = 0.004}};
  }

  DiskProbes probes_;
  PipelineView view_;
  Endpoint endpoint_;
  std::set<std::string> down_;
  std::set<std::string> wanted_;
  SteadyTime now_{1h};
};

TEST_F(DiskProbesTest, WithoutAVerdictNoDiskIsRead) { EXPECT_THAT(Choose(), IsEmpty()); }

TEST_F(DiskProbesTest, AreOfTheSuspectAndTwoHealthyPeersOfItsGroup) {
  view_.components.push_back({.preset = "p", .group = "other", .node = "io09", .device = "sdb"});
  view_.components.push_back({.preset = "p", .group = "net", .node = "io04"});
  Indict("io04", "io04/sdb");
  EXPECT_THAT(Choose(), ElementsAre("io04/sdb", "io05/sdb", "io01/sdb"));
}

TEST_F(DiskProbesTest, AreAlsoOfDisksWhoseServersWaitToReturn) {
  wanted_ = {"io03/sdb", "io09/sdb"};
  EXPECT_THAT(Choose(), ElementsAre("io03/sdb", "io04/sdb", "io05/sdb"));
  EXPECT_NE(probes_.Add(Readings("io03"), now_), "");
  const auto probed = probes_.Probed(now_ + 5s, UnixFromSeconds(1000));
  ASSERT_TRUE(probed.contains("io03/sdb"));
  EXPECT_EQ(probed.at("io03/sdb"), (ProbedState{.slow = true, .at = UnixFromSeconds(995)}));
  EXPECT_THAT(probes_.Probed(now_ + 20min, UnixFromSeconds(1000)), IsEmpty());
}

TEST_F(DiskProbesTest, LeaveOutWhoIsSickOrDown) {
  AddDisk("io05", "sdc");
  AddDisk("io04", "sdc");
  view_.components[4].flagged = true;  // io05
  down_ = {"io01"};
  Indict("io04", "io04/sdb");
  Indict("io02", "io02/sdb").secondary = true;
  EXPECT_THAT(Choose(), ElementsAre("io04/sdb", "io03/sdb"));
}

TEST_F(DiskProbesTest, AreOnlyOfVerdictsAboutDisks) {
  Indict("io04", "io04");
  EXPECT_THAT(Choose(), IsEmpty());
  Indict("io03", "io03/sdb").secondary = true;
  EXPECT_THAT(Choose(), IsEmpty());
  down_ = {"io01", "io02", "io03", "io05"};
  Indict("io04", "io04/sdb");
  EXPECT_THAT(Choose(), IsEmpty()) << "nobody to compare with";
}

TEST_F(DiskProbesTest, ComeOneAtATimeAndOnceInAnInterval) {
  Indict("io04", "io04/sdb");
  Indict("io03", "io03/sdb");
  EXPECT_THAT(Choose(), ElementsAre("io04/sdb", "io05/sdb", "io01/sdb"));
  now_ += 20s;
  EXPECT_THAT(Choose(), IsEmpty()) << "one is under way";
  (void)probes_.Add(Readings("io04"), now_);
  EXPECT_THAT(Choose(), IsEmpty()) << "a pause";
  now_ += 10s;
  // io04's peers have been read, and are left alone.
  EXPECT_THAT(Choose(), ElementsAre("io03/sdb", "io02/sdb"));
  (void)probes_.Add(Readings("io03"), now_);
  now_ += 5min;
  EXPECT_THAT(Choose(), IsEmpty());
  now_ += 5min;
  EXPECT_THAT(Choose(), ElementsAre("io04/sdb", "io05/sdb", "io01/sdb"));
  now_ += 2min;
  EXPECT_THAT(Choose(), ElementsAre("io03/sdb", "io02/sdb")) << "the one before was dropped";
}

TEST_F(DiskProbesTest, StandFirstBesideTheVerdictUntilTheyAreOld) {
  auto& verdict = Indict("io04", "io04/sdb");
  verdict.facts.push_back({.fact = "nearly-full"});
  (void)Choose();
  EXPECT_THAT(probes_.Add(Readings("io04"), now_), HasSubstr("io04: 30 reads of 4 KiB straight"));
  auto joined = verdict;
  probes_.Join(joined, now_ + 19min);
  ASSERT_EQ(joined.facts.size(), 2U);
  EXPECT_EQ(joined.facts[0].fact, "probe");
  joined = verdict;
  probes_.Join(joined, now_ + 20min);
  EXPECT_EQ(joined.facts.size(), 1U);
  VerdictEvent other;
  other.evidence.push_back({.component = "io03/sdb"});
  probes_.Join(other, now_);
  EXPECT_THAT(other.facts, IsEmpty());
}

TEST_F(DiskProbesTest, ThatCannotBeHadAreTold) {
  Indict("io04", "io04/sdb");
  (void)Choose();
  EXPECT_EQ(probes_.Add({{.node = "io04", .device = "sdb", .error = "probes are off"}}, now_),
            "io04/sdb could not be read to confirm its verdict: probes are off");
  VerdictEvent verdict = view_.verdicts[0];
  probes_.Join(verdict, now_);
  EXPECT_THAT(verdict.facts, IsEmpty());
}

}  // namespace
}  // namespace limpet::disk_probes_test
