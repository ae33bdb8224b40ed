#include "diagnoser/history/verdict_history.h"

#include <gmock/gmock.h>

namespace limpet::verdict_history_test {
namespace {

using namespace std::chrono_literals;
using ::testing::SizeIs;

VerdictEvent Verdict(const std::string& node, int second, double degree, std::size_t rank = 1) {
  return {.end = UnixFromSeconds(second),
          .preset = "default",
          .node = node,
          .cause = Cause::kDiskBusy,
          .rank = rank,
          .degree = degree,
          .secondary = rank > 1,
          .evidence = {{.component = node + "/sda", .group = "disks", .metric = "await"}}};
}

PipelineView View(int second, std::vector<VerdictEvent> verdicts) {
  PipelineView view;
  view.groups = {{.preset = "default", .group = "disks", .window_end = UnixFromSeconds(second)}};
  view.verdicts = std::move(verdicts);
  return view;
}

TEST(VerdictHistory, OneRecordFromBeginToEndWithItsWorstWindow) {
  VerdictHistory history(1h, 1U << 20U);
  history.Update(View(100, {Verdict("a", 100, 2)}), {});
  const auto id = history.Snapshot().front()->id;
  history.Update(View(132, {Verdict("a", 132, 5)}), {});
  history.Update(View(132, {Verdict("a", 132, 5)}), {});  // the same again
  history.Update(View(164, {Verdict("a", 164, 3)}), {});
  ASSERT_THAT(history.Snapshot(), SizeIs(1));
  EXPECT_FALSE(history.Snapshot().front()->end);
  history.Update(View(196, {}), {});
  const auto record = history.Snapshot().front();
  EXPECT_EQ(record->id, id);
  EXPECT_EQ(record->id.size(), 16U);
  EXPECT_EQ(record->begin, UnixFromSeconds(100));
  EXPECT_EQ(record->last, UnixFromSeconds(164));
  EXPECT_EQ(record->end, UnixFromSeconds(196));
  EXPECT_EQ(record->worst.degree, 5);
  EXPECT_TRUE(record->indicted);
  EXPECT_EQ(history.Changes(), 4U);
  EXPECT_THAT(history.Latest(), SizeIs(4));
}

TEST(VerdictHistory, TheIdIsOfPresetNodeCauseAndBegin) {
  const auto at = UnixFromSeconds(1);
  const auto id = VerdictId("p", "n", Cause::kDiskBusy, at);
  EXPECT_EQ(id, VerdictId("p", "n", Cause::kDiskBusy, at));
  EXPECT_NE(id, VerdictId("pn", "", Cause::kDiskBusy, at));
  EXPECT_NE(id, VerdictId("p", "n", Cause::kDiskHog, at));
  EXPECT_NE(id, VerdictId("p", "n", Cause::kDiskBusy, at + 1s));
}

TEST(VerdictHistory, SecondaryNamesTheWorst) {
  VerdictHistory history(1h, 1U << 20U);
  history.Update(View(100, {Verdict("bad", 100, 9), Verdict("sad", 100, 1.5, 2)}), {});
  for (const auto& record : history.Snapshot()) {
    EXPECT_EQ(record->indicted, record->worst.node == "bad");
    EXPECT_EQ(record->secondary_to,
              record->worst.node == "bad" ? std::nullopt : std::optional<std::string>("bad"));
  }
}

TEST(VerdictHistory, ForgetsWhatEndedFirst) {
  VerdictHistory history(1h, 10'000);
  for (int i = 0; i < 1000; ++i) {
    const int second = 100 + 64 * i;
    history.Update(View(second, {Verdict("n" + std::to_string(i), second, 2)}), {});
    EXPECT_LE(history.Bytes(), 12'000U);  // the one that goes on is never dropped
  }
  EXPECT_THAT(history.Latest(), SizeIs(VerdictHistory::kMaxChanges));
  ASSERT_TRUE(history.DroppedUntil());
  EXPECT_FALSE(history.Snapshot().back()->end);
  EXPECT_EQ(history.Snapshot().back()->worst.node, "n999");
}

TEST(VerdictHistory, KeepsTheBandsOfTheWindowsThatDecided) {
  const auto band = [](int second, const std::string& component) {
    return std::make_shared<const PeerBand>(PeerBand{.preset = "default",
                                                     .group = "disks",
                                                     .metric = "await",
                                                     .end = UnixFromSeconds(second),
                                                     .own = {{.component = component}}});
  };
  auto verdict = Verdict("a", 164, 2);
  verdict.evidence[0].windows = {UnixFromSeconds(132), UnixFromSeconds(164)};
  VerdictHistory history(1h, 1U << 20U);
  history.Update(View(164, {verdict}),
                 {band(100, "a/sda"), band(132, "a/sda"), band(132, "b/sda"), band(164, "a/sda")});
  EXPECT_THAT(history.Snapshot().front()->bands, SizeIs(2));
}

}  // namespace
}  // namespace limpet::verdict_history_test
