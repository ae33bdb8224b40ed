// A restart is a gap in the data and nothing else: what a pipeline says that was killed, and went
// on from an older state, is what one says that was never given the pages in between.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "diagnoser/detect/time_scales.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/state/codec.h"

namespace limpet::restart_test {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::int64_t kStart = 1'700'000'000;
constexpr int kNodes = 5;

UnixTime At(double second) {
  return UnixFromMilliseconds(kStart * 1000 + std::llround(second * 1000));
}

PipelineConfig Config() {
  auto quick = DefaultPreset();
  quick.name = "quick";
  quick.window = 10;
  quick.smoothing = 2;
  quick.shift = 5;
  quick.cwnd_events = true;
  auto histogram = TestbenchPreset();
  histogram.step = std::chrono::seconds(2);
  histogram.window = 12;
  histogram.shift = 6;
  histogram.k = 2;
  PipelineConfig config;
  quick.balance = true;
  quick.service_time = ServiceTime::kDevice;
  auto scale = ScalePreset(quick, "quicker");
  scale.window = 6;
  scale.shift = 2;
  scale.threshold_factor = 2;
  config.presets = {quick, scale, histogram};
  config.groups = {{.name = "disks", .roles = {"io"}},
                   {.name = "lan", .kind = GroupKind::kNetwork, .roles = {"io"}},
                   {.name = "tcp", .kind = GroupKind::kCwnd, .roles = {"io"}, .ports = {24007}}};
  // Idle and busy, by user time and load.
  config.profiles =
      ProfilePlan{.model = {.metrics = {HostMetric::kUser, HostMetric::kLoad1},
                            .sigma = {1, 1},
                            .profiles = {{.mean = {1.8, 0.4}, .covariance = {0.05, 0, 0, 0.05}},
                                         {.mean = {4, 1.4}, .covariance = {0.05, 0, 0, 0.05}}},
                            .threshold = 0.3},
                  .roles = {"io"}};
  return config;
}

// Counters of five servers that do the same but for a disturbance; the last one limps for a while.
class Cluster {
 public:
  explicit Cluster(unsigned seed) : random_(seed) {}

  std::string Page(int node, double second) {
    auto& one = nodes_[static_cast<std::size_t>(node)];
    const double passed = second - one.at;
    one.at = second;
    const bool limps = node == 4 && second > 60;
    std::uniform_real_distribution<double> chance(0.9, 1.1);
    if (node == 1 && second > 80 && !restarted_) {
      // Its exporter starts anew: what it had added to the kernel's milliseconds is gone.
      restarted_ = true;
      one.waited = 1;
      one.busy = 1;
    }
    const double requests = 60 * passed * chance(random_);
    one.requests += requests;
    one.waited += requests * (limps ? 0.09 : 0.01) * chance(random_);
    one.busy += requests * (limps ? 0.03 : 0.005) * chance(random_);
    one.received += 4e6 * passed * chance(random_);
    auto page = fmt::format(
        "limpet_disk_reads_completed_total{{device=\"sda\"}} {0}\n"
        "limpet_disk_writes_completed_total{{device=\"sda\"}} 0\n"
        "limpet_disk_read_bytes_total{{device=\"sda\"}} {1}\n"
        "limpet_disk_written_bytes_total{{device=\"sda\"}} 0\n"
        "limpet_disk_read_time_seconds_total{{device=\"sda\"}} {2}\n"
        "limpet_disk_write_time_seconds_total{{device=\"sda\"}} 0\n"
        "limpet_disk_io_time_seconds_total{{device=\"sda\"}} {3}\n"
        "limpet_disk_io_time_weighted_seconds_total{{device=\"sda\"}} {2}\n"
        "limpet_disk_info{{device=\"sda\",wwn=\"naa.{4}\",rotational=\"1\",model=\"m\"}} 1\n",
        one.requests, one.requests * 65536, one.waited, one.busy, node);
    page +=
        fmt::format("limpet_exporter_start_time_seconds {}\n", node == 1 && restarted_ ? 80 : 1);
    for (const char* device : {"eth0", "eth1"}) {
      page += fmt::format(
          "limpet_network_receive_bytes_total{{device=\"{0}\"}} {1}\n"
          "limpet_network_receive_packets_total{{device=\"{0}\"}} {2}\n"
          "limpet_network_transmit_bytes_total{{device=\"{0}\"}} {1}\n"
          "limpet_network_transmit_packets_total{{device=\"{0}\"}} {2}\n",
          device, one.received, one.received / 1500);
    }
    const double busy = limps || std::fmod(second, 20) < 8 ? 0.5 : 0.05;
    one.user += busy * passed;
    page += fmt::format(
        "limpet_cpu_seconds_total{{mode=\"user\"}} {}\n"
        "limpet_cpu_seconds_total{{mode=\"system\"}} 0\n"
        "limpet_cpu_seconds_total{{mode=\"iowait\"}} 0\n"
        "limpet_load1 {}\n",
        one.user, busy > 0.1 ? 3 : 0.5);
    for (int client = 0; client < 2; ++client) {
      page += fmt::format(
          "limpet_tcp_cwnd_segments{{local_address=\"10.0.0.{0}\",local_port=\"24007\","
          "remote_address=\"10.0.1.{1}\",remote_port=\"1000\"}} {2}\n"
          "limpet_tcp_bytes_acked_total{{local_address=\"10.0.0.{0}\",local_port=\"24007\","
          "remote_address=\"10.0.1.{1}\",remote_port=\"1000\"}} {3}\n",
          node, client, limps ? 2 : 10 + node, one.received);
    }
    return page;
  }

 private:
  struct Node {
    double at = 0, requests = 0, waited = 0, busy = 0, received = 0, user = 0;
  };
  bool restarted_ = false;
  std::array<Node, kNodes> nodes_;
  std::mt19937 random_;
};

// Every page of every node, with its instant.
struct OnePage {
  double second;
  int node;
  std::string text;
};
std::vector<OnePage> PagesOf(unsigned seed, int seconds) {
  Cluster cluster(seed);
  std::vector<OnePage> pages;
  for (int second = 0; second < seconds; ++second) {
    for (int node = 0; node < kNodes; ++node) {
      const double at = second + 0.03 * node;
      pages.push_back({at, node, cluster.Page(node, at)});
    }
  }
  return pages;
}

std::vector<std::string> Lines(const std::vector<Event>& events) {
  std::vector<std::string> lines;
  for (const auto& event : events) {
    lines.push_back(ToJsonLine(event));
  }
  return lines;
}

void Feed(Pipeline& pipeline, const OnePage& page, std::vector<std::string>& lines) {
  const auto node = "n" + std::to_string(page.node);
  ASSERT_TRUE(pipeline.Ingest(
      {.source = node, .node = node, .role = "io", .at = At(page.second), .text = page.text}));
  for (auto& line : Lines(pipeline.Advance(At(page.second - 0.5)))) {
    lines.push_back(std::move(line));
  }
}

Pipeline Restarted(Pipeline& killed) {
  const auto decoded = DecodeState(EncodeState(killed.ExportState(), Config()), Config());
  EXPECT_TRUE(decoded);
  EXPECT_THAT(decoded->ignored, IsEmpty());
  Pipeline next(Config());
  EXPECT_EQ(next.ImportState(decoded->state), 0U);
  EXPECT_EQ(next.ExportState().writes, killed.ExportState().writes);
  return next;
}

TEST(Restart, IsAGapInTheDataAndNothingElse) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 40; ++round) {
    const auto pages = PagesOf(round, 160);
    const auto saved = 20 + random() % (pages.size() - 60);
    const auto back = std::min(pages.size() - 1, saved + random() % 120);
    Pipeline whole(Config());
    Pipeline first(Config());
    std::vector<std::string> expected;
    std::vector<std::string> found;
    for (std::size_t i = 0; i < saved; ++i) {
      Feed(whole, pages[i], expected);
      Feed(first, pages[i], found);
    }
    auto second = Restarted(first);
    const auto resumes = At(pages[back].second - 0.5);
    for (auto& line : Lines(whole.Advance(resumes))) {
      expected.push_back(std::move(line));
    }
    for (auto& line : Lines(second.Advance(resumes))) {
      found.push_back(std::move(line));
    }
    for (std::size_t i = back; i < pages.size(); ++i) {
      Feed(whole, pages[i], expected);
      Feed(second, pages[i], found);
    }
    ASSERT_THAT(expected, Not(IsEmpty()));
    ASSERT_THAT(found, ElementsAreArray(expected))
        << "saved after page " << saved << ", back at " << back;
  }
}

TEST(Restart, WhoWasIndictedStaysSoUntilTheNextWindow) {
  const auto pages = PagesOf(1, 130);
  Pipeline first(Config());
  std::vector<std::string> lines;
  for (const auto& page : pages) {
    Feed(first, page, lines);
  }
  const auto before = first.View();
  const auto after = Restarted(first).View();
  ASSERT_EQ(before.verdicts.size(), 2U);  // one a preset
  ASSERT_EQ(after.verdicts.size(), 2U);
  for (std::size_t i = 0; i < before.verdicts.size(); ++i) {
    EXPECT_EQ(ToJsonLine(after.verdicts[i]), ToJsonLine(before.verdicts[i]));
  }
  ASSERT_EQ(after.components.size(), before.components.size());
  for (std::size_t i = 0; i < before.components.size(); ++i) {
    EXPECT_EQ(after.components[i].flagged, before.components[i].flagged);
    EXPECT_EQ(after.components[i].degree, before.components[i].degree);
    EXPECT_EQ(after.components[i].accumulator, before.components[i].accumulator);
  }
}

TEST(Restart, OtherSettingsOfOnePresetKeepTheDataOfTheOther) {
  const auto pages = PagesOf(2, 100);
  Pipeline first(Config());
  std::vector<std::string> lines;
  for (const auto& page : pages) {
    Feed(first, page, lines);
  }
  auto changed = Config();
  changed.presets[0].window = 8;
  const auto decoded = DecodeState(EncodeState(first.ExportState(), Config()), changed);
  ASSERT_TRUE(decoded);
  ASSERT_THAT(decoded->state.entities, Not(IsEmpty()));
  for (const auto& entity : decoded->state.entities) {
    for (const auto& counter : entity.counters) {
      ASSERT_TRUE(counter);
      EXPECT_FALSE(counter->columns[0]);
      ASSERT_TRUE(counter->columns[1]);
      EXPECT_THAT(counter->columns[1]->values, Not(IsEmpty()));
    }
  }
}

TEST(Restart, AStateOfTheFutureKeepsNobodyFromGoingOnInThePast) {
  const auto pages = PagesOf(3, 130);
  Pipeline first(Config());
  std::vector<std::string> lines;
  for (const auto& page : pages) {
    Feed(first, page, lines);
  }
  const auto rewound = Rewound(first.ExportState(), At(-300), std::chrono::minutes(1));
  Pipeline again(Config());
  EXPECT_EQ(again.ImportState(rewound), 0U);
  std::vector<std::string> found;
  for (const auto& page : PagesOf(3, 60)) {
    Feed(again, {page.second - 300, page.node, page.text}, found);
  }
  EXPECT_THAT(found, Not(IsEmpty()));
}

}  // namespace
}  // namespace limpet::restart_test
