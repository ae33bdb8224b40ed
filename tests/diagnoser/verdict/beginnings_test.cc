#include "diagnoser/verdict/beginnings.h"

#include <gmock/gmock.h>

namespace limpet::beginnings_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

UnixTime At(int seconds) { return UnixTime(std::chrono::seconds(seconds)); }

VerdictEvent Verdict(int end, bool secondary = false) {
  VerdictEvent verdict{.end = At(end), .preset = "default", .node = "a", .luns = {}};
  verdict.cause = Cause::kDiskBusy;
  verdict.secondary = secondary;
  Evidence await{.component = "a/sda", .group = "disks", .metric = "await"};
  await.windows = {At(64), At(96)};
  verdict.evidence = {await};
  return verdict;
}

struct Log {
  VerdictEvent See(VerdictEvent verdict) {
    std::vector<VerdictEvent> verdicts = {std::move(verdict)};
    std::vector<UnknownEvent> unknown;
    beginnings.Update(64s, verdicts, unknown);
    return verdicts[0];
  }
  UnknownEvent Lose(int end) {
    std::vector<VerdictEvent> none;
    UnknownEvent lost{.end = At(end), .preset = "default", .node = "a"};
    lost.cause = Cause::kDiskBusy;
    lost.judged = At(end - 32);
    std::vector<UnknownEvent> unknown = {lost};
    beginnings.Update(64s, none, unknown);
    return unknown[0];
  }
  void Rest() {
    std::vector<VerdictEvent> none;
    std::vector<UnknownEvent> unknown;
    beginnings.Update(64s, none, unknown);
  }
  Beginnings beginnings;
};

TEST(Beginnings, BeginWithTheEarliestOnset) {
  auto verdict = Verdict(128);
  verdict.evidence[0].onset = At(40);
  verdict.evidence.push_back(verdict.evidence[0]);
  verdict.evidence[1].onset = At(33);
  const auto seen = Log().See(verdict);
  EXPECT_EQ(seen.since, At(33));
  EXPECT_EQ(seen.named, At(128));
}

TEST(Beginnings, WithoutAnOnsetTheFirstAnomalousWindowBegins) {
  EXPECT_EQ(Log().See(Verdict(128)).since, At(0));
  auto verdict = Verdict(128);
  verdict.evidence.clear();
  EXPECT_EQ(Log().See(verdict).since, At(128));
}

TEST(Beginnings, StayWhileTheVerdictGoesOn) {
  Log log;
  (void)log.See(Verdict(128));
  auto later = Verdict(160);
  later.evidence[0].windows = {At(160)};
  const auto seen = log.See(later);
  EXPECT_EQ(seen.since, At(0));
  EXPECT_EQ(seen.named, At(128));
  log.Rest();
  EXPECT_THAT(log.beginnings.Export(), IsEmpty());
  EXPECT_EQ(log.See(later).named, At(160));
}

TEST(Beginnings, ASecondaryServerIsNamedWhenItIsIndicted) {
  Log log;
  EXPECT_EQ(log.See(Verdict(128, true)).named, At(128));
  const auto seen = log.See(Verdict(160));
  EXPECT_EQ(seen.named, At(160));
  EXPECT_EQ(seen.since, At(0));
  EXPECT_EQ(log.See(Verdict(192, true)).named, At(160));
}

TEST(Beginnings, StayWhileNobodyCanTell) {
  Log log;
  EXPECT_FALSE(log.Lose(160).since);
  (void)log.See(Verdict(128));
  EXPECT_EQ(log.Lose(160).since, At(0));
  EXPECT_EQ(log.See(Verdict(192)).named, At(128));
}

TEST(Beginnings, SurviveARestart) {
  Log before;
  (void)before.See(Verdict(128));
  ASSERT_THAT(before.beginnings.Export(), SizeIs(1));
  Log after;
  after.beginnings.Restore(before.beginnings.Export()[0]);
  EXPECT_EQ(after.See(Verdict(300)).named, At(128));
  EXPECT_EQ(after.beginnings.Export(), before.beginnings.Export());
}

}  // namespace
}  // namespace limpet::beginnings_test
