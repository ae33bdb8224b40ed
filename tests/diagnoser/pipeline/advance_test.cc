// What is closed when, and in which order.
#include <gmock/gmock.h>

#include <algorithm>

#include "diagnoser/pipeline/pipeline.h"
#include "tests/support/disk_pages.h"

namespace limpet::advance_test {
namespace {

using testing::DiskPage;
using ::testing::ElementsAre;
using testing::IngestPage;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::int64_t kStart = 1'700'000'000 / 64 * 64;
UnixTime At(int second) { return UnixFromSeconds(kStart + second); }

PipelineConfig Config(std::vector<PresetSettings> presets = {DefaultPreset()}) {
  PipelineConfig config;
  config.presets = std::move(presets);
  config.groups = {{.name = "io", .roles = {"io"}}};
  return config;
}

// Windows of `window` seconds, one after the other.
PresetSettings Preset(const std::string& name, std::size_t window, Duration max_gap) {
  auto preset = DefaultPreset();
  preset.name = name;
  preset.smoothing = 1;
  preset.window = window;
  preset.shift = window;
  preset.max_gap = max_gap;
  return preset;
}

void Feed(Pipeline& pipeline, const std::vector<std::string>& nodes, int second,
          double await = 10) {
  for (const auto& node : nodes) {
    ASSERT_TRUE(IngestPage(pipeline, node, At(second), DiskPage(second, await)));
  }
}

// "preset second" of every window of the metric await.
std::vector<std::string> Windows(const std::vector<Event>& events) {
  std::vector<std::string> windows;
  for (const auto& event : events) {
    const auto* window = std::get_if<WindowEvent>(&event);
    if (window != nullptr && window->metric == "await") {
      windows.push_back(window->preset + " " +
                        std::to_string((window->end - At(0)) / std::chrono::seconds(1)));
    }
  }
  return windows;
}

TEST(Advance, SaysNothingBeforeAWindowIsWhole) {
  Pipeline pipeline(Config());
  for (int second = 0; second <= 63; ++second) {
    Feed(pipeline, {"a", "b", "c"}, second);
    EXPECT_THAT(pipeline.Advance(At(second)), IsEmpty()) << second;
  }
  Feed(pipeline, {"a", "b", "c"}, 64);
  EXPECT_THAT(Windows(pipeline.Advance(At(64))), ElementsAre("default 64"));
}

TEST(Advance, ADeadTargetHoldsAWindowUpByMaxGapAtMost) {
  Pipeline pipeline(Config());
  std::optional<int> first;
  for (int second = 0; second <= 80 && !first; ++second) {
    Feed(pipeline, {"a", "b", "c"}, second);
    if (second <= 62) {
      Feed(pipeline, {"d"}, second);
    }
    if (!pipeline.Advance(At(second)).empty()) {
      first = second;
    }
  }
  EXPECT_EQ(first, 62 + 5);
}

// Node d is silent from second 10 on; the patient preset waits for it until second 30.
std::vector<std::string> PlayWithASilentNode(bool one_order) {
  auto config = Config({Preset("patient", 16, std::chrono::seconds(20)),
                        Preset("prompt", 16, std::chrono::seconds(2))});
  config.one_order = one_order;
  Pipeline pipeline(config);
  std::vector<std::string> windows;
  for (int second = 0; second <= 30; ++second) {
    Feed(pipeline, {"a", "b", "c"}, second);
    if (second <= 10) {
      Feed(pipeline, {"d"}, second);
    }
    for (const auto& window : Windows(pipeline.Advance(At(second)))) {
      windows.push_back(std::to_string(second) + ": " + window);
    }
  }
  return windows;
}

TEST(Advance, LiveAPresetThatWaitsHoldsNoOtherUp) {
  EXPECT_THAT(PlayWithASilentNode(false), ElementsAre("16: prompt 16", "30: patient 16"));
}

TEST(Advance, InOneOrderAPresetThatWaitsHoldsTheOthersUp) {
  EXPECT_THAT(PlayWithASilentNode(true), ElementsAre("30: patient 16", "30: prompt 16"));
}

TEST(Advance, EventsOfPresetsComeInTheOrderOfTheirWindowEnds) {
  Pipeline pipeline(Config(
      {Preset("long", 32, std::chrono::seconds(5)), Preset("short", 16, std::chrono::seconds(5))}));
  for (int second = 0; second <= 32; ++second) {
    Feed(pipeline, {"a", "b", "c"}, second);
  }
  EXPECT_THAT(Windows(pipeline.Advance(At(32))), ElementsAre("short 16", "long 32", "short 32"));
}

TEST(Advance, ASecondOfCongestionWindowsComesBeforeAWindowThatEndsWithIt) {
  auto preset = Preset("quick", 32, std::chrono::seconds(5));
  preset.cwnd_events = true;
  auto config = Config({preset});
  config.groups.push_back(
      {.name = "tcp", .kind = GroupKind::kCwnd, .roles = {"io"}, .ports = {3334}});
  Pipeline pipeline(config);
  for (int second = 0; second <= 32; ++second) {
    Feed(pipeline, {"a", "b", "c"}, second);
    constexpr auto kLabels =
        "local_address=\"10.0.0.1\",local_port=\"3334\",remote_address=\"10.0.1.1\",remote_port="
        "\"50000\"";
    ASSERT_TRUE(IngestPage(
        pipeline, "s", At(second),
        fmt::format("limpet_tcp_cwnd_segments{{{0}}} 20\nlimpet_tcp_bytes_acked_total{{{0}}} {1}\n",
                    kLabels, 1000 * second)));
  }
  const auto events = pipeline.Advance(At(32));
  const auto window = std::find_if(events.begin(), events.end(), [](const Event& event) {
    return std::holds_alternative<WindowEvent>(event);
  });
  ASSERT_NE(window, events.end());
  ASSERT_NE(window, events.begin());
  const auto* before = std::get_if<CwndEvent>(&*(window - 1));
  ASSERT_NE(before, nullptr);
  EXPECT_EQ(before->end, At(32));
}

TEST(Advance, AgainToTheSameInstantSaysNothingTwice) {
  Pipeline pipeline(Config());
  for (int second = 0; second <= 64; ++second) {
    Feed(pipeline, {"a", "b", "c"}, second);
  }
  EXPECT_THAT(pipeline.Advance(At(64)), Not(IsEmpty()));
  EXPECT_THAT(pipeline.Advance(At(64)), IsEmpty());
}

TEST(Advance, AnEmptyPipelineHasNothingToSay) {
  Pipeline pipeline(Config());
  EXPECT_THAT(pipeline.Advance(At(1000)), IsEmpty());
  const auto events = pipeline.Finish();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(std::get<SummaryEvent>(events[0]).windows, 0U);
}

TEST(Finish, WaitsForNobodyAndClosesNothingAfterTheLastReading) {
  Pipeline pipeline(Config({Preset("quick", 16, std::chrono::seconds(20))}));
  for (int second = 0; second <= 47; ++second) {
    Feed(pipeline, {"a", "b", "c"}, second);
    if (second <= 30) {
      Feed(pipeline, {"d"}, second);
    }
    (void)pipeline.Advance(At(second));
  }
  const auto events = pipeline.Finish();
  EXPECT_THAT(Windows(events), ElementsAre("quick 32")) << "not of second 48";
  ASSERT_TRUE(std::holds_alternative<SummaryEvent>(events.back()));
}

TEST(Advance, WindowsGoOnAfterAnOutageOfAll) {
  Pipeline pipeline(Config());
  std::vector<Event> events;
  for (int second = 0; second <= 10'000; ++second) {
    if (second > 100 && second < 9'800) {
      continue;
    }
    Feed(pipeline, {"a", "b", "c"}, second);
    events = pipeline.Advance(At(second));
    if (!events.empty() && second > 200) {
      break;
    }
  }
  ASSERT_FALSE(events.empty());
  const auto& window = std::get<WindowEvent>(events.front());
  EXPECT_GE(window.end, At(9'800 + 52));
  EXPECT_EQ(window.n, 3U);
}

// A window that ends up to a fifth of it after the last reading has enough samples.
TEST(Advance, ALongSilenceOfAllTakesNoWindowWithIt) {
  const auto ends = [](int back) {
    Pipeline pipeline(Config());
    std::vector<std::string> windows;
    for (int second = 0; second <= back + 100; ++second) {
      if (second <= 122 || second >= back) {
        Feed(pipeline, {"a", "b", "c"}, second);
      } else if (back > 1000) {
        continue;  // a replay hears nothing of the time between
      }
      for (auto& window : Windows(pipeline.Advance(At(second)))) {
        windows.push_back(std::move(window));
      }
    }
    windows.resize(std::min<std::size_t>(windows.size(), 4));
    return windows;
  };
  EXPECT_THAT(ends(140), ::testing::Contains("default 128"));
  EXPECT_THAT(ends(900), ::testing::Contains("default 128"));
  EXPECT_THAT(ends(5000), ::testing::Contains("default 128"));
}

TEST(Advance, AClockThatStepsBackBlindsNobodyForGood) {
  Pipeline pipeline(Config());
  std::vector<std::string> windows;
  for (int second = 0; second <= 400; ++second) {
    const int shown = second < 100 ? second : second - 60;
    for (const char* node : {"a", "b", "c"}) {
      ASSERT_TRUE(IngestPage(pipeline, node, At(shown), DiskPage(second, 10)));
    }
    for (auto& window : Windows(pipeline.Advance(At(shown)))) {
      windows.push_back(std::move(window));
    }
  }
  ASSERT_THAT(windows, Not(IsEmpty()));
  EXPECT_EQ(windows.back(), "default 320");
}

TEST(Advance, AReadingOf1970DoesNotKeepItBusyForHalfACentury) {
  auto config = Config();
  config.groups.push_back({.name = "tcp", .kind = GroupKind::kCwnd, .roles = {"io"}, .ports = {1}});
  Pipeline pipeline(config);
  ASSERT_TRUE(IngestPage(pipeline, "a", UnixFromSeconds(5),
                         DiskPage(1, 10) +
                             "limpet_tcp_cwnd_segments{local_address=\"1\",local_port="
                             "\"1\",remote_address=\"2\",remote_port=\"3\"} 5\n"));
  std::size_t windows = 0;
  for (int second = 0; second <= 200; ++second) {
    Feed(pipeline, {"a", "b", "c"}, second);
    windows += pipeline.Advance(At(second)).size();
  }
  EXPECT_EQ(windows, 8U * 5U);
}

}  // namespace
}  // namespace limpet::advance_test
