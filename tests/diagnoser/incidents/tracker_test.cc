#include "diagnoser/incidents/tracker.h"

#include <gmock/gmock.h>

namespace limpet::tracker_test {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = IncidentChange::Kind;

constexpr std::int64_t kBegin = 1'795'312'800;  // a full hour

VerdictEvent Verdict(int second, double degree, Cause cause = Cause::kDiskBusy) {
  return {.end = UnixFromSeconds(kBegin + second),
          .preset = "default",
          .node = "io03",
          .cause = cause,
          .rank = 1,
          .degree = degree};
}

PipelineView View(int second, std::vector<VerdictEvent> verdicts) {
  PipelineView view;
  view.groups = {
      {.preset = "default", .group = "disks", .window_end = UnixFromSeconds(kBegin + second)}};
  view.verdicts = std::move(verdicts);
  view.judgements.servers = {
      {.node = "io03", .standing = Standing::kLikePeers, .text = "like its peers"}};
  return view;
}

IncidentTracker Tracker() {
  IncidentTracker tracker("site", [](const IncidentRecord&, const VerdictEvent& verdict) {
    return IncidentTracker::Description{
        .metric = "await", .text = "degree " + std::to_string(verdict.degree), .document = "{}"};
  });
  tracker.SetSilences({{"default", 160s}});
  return tracker;
}

TEST(IncidentTracker, AFaultBeginsGoesOnAndEnds) {
  auto tracker = Tracker();
  auto changes = tracker.Update(View(100, {Verdict(100, 2)}));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].kind, Kind::kBegan);
  const auto id = changes[0].record.id;
  EXPECT_THAT(tracker.Update(View(100, {Verdict(100, 2)})), IsEmpty());
  EXPECT_THAT(tracker.Update(View(132, {Verdict(132, 5)})), IsEmpty());  // too little news
  changes = tracker.Update(View(164, {Verdict(164, 3)}));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].kind, Kind::kWentOn);
  EXPECT_EQ(changes[0].record.degree, 5);
  EXPECT_EQ(changes[0].record.text, "degree 5.000000");  // of the worst window, not of the latest
  (void)tracker.Update(View(196, {}));
  EXPECT_EQ(tracker.Open(), 1U);
  changes = tracker.Update(View(356, {}));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].kind, Kind::kEnded);
  EXPECT_EQ(changes[0].record.id, id);
  EXPECT_EQ(changes[0].record.ended, UnixFromSeconds(kBegin + 196));
  EXPECT_EQ(changes[0].record.ending, "like its peers");
  EXPECT_EQ(tracker.Open(), 0U);
}

TEST(IncidentTracker, AnotherCauseOfTheFamilyIsTheSameIncident) {
  auto tracker = Tracker();
  const auto began = tracker.Update(View(100, {Verdict(100, 2, Cause::kDiskHog)}));
  const auto changes = tracker.Update(View(132, {Verdict(132, 2, Cause::kDiskBusy)}));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].record.id, began[0].record.id);
  EXPECT_EQ(changes[0].record.cause, "disk-busy");
  const auto more = tracker.Update(View(164, {Verdict(164, 2, Cause::kPacketLoss)}));
  ASSERT_THAT(more, SizeIs(2));  // the other one has no verdict any more
  EXPECT_EQ(more[0].kind, Kind::kBegan);
  EXPECT_FALSE(more[1].present);
  EXPECT_EQ(tracker.Open(), 2U);
}

// As when the program is killed a minute before the hour, and names the fault again after it.
TEST(IncidentTracker, AFullHourMakesNoOtherIncidentOfAFaultThatComesBack) {
  auto before = Tracker();
  const auto id = before.Update(View(3500, {Verdict(3500, 2)}))[0].record.id;
  (void)before.Update(View(3532, {}));
  const auto ended = before.Update(View(3700, {}))[0].record;
  for (const auto& [after, same] : {std::pair(3800, true), {7000, true}, {7200, false}}) {
    auto tracker = Tracker();
    tracker.Restore({ended});
    const auto again = tracker.Update(View(after, {Verdict(after, 2)}))[0].record;
    EXPECT_EQ(again.id == id, same) << after;
    EXPECT_EQ(again.episodes, same ? 2U : 1U);
  }
}

TEST(IncidentTracker, AFaultThatComesBackWithinTheHourIsTheSame) {
  auto tracker = Tracker();
  const auto id = tracker.Update(View(100, {Verdict(100, 2)}))[0].record.id;
  (void)tracker.Update(View(132, {}));
  ASSERT_EQ(tracker.Update(View(400, {}))[0].kind, Kind::kEnded);
  const auto changes = tracker.Update(View(432, {Verdict(432, 2)}));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].kind, Kind::kBegan);
  EXPECT_EQ(changes[0].record.id, id);
  EXPECT_EQ(changes[0].record.episodes, 2U);
  EXPECT_FALSE(changes[0].record.ended);
}

TEST(IncidentTracker, WhoCannotBeComparedHasNotRecovered) {
  auto tracker = Tracker();
  (void)tracker.Update(View(100, {Verdict(100, 2)}));
  auto view = View(1000, {});
  view.unknown = {{.end = UnixFromSeconds(kBegin + 1000),
                   .preset = "default",
                   .node = "io03",
                   .cause = Cause::kDiskBusy}};
  EXPECT_THAT(tracker.Update(view), IsEmpty());
  EXPECT_EQ(tracker.Open(), 1U);
}

TEST(IncidentTracker, ARestartIsNoSilence) {
  auto before = Tracker();
  const auto record = before.Update(View(100, {Verdict(100, 2)}))[0].record;
  auto after = Tracker();
  after.Restore({record});
  // Ten minutes later the first windows have no verdict yet: the filter has to fill again.
  const auto first = after.Update(View(700, {}));
  ASSERT_THAT(first, SizeIs(1));
  EXPECT_FALSE(first[0].present);
  EXPECT_FALSE(first[0].record.ended);
  const auto changes = after.Update(View(828, {Verdict(828, 2)}));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].kind, Kind::kWentOn);
  EXPECT_EQ(changes[0].record.id, record.id);
}

TEST(IncidentTracker, SaysOnceThatAVerdictIsGoneAndOnceThatItIsBack) {
  auto tracker = Tracker();
  EXPECT_TRUE(tracker.Update(View(100, {Verdict(100, 2)}))[0].present);
  auto changes = tracker.Update(View(108, {}));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].kind, Kind::kWentOn);
  EXPECT_FALSE(changes[0].present);
  EXPECT_THAT(tracker.Update(View(116, {})), IsEmpty());
  changes = tracker.Update(View(124, {Verdict(124, 2)}));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_TRUE(changes[0].present);
  EXPECT_FALSE(changes[0].named);
  EXPECT_THAT(tracker.Update(View(132, {Verdict(132, 2)})), IsEmpty());
}

TEST(IncidentTracker, AVerdictThatIsThereAfterARestartIsSaidAtOnce) {
  auto before = Tracker();
  const auto record = before.Update(View(100, {Verdict(100, 2)}))[0].record;
  auto after = Tracker();
  after.Restore({record});
  const auto changes = after.Update(View(108, {Verdict(108, 2)}));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_TRUE(changes[0].present);
  EXPECT_FALSE(changes[0].named);
}

TEST(IncidentTracker, AClockSetBackADayEndsNothing) {
  auto tracker = Tracker();
  const auto record = tracker.Update(View(100, {Verdict(100, 2)}))[0].record;
  (void)tracker.Update(View(132, {}));
  constexpr int kDay = 86'400;
  EXPECT_THAT(tracker.Update(View(132 - kDay, {})), IsEmpty());
  const auto changes = tracker.Update(View(164 - kDay, {Verdict(164 - kDay, 2)}));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].record.id, record.id);
  EXPECT_EQ(changes[0].record.last, record.last);
}

TEST(IncidentTracker, ASecondaryVerdictThatIsIndictedLaterIsNews) {
  auto tracker = Tracker();
  auto verdict = Verdict(100, 2);
  verdict.secondary = true;
  const auto began = tracker.Update(View(100, {verdict}));
  EXPECT_FALSE(began[0].record.indicted);
  EXPECT_FALSE(began[0].named);
  const auto changes = tracker.Update(View(132, {Verdict(132, 2)}));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_TRUE(changes[0].record.indicted);
  EXPECT_TRUE(changes[0].named);
  EXPECT_EQ(changes[0].record.named, UnixFromSeconds(kBegin + 132));
  EXPECT_EQ(tracker.Find("io03", Cause::kDiskHog)->id, changes[0].record.id);
  EXPECT_EQ(tracker.Find("io03", Cause::kPacketLoss), nullptr);
}

// Otherwise its alert would be repeated for ever.
TEST(IncidentTracker, WhatAPresetSaidThatIsNoMoreEndsAnHourLater) {
  auto tracker = Tracker();
  auto begun = tracker.Update(View(0, {Verdict(0, 2)}));
  auto next = Tracker();
  next.SetSilences({{"other", 160s}});
  next.Restore({begun.at(0).record});
  const auto view = [](int second) {
    auto one = View(second, {});
    one.groups[0].preset = "other";
    return one;
  };
  EXPECT_THAT(next.Update(view(100)), SizeIs(1));  // the verdict is gone
  EXPECT_THAT(next.Update(view(3600)), IsEmpty());
  const auto ended = next.Update(view(3700));
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_EQ(ended[0].kind, Kind::kEnded);
}

// System calls alone: there is nothing else to compare.
TEST(IncidentTracker, APresetWithoutGroupsHasWindowsToo) {
  auto tracker = Tracker();
  (void)tracker.Update(View(0, {Verdict(0, 2, Cause::kServerHang)}));
  auto view = View(100, {});
  view.groups.clear();
  view.presets = {{.preset = "default", .window_end = UnixFromSeconds(kBegin + 100)}};
  EXPECT_THAT(tracker.Update(view), SizeIs(1));
  view.presets[0].window_end = UnixFromSeconds(kBegin + 260);
  EXPECT_EQ(tracker.Update(view).at(0).kind, Kind::kEnded);
}

}  // namespace
}  // namespace limpet::tracker_test
