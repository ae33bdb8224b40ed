// What comes in may be missing, late, repeated, out of order, stamped wrongly, or no number at all.
// The healthy are then never flagged, nothing is made up, and no number that leaves is none.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/publish/metrics.h"
#include "exporter/common/exposition/writer.h"

namespace limpet::bad_input_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::int64_t kStart = 1'700'000'000 / 64 * 64;

UnixTime At(double second) {
  return UnixFromMilliseconds(kStart * 1000 + std::llround(second * 1000));
}

PipelineConfig Config(PresetSettings preset = DefaultPreset()) {
  PipelineConfig config;
  config.presets = {std::move(preset)};
  config.groups = {{.name = "disks"}, {.name = "lan", .kind = GroupKind::kNetwork}};
  return config;
}

// Five servers that do 60 requests a second of about 10 ms; `limps` does them in 90.
class Cluster {
 public:
  explicit Cluster(PipelineConfig config = Config()) : pipeline(std::move(config)) {}

  // The counters of a node at a second, for whoever asks.
  std::string Page(const std::string& node, double second) {
    const bool slow = node == limps && second > onset;
    const double since = slow ? second - onset : 0;
    const double requests = 60 * second;
    const double odd = 0.1 * static_cast<double>(node.back() % 7);
    const double waited = requests * (10 + odd) / 1000 + 60 * since * 0.08;
    const double busy = requests * (5 + odd) / 1000 + 60 * since * 0.02;
    return fmt::format(
        "limpet_disk_reads_completed_total{{device=\"sda\"}} {0}\n"
        "limpet_disk_writes_completed_total{{device=\"sda\"}} 0\n"
        "limpet_disk_read_bytes_total{{device=\"sda\"}} {1}\n"
        "limpet_disk_written_bytes_total{{device=\"sda\"}} 0\n"
        "limpet_disk_read_time_seconds_total{{device=\"sda\"}} {2}\n"
        "limpet_disk_write_time_seconds_total{{device=\"sda\"}} 0\n"
        "limpet_disk_io_time_seconds_total{{device=\"sda\"}} {3}\n"
        "limpet_disk_io_time_weighted_seconds_total{{device=\"sda\"}} {2}\n"
        "limpet_network_receive_bytes_total{{device=\"eth0\"}} {1}\n"
        "limpet_network_receive_packets_total{{device=\"eth0\"}} {0}\n"
        "limpet_network_transmit_bytes_total{{device=\"eth0\"}} {1}\n"
        "limpet_network_transmit_packets_total{{device=\"eth0\"}} {0}\n",
        requests, requests * 65536, waited, busy);
  }
  void Give(const std::string& node, UnixTime at, const std::string& page) {
    const auto stats =
        pipeline.Ingest({.source = node, .node = node, .role = "io", .at = at, .text = page});
    EXPECT_TRUE(stats) << stats.error().Text();
    late += stats ? stats->late : 0;
    refused += stats ? stats->refused : 0;
  }
  // Seconds [from, to) of all nodes; `give` may do something else for a node and second.
  using Instead = std::function<bool(const std::string& node, int second)>;
  void Run(int from, int to, const Instead& instead = nullptr) {
    for (int second = from; second < to; ++second) {
      for (const auto& node : nodes) {
        if (!instead || !instead(node, second)) {
          Give(node, At(second), Page(node, second));
        }
      }
      Take(pipeline.Advance(At(second)));
    }
  }
  void Take(const std::vector<Event>& events) {
    for (const auto& event : events) {
      const auto line = ToJsonLine(event);
      EXPECT_THAT(line, Not(HasSubstr("nan")));
      EXPECT_THAT(line, Not(HasSubstr(":inf")));
      lines.push_back(line);
      if (const auto* window = std::get_if<WindowEvent>(&event)) {
        ends.insert(window->end);
        for (const auto& component : window->components) {
          if (component.flagged) {
            flagged.insert(component.component + " " + window->metric);
          }
        }
      } else if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
        named.insert(verdict->node);
        if (!verdict->secondary) {
          indicted.insert(verdict->node);
        }
      }
    }
    const auto page = Render(VerdictFamilies(pipeline.View(), {}), Format::kText);
    EXPECT_THAT(page, Not(HasSubstr("NaN")));
    EXPECT_THAT(page, Not(HasSubstr("Inf")));
  }

  Pipeline pipeline;
  std::vector<std::string> nodes = {"a", "b", "c", "d", "e"};
  std::string limps;
  double onset = 0;
  std::size_t late = 0;
  std::size_t refused = 0;
  std::vector<std::string> lines;
  std::set<UnixTime> ends;
  std::set<std::string> flagged;
  std::set<std::string> named;
  std::set<std::string> indicted;
};

TEST(BadInput, MissingReadingsAreNoZeros) {
  Cluster cluster;
  std::mt19937 random(1);
  cluster.Run(0, 600, [&](const auto&, int) { return random() % 4 == 0; });
  EXPECT_THAT(cluster.flagged, IsEmpty());
  Cluster limping;
  limping.limps = "c";
  limping.Run(0, 600, [&](const auto&, int) { return random() % 4 == 0; });
  EXPECT_THAT(limping.indicted, Contains("c"));
  EXPECT_EQ(limping.named.size(), 1U);
}

TEST(BadInput, AMissingReadingLosesNoWork) {
  // A second without a page: its work is in the next one, so both give the same windows' means.
  Cluster whole;
  Cluster holed;
  whole.limps = holed.limps = "c";
  whole.Run(0, 400);
  holed.Run(0, 400, [](const auto& node, int second) { return node == "b" && second % 3 == 1; });
  EXPECT_EQ(whole.flagged, holed.flagged);
  EXPECT_EQ(whole.ends, holed.ends);
}

TEST(BadInput, RepeatedReadingsCountOnce) {
  Cluster once;
  Cluster twice;
  once.limps = twice.limps = "c";
  once.Run(0, 400);
  twice.Run(0, 400, [&](const auto& node, int second) {
    for (int i = 0; i < 3; ++i) {
      twice.Give(node, At(second), twice.Page(node, second));
    }
    return true;
  });
  EXPECT_EQ(once.lines, twice.lines);
  EXPECT_GT(twice.late, 0U);
}

TEST(BadInput, ReadingsOutOfOrderAreLeftOut) {
  Cluster ordered;
  Cluster mixed;
  ordered.limps = mixed.limps = "c";
  // The late one (two seconds old) carries nothing that the next does not.
  const auto skip = [](const auto& node, int second) { return node == "d" && second % 5 == 2; };
  ordered.Run(0, 400, skip);
  mixed.Run(0, 400, [&](const auto& node, int second) {
    if (node == "d" && second % 5 == 4) {
      mixed.Give(node, At(second), mixed.Page(node, second));
      mixed.Give(node, At(second - 2), mixed.Page(node, second - 2));
      return true;
    }
    return skip(node, second);
  });
  EXPECT_EQ(ordered.lines, mixed.lines);
  EXPECT_GT(mixed.late, 0U);
}

TEST(BadInput, ReadingsLaterThanTheirWindowChangeNothing) {
  Cluster cluster;
  cluster.Run(0, 300);
  const auto before = cluster.lines.size();
  for (int second = 100; second < 200; ++second) {
    cluster.Give("a", At(second), cluster.Page("b", second));
  }
  cluster.Take(cluster.pipeline.Advance(At(300)));
  EXPECT_EQ(cluster.lines.size(), before);
  EXPECT_EQ(cluster.late, 100U * 12U);
}

TEST(BadInput, AResetIsNoFault) {
  Cluster cluster;
  std::map<std::string, double> booted;
  cluster.Run(0, 900, [&](const auto& node, int second) {
    if (second > 0 && (second + 37 * node.back()) % 150 == 0) {
      booted[node] = second - 0.5;
    }
    cluster.Give(node, At(second), cluster.Page(node, second - booted[node]));
    return true;
  });
  EXPECT_THAT(cluster.flagged, IsEmpty());
  EXPECT_GT(cluster.pipeline.View().counters.resets, 0U);
}

TEST(BadInput, WhatIsNoNumberIsRefusedAndTheRestIsUsed) {
  Cluster cluster;
  cluster.limps = "c";
  const char* values[] = {"NaN", "+Inf", "-Inf", "1e308", "-1", "-0.5"};
  cluster.Run(0, 400, [&](const auto& node, int second) {
    const std::string bad = values[static_cast<std::size_t>(second) % std::size(values)];
    if (node == "b") {
      cluster.Give(node, At(second),
                   cluster.Page(node, second) + "limpet_disk_read_bytes_total{device=\"sdb\"} " +
                       bad + "\nlimpet_disk_io_time_seconds_total{device=\"sdb\"} " + bad + "\n");
      return true;
    }
    if (node == "d" && second % 2 == 0) {
      std::string page = cluster.Page(node, second);
      const auto at = page.find(' ') + 1;
      page.replace(at, page.find('\n') - at, bad);
      cluster.Give(node, At(second), page);
      return true;
    }
    return false;
  });
  EXPECT_EQ(cluster.refused, 400U * 2U + 200U);
  EXPECT_THAT(cluster.indicted, Contains("c"));
  EXPECT_EQ(cluster.named.size(), 1U);
}

TEST(BadInput, HugeReadingsStayFinite) {
  for (const auto& preset : {DefaultPreset(), TestbenchPreset(), ProductionPreset()}) {
    auto quick = preset;
    quick.step = std::chrono::seconds(1);
    Cluster cluster(Config(quick));
    std::mt19937 random(3);
    cluster.Run(0, 200, [&](const auto& node, int second) {
      std::string page;
      for (const char* name :
           {"disk_reads_completed_total{device=\"sda\"}",
            "disk_writes_completed_total{device=\"sda\"}", "disk_read_bytes_total{device=\"sda\"}",
            "disk_written_bytes_total{device=\"sda\"}",
            "disk_read_time_seconds_total{device=\"sda\"}",
            "disk_write_time_seconds_total{device=\"sda\"}",
            "disk_io_time_seconds_total{device=\"sda\"}",
            "disk_io_time_weighted_seconds_total{device=\"sda\"}",
            "network_receive_bytes_total{device=\"e\"}"}) {
        page += fmt::format("limpet_{} {}\n", name, std::pow(10.0, random() % 291));
      }
      cluster.Give(node, At(second), page);
      return true;
    });
    // No machine counts that fast, so nothing is made of it.
    EXPECT_THAT(cluster.named, IsEmpty());
  }
}

TEST(BadInput, FewerThanThreeSayNothing) {
  for (const std::size_t n : {0U, 1U, 2U}) {
    Cluster cluster;
    cluster.nodes.resize(n);
    cluster.limps = "a";
    cluster.Run(0, 400);
    EXPECT_THAT(cluster.flagged, IsEmpty());
    EXPECT_THAT(cluster.named, IsEmpty());
    EXPECT_EQ(cluster.lines.empty(), n == 0);
    for (const auto& line : cluster.lines) {
      EXPECT_THAT(line, HasSubstr("\"undetermined\":true"));
    }
  }
}

// Four servers of which two vanish: the filter still remembers whom the windows before flagged, but
// a window of two says nothing, so nobody is named by it (algorithms.md §4.1).
TEST(BadInput, AWindowWithoutEnoughPeersGivesNoVerdict) {
  for (auto preset : {DefaultPreset(), TestbenchPreset()}) {
    preset.hog_direction = false;
    Cluster cluster(Config(preset));
    cluster.nodes = {"a", "b", "c", "d"};
    cluster.limps = "c";
    cluster.Run(0, 700);
    EXPECT_THAT(cluster.named, Contains("c")) << preset.name;
    cluster.Run(700, 1100,
                [](const auto& node, int second) { return second >= 700 && node < "c"; });
    std::set<std::string> undetermined;
    for (const auto& line : cluster.lines) {
      const auto end = line.substr(0, line.find(",\"preset"));
      if (line.find("\"undetermined\":true") != std::string::npos) {
        undetermined.insert(end.substr(end.find("\"end\"")));
      }
    }
    ASSERT_THAT(undetermined, Not(IsEmpty())) << preset.name;
    for (const auto& line : cluster.lines) {
      const auto end = line.substr(0, line.find(",\"preset"));
      if (line.find("\"type\":\"verdict\"") != std::string::npos) {
        EXPECT_FALSE(undetermined.contains(end.substr(end.find("\"end\"")))) << line;
      }
    }
  }
}

// That its verdict stops is not that it has recovered: two peers are not enough to tell.
TEST(BadInput, AnIncidentStaysOpenAsUnknownWhilePeersAreTooFew) {
  Cluster cluster;
  cluster.nodes = {"a", "b", "c", "d"};
  cluster.limps = "c";
  cluster.Run(0, 700);
  const auto silent = [](const auto& node, int second) { return second < 1100 && node < "c"; };
  cluster.Run(700, 1100, silent);
  EXPECT_THAT(cluster.lines.back(), HasSubstr("\"type\":\"unknown\""));
  EXPECT_THAT(cluster.lines.back(), HasSubstr("\"reason\":\"two peers are not enough\""));
  const auto page = Render(VerdictFamilies(cluster.pipeline.View(), {}), Format::kText);
  EXPECT_THAT(page, HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1"));
  EXPECT_THAT(page, HasSubstr("limpet_indicted_unknown{node=\"c\",cause=\"disk-busy\"} 1"));
  // Over a restart, too.
  Pipeline other(Config());
  (void)other.ImportState(cluster.pipeline.ExportState());
  ASSERT_EQ(other.View().unknown.size(), 1U);
  EXPECT_EQ(other.View().unknown[0].n, 2U);
  // The peers are back: the verdict goes on where it stopped.
  cluster.lines.clear();
  cluster.Run(1100, 1400);
  EXPECT_THAT(cluster.lines.back(), HasSubstr("\"type\":\"verdict\""));
  EXPECT_TRUE(cluster.pipeline.View().unknown.empty());
}

// Nor that it was silent for a moment, while its peers are compared.
TEST(BadInput, AServerThatIsNotComparedItselfStaysNamed) {
  for (const int lasts : {20, 100, 300}) {
    Cluster cluster;
    cluster.limps = "c";
    cluster.Run(0, 700);
    cluster.lines.clear();
    cluster.Run(700, 1200,
                [&](const auto& node, int second) { return node == "c" && second < 700 + lasts; });
    std::set<std::string> ends;
    std::set<std::string> named;
    for (const auto& line : cluster.lines) {
      const auto end = line.substr(line.find("\"end\""), 30);
      ends.insert(end);
      if (line.find("\"node\":\"c\"") != std::string::npos) {
        named.insert(end);
      }
    }
    EXPECT_EQ(named, ends) << lasts;
    EXPECT_THAT(cluster.lines, Contains(HasSubstr("\"reason\":\"it has too few readings\"")));
    EXPECT_THAT(cluster.lines.back(), HasSubstr("\"type\":\"verdict\""));
  }
}

TEST(BadInput, AllEqualAndAllZeroAreHealthy) {
  for (const auto& preset : {DefaultPreset(), TestbenchPreset(), ProductionPreset()}) {
    auto quick = preset;
    quick.step = std::chrono::seconds(1);
    for (const bool zero : {false, true}) {
      Cluster cluster(Config(quick));
      cluster.Run(0, 400, [&](const auto& node, int second) {
        cluster.Give(node, At(second), cluster.Page("a", zero ? 0 : second));
        return true;
      });
      EXPECT_THAT(cluster.flagged, IsEmpty()) << preset.name;
      EXPECT_THAT(cluster.lines, Not(IsEmpty()));
    }
  }
}

TEST(BadInput, AComponentThatComesAndGoesIsNotFlagged) {
  Cluster cluster;
  cluster.limps = "c";
  cluster.Run(0, 1200,
              [](const auto& node, int second) { return node == "b" && second / 90 % 2 == 1; });
  EXPECT_THAT(cluster.indicted, Contains("c"));
  EXPECT_EQ(cluster.named.size(), 1U);
  // It takes no part in the windows that it misses too much of.
  std::size_t with = 0;
  std::size_t without = 0;
  for (const auto& line : cluster.lines) {
    if (line.find("\"metric\":\"await\"") != std::string::npos) {
      (line.find("\"b/sda\"") != std::string::npos ? with : without) += 1;
    }
  }
  EXPECT_GT(with, 0U);
  EXPECT_GT(without, 0U);
}

TEST(BadInput, ThresholdsOfComponentsThatDoNotExistChangeNothing) {
  auto config = Config(TestbenchPreset());
  Thresholds thresholds{.preset = "testbench"};
  for (const char* name : {"a/sda", "b/sda", "c/sda", "d/sda", "e/sda"}) {
    thresholds.components["disks"]["await"][name] = 1;
  }
  config.thresholds = {thresholds};
  Cluster known(config);
  config.thresholds[0].components["disks"]["await"]["nobody/sdx"] = 1;
  config.thresholds[0].components["gone"]["await"]["a/sda"] = 0.001;
  config.thresholds[0].components["disks"]["no such metric"]["a/sda"] = 0.001;
  EXPECT_THAT(CheckPipelineConfig(config), IsEmpty());
  Cluster more(config);
  known.limps = more.limps = "c";
  known.Run(0, 500);
  more.Run(0, 500);
  EXPECT_EQ(known.lines, more.lines);
  EXPECT_THAT(known.flagged, Contains("c/sda await"));
}

TEST(BadInput, ThresholdsOfAnotherPresetAreRefusedAndWhy) {
  auto config = Config();
  config.thresholds = {{.preset = "testbench"}};
  EXPECT_THAT(CheckPipelineConfig(config),
              Contains("thresholds: trained for preset \"testbench\", which is not configured"));
}

// One node's clock, or everybody's, steps by minutes, in both directions, and back.
TEST(BadInput, ClockStepsOfMinutesFlagNobody) {
  for (const int step : {-600, -120, -20, 20, 120, 600}) {
    for (const bool everybody : {false, true}) {
      Cluster cluster;
      const auto shift = [&](const std::string& node, int second) {
        const bool off = (everybody || node == "b") && second >= 300 && second < 900;
        return off ? step : 0;
      };
      for (int second = 0; second < 1700; ++second) {
        for (const auto& node : cluster.nodes) {
          cluster.Give(node, At(second + shift(node, second)), cluster.Page(node, second));
        }
        cluster.Take(cluster.pipeline.Advance(At(second + (everybody ? shift("b", second) : 0))));
      }
      EXPECT_THAT(cluster.flagged, IsEmpty()) << step << (everybody ? " all" : " one");
      EXPECT_GT(*cluster.ends.rbegin(), At(1600)) << step << (everybody ? " all" : " one");
    }
  }
}

TEST(BadInput, WorkDoneWhileAClockWasBehindIsNoBurst) {
  // Two minutes behind, then right again: the first reading after that holds two minutes of work.
  Cluster cluster;
  std::vector<double> largest;
  for (int second = 0; second < 700; ++second) {
    for (const auto& node : cluster.nodes) {
      const int off = node == "b" && second >= 200 && second < 400 ? -120 : 0;
      cluster.Give(node, At(second + off), cluster.Page(node, second));
    }
    for (const auto& event : cluster.pipeline.Advance(At(second))) {
      const auto* window = std::get_if<WindowEvent>(&event);
      if (window != nullptr && window->metric == "tps" && window->hi) {
        largest.push_back(*window->hi);
      }
    }
  }
  ASSERT_THAT(largest, Not(IsEmpty()));
  EXPECT_NEAR(*std::max_element(largest.begin(), largest.end()), 60, 1);
}

// A step fault is flagged half a window after its onset, and k - 1 shifts.
TEST(BadInput, NothingOfThisDelaysAStepFault) {
  Cluster cluster;
  cluster.limps = "c";
  cluster.onset = 320;
  std::mt19937 random(5);
  std::optional<UnixTime> first;
  for (int second = 0; second < 600 && !first; ++second) {
    for (const auto& node : cluster.nodes) {
      if (random() % 10 == 0) {
        continue;
      }
      cluster.Give(node, At(second), cluster.Page(node, second));
      cluster.Give(node, At(second), cluster.Page(node, second));
    }
    for (const auto& event : cluster.pipeline.Advance(At(second))) {
      if (const auto* verdict = std::get_if<VerdictEvent>(&event); verdict != nullptr && !first) {
        EXPECT_EQ(verdict->node, "c");
        first = verdict->end;
      }
    }
  }
  ASSERT_TRUE(first);
  EXPECT_LE(*first, At(320 + 96));
  EXPECT_GE(*first, At(320 + 64));
}

}  // namespace
}  // namespace limpet::bad_input_test
