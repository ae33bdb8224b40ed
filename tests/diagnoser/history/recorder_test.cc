#include "diagnoser/history/recorder.h"

#include <gmock/gmock.h>

#include "tests/support/live_cluster.h"

namespace limpet::recorder_test {
namespace {

using testing::LiveCluster;
using ::testing::SizeIs;

TEST(Recorder, NamesTheSlowServerAndKeepsWhatDecided) {
  LiveCluster cluster;
  cluster.Steps(40, 10);
  EXPECT_THAT(*cluster.View()->verdicts, SizeIs(0));
  cluster.Steps(40, 80);
  const auto live = cluster.View();
  ASSERT_THAT(*live->verdicts, SizeIs(1));
  const auto& record = *live->verdicts->front();
  EXPECT_EQ(record.worst.node, "io03");
  EXPECT_EQ(record.worst.cause, Cause::kDiskBusy);
  EXPECT_FALSE(record.bands.empty());
  EXPECT_GT(cluster.Keeper().Bytes(), 1000U);
  const auto& frame = *live->frames.back();
  const auto row = frame.Row(*live->cluster->Find("io03"));
  EXPECT_EQ(row[static_cast<std::size_t>(Column::kCause)], 1);
  EXPECT_GT(row[static_cast<std::size_t>(Column::kUtil)], 200);
  EXPECT_EQ(row[static_cast<std::size_t>(Column::kNetIn)], kUnknown);
}

TEST(Recorder, ACauseThatPeopleHaveAcceptedIsNotShownOnItsNode) {
  LiveCluster cluster;
  cluster.Steps(40, 10);
  cluster.Keeper().SetAccepted({{"io03", "disk-busy"}});
  cluster.Steps(40, 80);
  const auto live = cluster.View();
  ASSERT_THAT(*live->verdicts, SizeIs(1));  // it is in the list all the same
  const auto& frame = *live->frames.back();
  const auto slow = frame.Row(*live->cluster->Find("io03"));
  const auto healthy = frame.Row(*live->cluster->Find("io01"));
  constexpr auto kPlace = static_cast<std::size_t>(Column::kCause);
  EXPECT_EQ(slow[kPlace], healthy[kPlace]);
  cluster.Keeper().SetAccepted({});
  cluster.Steps(5, 80);
  EXPECT_EQ(cluster.View()->frames.back()->Row(*live->cluster->Find("io03"))[kPlace], 1);
}

TEST(Recorder, KeepsFewFramesAndOneClusterAsLongAsNobodyComes) {
  LiveCluster cluster;
  cluster.Steps(60, 10);
  const auto live = cluster.View();
  ASSERT_THAT(live->frames, SizeIs(Recorder::kKeptFrames));
  EXPECT_EQ(live->frames.front()->cluster, live->frames.back()->cluster);
  EXPECT_LT(live->frames.front()->id, live->frames.back()->id);
  EXPECT_THAT(live->cluster->nodes, SizeIs(5));
  cluster.Keeper().SetKnown({{"new", {.role = "server"}}});
  cluster.Step(10);
  EXPECT_THAT(cluster.View()->cluster->nodes, SizeIs(6));
  EXPECT_EQ(cluster.View()->cluster->version, live->cluster->version + 1);
}

TEST(Recorder, RatesOfALongStepShowAQuarterOfItLateAtMost) {
  auto preset = testing::LivePreset();
  preset.step = std::chrono::seconds(8);
  LiveCluster cluster({.presets = {preset}, .groups = {{.name = "disks"}}});
  const auto busy = [&] {
    const auto live = cluster.View();
    return live->frames.back()->Row(
        *live->cluster->Find("io03"))[static_cast<std::size_t>(Column::kUtil)];
  };
  ASSERT_EQ(testing::kLiveBegin % 8, 0);
  cluster.Steps(80, 4);
  EXPECT_EQ(busy(), 51) << "a fifth of 255";
  cluster.Steps(8, 8);
  cluster.Steps(2, 4);
  EXPECT_EQ(busy(), 102);
  cluster.Steps(8, 4);
  EXPECT_EQ(busy(), 51);
}

TEST(Recorder, AClockThatIsSetBackLeavesFramesInOrder) {
  LiveCluster cluster;
  cluster.Steps(3, 10);
  const auto before = cluster.View()->frames.back()->id;
  cluster.Keeper().AddFrame(cluster.Data(), UnixFromSeconds(1), UnixFromSeconds(0),
                            UnixFromSeconds(1));
  EXPECT_EQ(cluster.View()->frames.back()->id, before + 1);
}

TEST(Recorder, ASmallBoundKeepsLittle) {
  LiveCluster cluster({.duration = std::chrono::hours(1), .max_bytes = 4000});
  cluster.Steps(200, 10);
  EXPECT_LE(cluster.View()->windows->size() == 0 ? 0U : cluster.Keeper().Bytes(), 8000U);
}

}  // namespace
}  // namespace limpet::recorder_test
