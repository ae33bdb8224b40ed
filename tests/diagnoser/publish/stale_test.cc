#include "diagnoser/publish/stale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::stale_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr UnixTime kEnd = UnixFromSeconds(1'700'000'000);

PipelineView Indicted() {
  PipelineView view;
  view.components = {{.preset = "default", .group = "disks", .node = "a", .flagged = true}};
  view.nodes = {
      {.preset = "default", .node = "a", .cause = Cause::kDiskHog, .indicted = true, .rank = 1}};
  view.groups = {
      {.preset = "default", .group = "disks", .window_end = kEnd, .taking_part = 3, .missing = 1}};
  view.verdicts = {{.end = kEnd, .preset = "default", .node = "a", .cause = Cause::kDiskHog}};
  return view;
}

TEST(Stale, AVerdictHoldsUntilTwoShiftsHavePassedWithoutAWindow) {
  const std::vector<PresetSettings> presets = {DefaultPreset()};
  const auto horizon = Horizon(presets[0], 2s);
  EXPECT_EQ(horizon, 64s + 5s + 2s);
  auto view = Indicted();
  DropStale(view, presets, 2s, kEnd + horizon);
  EXPECT_THAT(view.components, SizeIs(1));
  EXPECT_TRUE(view.nodes[0].indicted);
  EXPECT_EQ(view.groups[0].taking_part, 3U);
}

TEST(Stale, ThenNobodyIsIndictedAndNobodyTakesPart) {
  const std::vector<PresetSettings> presets = {DefaultPreset()};
  auto view = Indicted();
  DropStale(view, presets, 2s, kEnd + Horizon(presets[0], 2s) + 1ns);
  EXPECT_THAT(view.components, IsEmpty());
  EXPECT_THAT(view.verdicts, IsEmpty());
  ASSERT_THAT(view.nodes, SizeIs(1));
  EXPECT_FALSE(view.nodes[0].indicted);
  EXPECT_EQ(view.nodes[0].cause, Cause::kNone);
  EXPECT_EQ(view.groups[0].taking_part, 0U);
  EXPECT_EQ(view.groups[0].missing, 4U);
}

}  // namespace
}  // namespace limpet::stale_test
