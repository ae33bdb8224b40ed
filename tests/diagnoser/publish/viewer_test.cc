#include "diagnoser/publish/viewer.h"

#include <gmock/gmock.h>

#include "tests/support/live_cluster.h"

namespace limpet::viewer_test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testing::LiveCluster;
using ::testing::Not;
using ::testing::StartsWith;

ViewerOptions All() { return {.filter = {.columns = *ParseColumns("")}}; }

struct LiveViewing {
  explicit LiveViewing(ViewerOptions options = All())
      : viewer(std::move(options), [this] { return cluster.View(); }) {}
  std::string Next(Duration later) {
    now += later;
    output = viewer.Next(now, texts);
    return output.text ? *output.text : "";
  }

  LiveCluster cluster;
  FrameTexts texts;
  LiveViewer viewer;
  Viewer::Output output;
  SteadyTime now = SteadyTime(1h);
};

TEST(LiveViewer, GetsAWholeFrameThenDifferencesThenNothing) {
  LiveViewing viewing;
  viewing.cluster.Steps(20, 10);
  EXPECT_THAT(viewing.Next(0s), AllOf(StartsWith("retry: "), HasSubstr("\"base\":true")));
  EXPECT_EQ(viewing.Next(50ms), "");
  viewing.cluster.Step(80);
  EXPECT_EQ(viewing.Next(50ms), "") << "two frames a second, not twenty";
  EXPECT_THAT(viewing.Next(500ms), AllOf(HasSubstr("\"base\":false"), HasSubstr("event: frame")));
  EXPECT_EQ(viewing.output.thinned, 0U);
  EXPECT_EQ(viewing.Next(1s), "");
  EXPECT_EQ(viewing.Next(15s), ": \n\n");
}

TEST(LiveViewer, ASlowOneGetsOneFrameForManyAndIsCounted) {
  LiveViewing viewing;
  viewing.cluster.Step(10);
  (void)viewing.Next(0s);
  viewing.cluster.Steps(10, 10);
  EXPECT_THAT(viewing.Next(30s), HasSubstr("\"base\":false"));
  EXPECT_EQ(viewing.output.thinned, 8U);
  EXPECT_EQ(viewing.Next(1s), "");
}

TEST(LiveViewer, ResumesWhereItStoppedIfThatIsStillKnown) {
  LiveCluster cluster;
  cluster.Steps(20, 10);
  const auto id = cluster.View()->frames[5]->id;
  FrameTexts texts;
  const auto first = [&](std::uint64_t last_id) {
    auto options = All();
    options.last_id = last_id;
    LiveViewer viewer(std::move(options), [&] { return cluster.View(); });
    return *viewer.Next(SteadyTime(1h), texts).text;
  };
  EXPECT_THAT(first(id), HasSubstr("\"base\":false"));
  EXPECT_THAT(first(id + 1), HasSubstr("\"base\":true"));
  EXPECT_THAT(first(0), HasSubstr("\"base\":true"));
}

TEST(LiveViewer, IsToldOfVerdictsAndOfNewNodes) {
  LiveViewing viewing;
  viewing.cluster.Steps(40, 10);
  EXPECT_THAT(viewing.Next(0s), Not(HasSubstr("event: verdict")));
  viewing.cluster.Steps(40, 80);
  EXPECT_THAT(viewing.Next(1s), AllOf(HasSubstr("event: verdict"), HasSubstr("\"io03\"")));
  viewing.cluster.Keeper().SetKnown({{"new", {}}});
  viewing.cluster.Step(80);
  EXPECT_THAT(viewing.Next(1s), AllOf(HasSubstr("event: cluster"), HasSubstr("\"base\":true")));
}

TEST(FrameTexts, ViewersWhoKeepUpShareTheirBytes) {
  LiveCluster cluster;
  cluster.Steps(2, 10);
  FrameTexts texts;
  const auto live = cluster.View();
  const auto& frames = live->frames;
  const auto filter = All().filter;
  const auto text = texts.Get(frames[0], frames[1], filter);
  EXPECT_EQ(texts.Get(frames[0], frames[1], filter), text);
  EXPECT_NE(texts.Get(nullptr, frames[1], filter), text);
}

// Fifty viewers who come back every second want whole frames; slow ones want differences to many
// frames.
TEST(FrameTexts, TheWholeFrameIsKeptWhileManyWantDifferences) {
  LiveCluster cluster;
  cluster.Steps(40, 10);
  FrameTexts texts;
  std::vector<std::shared_ptr<const Frame>> frames;
  for (int i = 0; i < 40; ++i) {
    cluster.Step(10 + i);
    frames.push_back(cluster.View()->frames.back());
  }
  const auto filter = All().filter;
  const auto whole = texts.Get(nullptr, frames.back(), filter);
  for (const auto& frame : frames) {
    (void)texts.Get(frame, frames.back(), filter);
  }
  EXPECT_EQ(texts.Get(nullptr, frames.back(), filter), whole);
}

TEST(FrameTexts, WindowsOnTheMapDriveOutNothing) {
  LiveCluster cluster;
  cluster.Steps(2, 10);
  FrameTexts texts;
  const auto frames = cluster.View()->frames;
  const auto filter = All().filter;
  const auto changes = texts.Get(frames[0], frames[1], filter);
  auto window = filter;
  for (std::size_t place = 0; place < 50; ++place) {
    window.places = FramePlaces{.version = frames[1]->cluster->version,
                                .ranges = {{.first = place, .last = place}}};
    (void)texts.Get(frames[0], frames[1], window);
  }
  EXPECT_EQ(texts.Get(frames[0], frames[1], filter), changes);
}

std::shared_ptr<const FrameLog> TenSeconds() {
  LiveCluster cluster;
  auto log = std::make_shared<FrameLog>(1U << 20U);
  for (int i = 0; i < 10; ++i) {
    cluster.Step(10 + i);
    log->Add(cluster.Keeper().LastFrame());
  }
  log->MapTo(cluster.View()->cluster);
  return log;
}

TEST(ReplayViewer, PlaysFromWhereItIsToldAsFastAsItIsTold) {
  const auto log = TenSeconds();
  FrameTexts texts;
  ReplayViewer viewer(All(), log, log->Frames()[4]->time, 2);
  const auto begin = SteadyTime(1h);
  const auto first = viewer.Next(begin, texts);
  EXPECT_THAT(*first.text, HasSubstr("id: " + std::to_string(log->Frames()[4]->id) + "\n"));
  EXPECT_FALSE(viewer.Next(begin + 100ms, texts).text);
  const auto second = viewer.Next(begin + 1s, texts);
  EXPECT_THAT(*second.text, HasSubstr("id: " + std::to_string(log->Frames()[6]->id) + "\n"));
  const auto last = viewer.Next(begin + 1h, texts);
  EXPECT_THAT(*last.text, HasSubstr("event: end"));
  EXPECT_TRUE(last.is_last);
}

TEST(ReplayViewer, StandsStillAtSpeedZero) {
  const auto log = TenSeconds();
  FrameTexts texts;
  ReplayViewer viewer(All(), log, log->Frames().back()->time, 0);
  const auto output = viewer.Next(SteadyTime(1h), texts);
  EXPECT_THAT(*output.text, HasSubstr("\"base\":true"));
  EXPECT_FALSE(output.is_last);
  EXPECT_FALSE(viewer.Next(SteadyTime(1h) + 10s, texts).text);
}

TEST(ReplayViewer, WithoutFramesItEndsAtOnce) {
  FrameTexts texts;
  ReplayViewer viewer(All(), std::make_shared<const FrameLog>(1), std::nullopt, 1);
  EXPECT_TRUE(viewer.Next(SteadyTime(1h), texts).is_last);
}

}  // namespace
}  // namespace limpet::viewer_test
