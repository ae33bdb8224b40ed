#include "diagnoser/publish/verdict_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::verdict_log_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

UnixTime At(int seconds) { return UnixFromSeconds(1'700'000'000 + seconds); }

PipelineView View(int end, std::vector<VerdictEvent> verdicts) {
  PipelineView view;
  view.groups = {{.preset = "default", .group = "disks", .window_end = At(end)}};
  view.verdicts = std::move(verdicts);
  return view;
}

VerdictEvent Verdict(int end, Cause cause, bool secondary = false) {
  return {.end = At(end),
          .since = At(1),
          .named = At(32),
          .preset = "default",
          .node = "a",
          .cause = cause,
          .secondary = secondary,
          .evidence = {{.component = "a/sda", .metric = "await", .degree = 2}}};
}

TEST(VerdictLog, SpeaksWhenAnIndictmentBeginsAndWhenItEnds) {
  VerdictLog log;
  EXPECT_THAT(log.Update(View(0, {})), IsEmpty());
  EXPECT_THAT(log.Update(View(32, {Verdict(32, Cause::kDiskBusy)})),
              ElementsAre("indicted: a: disk-busy (await of a/sda differs from its peers, degree "
                          "2.00), since 2023-11-14T22:13:21Z, preset default"));
  EXPECT_THAT(log.Update(View(64, {Verdict(64, Cause::kDiskBusy)})), IsEmpty());
  EXPECT_EQ(log.Find("default", "a", Cause::kDiskBusy)->since, At(1));
  EXPECT_EQ(log.Find("default", "a", Cause::kDiskBusy)->named, At(32));
  EXPECT_THAT(log.Update(View(96, {})),
              ElementsAre("no longer indicted: a: disk-busy (for 95 s), preset default"));
  EXPECT_FALSE(log.Find("default", "a", Cause::kDiskBusy));
}

TEST(VerdictLog, AnotherCauseIsAnotherIndictment) {
  VerdictLog log;
  (void)log.Update(View(32, {Verdict(32, Cause::kDiskBusy)}));
  EXPECT_THAT(log.Update(View(64, {Verdict(64, Cause::kDiskHog)})),
              ElementsAre(StartsWith("indicted: a: disk-hog"),
                          StartsWith("no longer indicted: a: disk-busy")));
}

TEST(VerdictLog, ASecondaryVerdictIndictsNobody) {
  VerdictLog log;
  EXPECT_THAT(log.Update(View(32, {Verdict(32, Cause::kDiskBusy, true)})), IsEmpty());
}

}  // namespace
}  // namespace limpet::verdict_log_test
