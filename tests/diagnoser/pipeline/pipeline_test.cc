#include "diagnoser/pipeline/pipeline.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <random>

#include "diagnoser/publish/events.h"
#include "tests/support/disk_pages.h"

namespace limpet::pipeline_test {
namespace {

using std::chrono::seconds;
using testing::DiskPage;
using testing::IngestPage;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kStart = 1'700'000'000 / 64 * 64;

UnixTime At(double second) {
  return UnixFromMilliseconds(kStart * 1000 + std::llround(second * 1000));
}

PipelineConfig Config(std::vector<PresetSettings> presets = {DefaultPreset()}) {
  PipelineConfig config;
  config.presets = std::move(presets);
  config.groups = {{.name = "io", .roles = {"io"}}};
  return config;
}

void Append(std::vector<std::string>& lines, const std::vector<Event>& events) {
  for (const auto& event : events) {
    lines.push_back(ToJsonLine(event));
  }
}

// Four nodes for `seconds`, the last of them slow from 128 s on, in the order `nodes`, with
// Advance every `every` seconds.
std::vector<std::string> Play(std::vector<int> nodes, int duration, int every,
                              const PipelineConfig& config = Config()) {
  Pipeline pipeline(config);
  std::vector<std::string> lines;
  for (int second = 0; second <= duration; ++second) {
    for (const int node : nodes) {
      const double at = second + 0.01 * node;
      const double slow = std::max(0.0, at - 128);
      const double waited_more = node == 3 ? 50 * slow * 80 / 1000 : 0;
      auto page = DiskPage(at, 10 + 0.1 * node);
      if (waited_more > 0) {
        // As DiskPage, but the extra time waited since 128 s is in the counters.
        page = DiskPage(at, 10 + 0.1 * node + waited_more * 1000 / (50 * at));
      }
      EXPECT_TRUE(IngestPage(pipeline, "n" + std::to_string(node), At(at), page));
    }
    if (second % every == 0) {
      Append(lines, pipeline.Advance(At(second)));
    }
  }
  Append(lines, pipeline.Finish());
  return lines;
}

TEST(Pipeline, NamesTheSlowNode) {
  const auto lines = Play({0, 1, 2, 3}, 300, 1);
  const auto verdict = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("\"verdict\"") != std::string::npos;
  });
  ASSERT_NE(verdict, lines.end());
  EXPECT_NE(verdict->find("\"node\":\"n3\",\"cause\":\"disk-busy\""), std::string::npos);
}

TEST(Pipeline, TheOrderOfSourcesAndTheCallsDoNotMatter) {
  const auto lines = Play({0, 1, 2, 3}, 300, 1);
  EXPECT_EQ(Play({3, 1, 0, 2}, 300, 1), lines);
  EXPECT_EQ(Play({0, 1, 2, 3}, 300, 7), lines);
  EXPECT_EQ(Play({2, 0, 3, 1}, 300, 30), lines);
}

TEST(Pipeline, FewerThanThreeAreUndetermined) {
  for (const int count : {1, 2}) {
    Pipeline pipeline(Config());
    std::vector<Event> events;
    for (int second = 0; second <= 70; ++second) {
      for (int node = 0; node < count; ++node) {
        ASSERT_TRUE(IngestPage(pipeline, "n" + std::to_string(node), At(second),
                               DiskPage(second, 10 + 100 * node)));
      }
      for (auto& event : pipeline.Advance(At(second))) {
        events.push_back(std::move(event));
      }
    }
    ASSERT_THAT(events, SizeIs(8));
    const auto& window = std::get<WindowEvent>(events.front());
    EXPECT_TRUE(window.undetermined);
    EXPECT_EQ(window.n, static_cast<std::size_t>(count));
    EXPECT_FALSE(window.components[0].s);
    EXPECT_FALSE(window.lo);
  }
}

TEST(Pipeline, APageThatIsNoneChangesNothing) {
  Pipeline pipeline(Config());
  ASSERT_TRUE(IngestPage(pipeline, "a", At(0), DiskPage(0, 10)));
  EXPECT_FALSE(IngestPage(pipeline, "a", At(1), DiskPage(1, 10) + "<html>\n"));
  const auto stats = IngestPage(pipeline, "a", At(1), DiskPage(1, 10));
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->late, 0U) << "the readings of the bad page were not taken";
}

TEST(Pipeline, LateReadingsAreCounted) {
  Pipeline pipeline(Config());
  ASSERT_TRUE(IngestPage(pipeline, "a", At(5), DiskPage(5, 10)));
  EXPECT_EQ(IngestPage(pipeline, "a", At(5), DiskPage(5, 10))->late, 8U);
  EXPECT_EQ(IngestPage(pipeline, "a", At(4), DiskPage(4, 10))->late, 8U);
  EXPECT_EQ(pipeline.View().counters.late, 16U);
}

TEST(Pipeline, WhatIsNoReadingIsRefused) {
  Pipeline pipeline(Config());
  constexpr auto kName = "limpet_disk_reads_completed_total{device=\"sda\"} ";
  for (const char* value : {"NaN", "+Inf", "-Inf", "-1", "1e308"}) {
    const auto stats = IngestPage(pipeline, "a", At(0), std::string(kName) + value + "\n");
    ASSERT_TRUE(stats) << value;
    EXPECT_EQ(stats->refused, 1U) << value;
  }
  EXPECT_EQ(IngestPage(pipeline, "a", At(0), std::string(kName) + "1 -5\n")->refused, 1U);
  EXPECT_EQ(IngestPage(pipeline, "a", At(0), std::string(kName) + "1 8000000000000\n")->refused,
            1U);
}

TEST(Pipeline, AReadingOfTheFarFutureIsRefused) {
  Pipeline pipeline(Config());
  ASSERT_TRUE(IngestPage(pipeline, "a", At(0), DiskPage(0, 10)));
  EXPECT_THAT(pipeline.Advance(At(0)), IsEmpty());
  EXPECT_EQ(IngestPage(pipeline, "a", At(40), DiskPage(40, 10))->refused, 0U);
  EXPECT_EQ(IngestPage(pipeline, "a", At(3600), DiskPage(3600, 10))->refused, 8U);
}

// The exporter continues the kernel's 32-bit milliseconds in 64 bits, but only since its own start.
TEST(Pipeline, ARestartedExporterWithWrappedMillisecondsIsNoSlowDisk) {
  const auto play = [](bool says_so) {
    Pipeline pipeline(Config());
    double largest = 0;
    for (int second = 0; second <= 200; ++second) {
      for (const char* node : {"a", "b", "c", "d"}) {
        const bool restarted = node[0] == 'd' && second > 100;
        const double wrapped = restarted ? 0 : 4294967.296;
        const auto requests = 50.0 * second;
        auto page = fmt::format(
            "limpet_disk_reads_completed_total{{device=\"sda\"}} {0}\n"
            "limpet_disk_writes_completed_total{{device=\"sda\"}} 0\n"
            "limpet_disk_read_time_seconds_total{{device=\"sda\"}} {1}\n"
            "limpet_disk_write_time_seconds_total{{device=\"sda\"}} 0\n",
            requests, wrapped + 2'000'000 + requests / 100);
        if (says_so) {
          page += fmt::format("limpet_exporter_start_time_seconds {}\n", restarted ? 2 : 1);
        }
        EXPECT_TRUE(IngestPage(pipeline, node, At(second), page));
      }
      for (const auto& event : pipeline.Advance(At(second))) {
        const auto* window = std::get_if<WindowEvent>(&event);
        if (window != nullptr && window->metric == "await" && window->hi) {
          largest = std::max(largest, *window->hi);
        }
      }
    }
    return largest;
  };
  EXPECT_NEAR(play(true), 10, 1e-6);
  EXPECT_NEAR(play(false), 10, 1e-6) << "what falls is doubted whoever says nothing";
}

std::vector<WindowEvent> WindowsOf(const PresetSettings& preset, int duration) {
  Pipeline pipeline(Config({preset}));
  std::vector<WindowEvent> windows;
  for (int second = 0; second <= duration; ++second) {
    for (int node = 0; node < 12; ++node) {
      const double at = second + 0.01 * node;
      const double slow = node == 3 ? 80 * std::max(0.0, at - 128) / std::max(at, 1.0) : 0;
      const auto name = fmt::format("n{:02}", node);
      EXPECT_TRUE(IngestPage(pipeline, name, At(at), DiskPage(at, 10 + 0.1 * node + slow)));
    }
    for (const auto& event : pipeline.Advance(At(second))) {
      if (const auto* window = std::get_if<WindowEvent>(&event)) {
        windows.push_back(*window);
      }
    }
  }
  return windows;
}

TEST(Pipeline, WithBoundsTheSameComponentsAreAnomalousWithTheSameNumbers) {
  auto preset = DefaultPreset();
  const auto exact = WindowsOf(preset, 300);
  preset.exact_up_to = 5;
  const auto pruned = WindowsOf(preset, 300);
  ASSERT_EQ(pruned.size(), exact.size());
  std::size_t bounds = 0;
  std::size_t flagged = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    ASSERT_EQ(pruned[i].components.size(), exact[i].components.size());
    for (std::size_t j = 0; j < exact[i].components.size(); ++j) {
      const auto& one = exact[i].components[j];
      const auto& other = pruned[i].components[j];
      EXPECT_FALSE(one.s_is_bound);
      EXPECT_EQ(other.window_anomalous, one.window_anomalous);
      EXPECT_EQ(other.flagged, one.flagged);
      EXPECT_EQ(other.accumulator, one.accumulator);
      EXPECT_EQ(other.direction, one.direction);
      bounds += other.s_is_bound ? 1U : 0U;
      flagged += one.flagged ? 1U : 0U;
      if (one.window_anomalous || one.flagged) {
        EXPECT_FALSE(other.s_is_bound);
        EXPECT_EQ(other.s, one.s);
        EXPECT_EQ(other.window_degree, one.window_degree);
      } else {
        EXPECT_GE(*other.s, *one.s);
        EXPECT_LE(*other.window_degree, 1);
      }
      // The k-th largest of several windows: exact when at least k of them are.
      if (one.flagged) {
        EXPECT_EQ(other.degree, one.degree);
      } else {
        EXPECT_GE(other.degree, one.degree);
        EXPECT_LE(other.degree, 1);
      }
    }
  }
  EXPECT_GT(bounds, 100U) << "most need no exact number";
  EXPECT_GT(flagged, 0U);
}

TEST(Pipeline, ALargeGroupIsComparedInRotatingDomains) {
  auto preset = DefaultPreset();
  preset.domain_size = 4;
  const auto windows = WindowsOf(preset, 300);
  std::map<UnixTime, std::vector<std::string>> first_domain;
  std::size_t flagged = 0;
  for (const auto& window : windows) {
    if (window.metric != "await") {
      continue;
    }
    ASSERT_TRUE(window.domain.has_value());
    ASSERT_LT(*window.domain, 3U);
    ASSERT_EQ(window.n, 4U);
    for (const auto& component : window.components) {
      flagged += component.flagged ? 1U : 0U;
      EXPECT_TRUE(!component.flagged || component.component == "n03/sda") << component.component;
      if (*window.domain == 0) {
        first_domain[window.end].push_back(component.component);
      }
    }
  }
  ASSERT_GE(first_domain.size(), 3U);
  EXPECT_NE(first_domain.begin()->second, std::next(first_domain.begin())->second);
  EXPECT_GT(flagged, 0U) << "a flag follows its component through the domains";
}

TEST(Pipeline, SeveralPresetsRunSideBySide) {
  const auto lines = Play({0, 1, 2, 3}, 1000, 5, Config({DefaultPreset(), TestbenchPreset()}));
  EXPECT_EQ(std::count_if(
                lines.begin(), lines.end(),
                [](const std::string& line) { return line.find("summary") != std::string::npos; }),
            2);
  const auto alone = Play({0, 1, 2, 3}, 1000, 5, Config({TestbenchPreset()}));
  std::vector<std::string> both;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(both), [](const std::string& line) {
    return line.find("\"testbench\"") != std::string::npos;
  });
  EXPECT_EQ(both, alone);
}

TEST(Pipeline, SeriesOverTheLimitAreRefused) {
  auto config = Config();
  config.limits.max_series = 20;
  Pipeline pipeline(config);
  std::string page;
  for (int disk = 0; disk < 10; ++disk) {
    page += DiskPage(1, 10, "sd" + std::to_string(disk));
  }
  const auto stats = IngestPage(pipeline, "a", At(1), page);
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->refused, 60U);
  EXPECT_EQ(pipeline.View().counters.series, 20U);
}

TEST(Pipeline, ExtremeReadingsNeverMakeANumberThatIsNone) {
  std::mt19937 random(11);
  const double values[] = {0, 1, 1e-9, 1e15, 1e290};
  for (int round = 0; round < 5; ++round) {
    Pipeline pipeline(Config({DefaultPreset(), TestbenchPreset()}));
    for (int second = 0; second <= 200; ++second) {
      for (int node = 0; node < 4; ++node) {
        std::string page;
        for (const char* name : {"reads_completed", "writes_completed", "read_bytes",
                                 "written_bytes", "read_time_seconds", "write_time_seconds",
                                 "io_time_seconds", "io_time_weighted_seconds"}) {
          page += fmt::format("node_disk_{}_total{{device=\"x\"}} {}\n", name,
                              values[random() % std::size(values)]);
        }
        ASSERT_TRUE(IngestPage(pipeline, std::to_string(node), At(second), page));
      }
      for (const auto& event : pipeline.Advance(At(second))) {
        const auto line = ToJsonLine(event);
        ASSERT_EQ(line.find("null"), std::string::npos) << line;
        ASSERT_EQ(line.find("inf"), std::string::npos) << line;
        ASSERT_EQ(line.find("nan"), std::string::npos) << line;
      }
    }
  }
}

}  // namespace
}  // namespace limpet::pipeline_test
