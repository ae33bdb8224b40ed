// Recordings in which numbers and times have become others: nothing crashes, and a time that lies
// far ahead costs no more work than one that does not.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/pipeline/pipeline.h"
#include "exporter/common/instants.h"
#include "tests/support/mutate_numbers.h"
#include "tests/support/property.h"

namespace limpet::odd_numbers_test {
namespace {

constexpr std::int64_t kBegin = 1'700'000'000;
constexpr std::array kNodes = {"a", "b", "c", "d"};

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = DefaultPresets();
  config.presets.push_back(SlowDefaultPreset());
  config.presets.push_back(BarePreset());
  config.groups = {{.name = "disks"},
                   {.name = "lan", .kind = GroupKind::kNetwork},
                   {.name = "tcp", .kind = GroupKind::kCwnd, .ports = {1}}};
  return config;
}

std::string Page(const std::string& node, std::int64_t second) {
  std::string text;
  const auto add = [&](std::string_view name, std::string_view labels, std::int64_t value) {
    text += fmt::format("limpet_{}{{instance=\"{}\",{}}} {} {}.000\n", name, node, labels, value,
                        kBegin + second);
  };
  add("disk_reads_completed_total", "device=\"sda\"", 50 * second);
  add("disk_writes_completed_total", "device=\"sda\"", 0);
  add("disk_read_bytes_total", "device=\"sda\"", 409600 * second);
  add("disk_written_bytes_total", "device=\"sda\"", 0);
  add("disk_read_time_seconds_total", "device=\"sda\"", second);
  add("disk_write_time_seconds_total", "device=\"sda\"", 0);
  add("disk_io_time_seconds_total", "device=\"sda\"", second);
  add("disk_io_time_weighted_seconds_total", "device=\"sda\"", second);
  add("network_receive_bytes_total", "device=\"eth0\"", 1000 * second);
  add("network_transmit_bytes_total", "device=\"eth0\"", 420000 * second);
  add("tcp_cwnd_segments",
      "local_address=\"10.0.0.1\",local_port=\"1\",remote_address=\"10.0.1.1\",remote_port=\"9\"",
      40);
  return text;
}

// The number of events.
std::size_t Play(const std::vector<std::string>& pages) {
  Pipeline pipeline(Config());
  std::size_t events = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto* const node = kNodes[i % kNodes.size()];
    const auto at = UnixFromSeconds(kBegin + static_cast<std::int64_t>(i / kNodes.size()));
    (void)pipeline.Ingest({.source = node,
                           .node = {},
                           .role = {},
                           .labels = {},
                           .at = at,
                           .recording = true,
                           .text = pages[i]});
    if (i % kNodes.size() + 1 == kNodes.size()) {
      events += pipeline.Advance(at).size();
    }
  }
  events += pipeline.Finish().size();
  Pipeline again(Config());
  (void)again.ImportState(pipeline.ExportState());
  return events;
}

std::vector<std::string> Pages(std::int64_t seconds) {
  std::vector<std::string> pages;
  for (std::int64_t second = 0; second < seconds; ++second) {
    for (const auto* const node : kNodes) {
      pages.push_back(Page(node, second));
    }
  }
  return pages;
}

RC_GTEST_PROP(OddNumbers, InAnyLineNeverCrashAndCostNoMoreThanTheirPages, ()) {
  static const auto kWhole = Pages(40);
  static const auto kUsual = Play(kWhole);
  std::mt19937 random(*testing::AnySeed());
  auto pages = kWhole;
  for (int times = 0; times < 6; ++times) {
    auto& page = pages[std::uniform_int_distribution<std::size_t>(0, pages.size() - 1)(random)];
    page = testing::MutateNumber(std::move(page), random);
  }
  RC_ASSERT(Play(pages) <= 4 * kUsual + 100);
}

TEST(OddNumbers, TimesAreTakenUpToTheLatestInstant) {
  const auto stamped = [](std::string_view time) {
    auto pages = Pages(3);
    for (auto& page : pages) {
      const auto from = fmt::format(" {}.000\n", kBegin + 2);
      for (auto at = page.find(from); at != std::string::npos; at = page.find(from)) {
        page.replace(at, from.size(), fmt::format(" {}\n", time));
      }
    }
    return pages;
  };
  for (const auto* const time :
       {"4102444800", "4102444801", "4611686018", "4611686019", "6999999999", "7000000000",
        "9223372036", "9223372037", "253402300799"}) {
    EXPECT_LE(Play(stamped(time)), 200U) << time;
  }
}

TEST(OddNumbers, AClockBeyondTheLatestInstantIsNoReasonToCrash) {
  for (const std::int64_t clock : {-5'000'000'000, 4'611'686'019, 4'733'510'400, 9'000'000'000}) {
    Pipeline pipeline(Config());
    for (std::int64_t second = 0; second < 30; ++second) {
      const auto at = UnixFromSeconds((second < 20 ? kBegin : clock) + second);
      for (const auto* const node : kNodes) {
        (void)pipeline.Ingest({.source = node,
                               .node = node,
                               .role = "server",
                               .labels = {},
                               .at = at,
                               .text = "limpet_disk_reads_completed_total{device=\"sda\"} 1\n"});
      }
      (void)pipeline.Advance(at);
    }
    EXPECT_FALSE(pipeline.Finish().empty()) << clock;
  }
}

}  // namespace
}  // namespace limpet::odd_numbers_test
