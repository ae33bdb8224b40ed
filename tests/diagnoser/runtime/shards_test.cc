// Four shards say together what one diagnoser says, line by line.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "diagnoser/config/config.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/runtime/replay.h"
#include "tests/support/temp_folder.h"

namespace limpet::shards_test {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr int kRacks = 6;
constexpr int kServers = 5;  // of a rack

// Six racks, a file system each: disks of each place and networks are compared within a rack.
std::string ConfigText(const std::string& more) {
  std::string text = "presets: [{base: bare, window: 32, shift: 16, smoothing: 3, k: 2" + more;
  text += "}]\npeer_groups:\n";
  for (int rack = 0; rack < kRacks; ++rack) {
    const auto labels = fmt::format("roles: [server], labels: {{rack: r{}}}", rack);
    text +=
        fmt::format("  - {{name: a{0}, kind: storage, device: \"^sda$\", {1}}}\n", rack, labels);
    text +=
        fmt::format("  - {{name: b{0}, kind: storage, device: \"^sdb$\", {1}}}\n", rack, labels);
    text += fmt::format("  - {{name: n{0}, kind: network, {1}}}\n", rack, labels);
  }
  return text;
}

// Two racks have a limping server at the same time, one of them far worse than the other.
std::string Recording() {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> chance(0.95, 1.05);
  std::map<std::string, double> counters;
  std::string text;
  for (int second = 0; second < 400; ++second) {
    for (int server = 0; server < kRacks * kServers; ++server) {
      const int rack = server / kServers;
      const auto line = [&](const std::string& name, const std::string& device, double rate) {
        const auto series = fmt::format(
            "limpet_{}{{device=\"{}\",instance=\"s{:02}\",role=\"server\",rack=\"r{}\"}}", name,
            device, server, rack);
        auto& counter = counters[series];
        counter += rate * chance(random);
        text +=
            fmt::format("{} {:.6f} {}.0{:02}\n", series, counter, 1'700'000'000 + second, server);
      };
      const double slow = second < 120 ? 1 : server == 1 ? 40 : server == 2 * kServers ? 2.5 : 1;
      for (const std::string disk : {"sda", "sdb"}) {
        const double its = disk == "sda" ? slow : 1;
        line("disk_reads_completed_total", disk, 60);
        line("disk_writes_completed_total", disk, 30);
        line("disk_read_bytes_total", disk, 60 * 65536);
        line("disk_written_bytes_total", disk, 30 * 65536);
        line("disk_read_time_seconds_total", disk, 0.6 * its);
        line("disk_write_time_seconds_total", disk, 0.3 * its);
        line("disk_io_time_seconds_total", disk, 0.5 * its);
        line("disk_io_time_weighted_seconds_total", disk, 0.9 * its);
      }
      line("network_receive_bytes_total", "eth0", 4e7);
      line("network_receive_packets_total", "eth0", 3e4);
      line("network_transmit_bytes_total", "eth0", 6e7);
      line("network_transmit_packets_total", "eth0", 4e4);
    }
  }
  return text + "# EOF\n";
}

std::vector<std::string> EventsOf(const std::string& config_text, const std::string& recording) {
  const auto config = ParseDiagnoserConfig(config_text, "test.yml", [](const std::string& path) {
    return Result<std::string>(Error{ErrorCode::kNotFound, "", path});
  });
  EXPECT_TRUE(config) << config.error().Text();
  std::vector<std::string> lines;
  const auto report = Replay(
      config->pipeline, {recording},
      [&](const Event& event) {
        if (!std::holds_alternative<SummaryEvent>(event)) {
          lines.push_back(ToJsonLine(event));
        }
      },
      [](LogLevel, std::string_view text) { ADD_FAILURE() << text; });
  EXPECT_TRUE(report);
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> Verdicts(std::vector<std::string> lines) {
  std::erase_if(lines, [](const std::string& line) {
    return line.find("\"type\":\"verdict\"") == std::string::npos;
  });
  return lines;
}

std::size_t Secondary(const std::vector<std::string>& lines) {
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
        return line.find("\"secondary\":true") != std::string::npos;
      }));
}

TEST(Shards, FourSayTogetherWhatOneSays) {
  const testing::TempFolder folder;
  const auto recording = folder.Write("all.om", Recording());
  const auto whole = EventsOf(ConfigText(", ranking_scope: peers"), recording);
  std::vector<std::string> together;
  for (int index = 0; index < 4; ++index) {
    const auto mine = EventsOf(
        ConfigText("") + fmt::format("shard: {{index: {}, count: 4}}\n", index), recording);
    EXPECT_LT(mine.size(), whole.size() / 2);
    EXPECT_THAT(mine, SizeIs(::testing::Gt(100U)));
    together.insert(together.end(), mine.begin(), mine.end());
  }
  std::sort(together.begin(), together.end());
  EXPECT_THAT(Verdicts(whole), SizeIs(::testing::Gt(10U)));
  EXPECT_THAT(together, ElementsAreArray(whole));

  // Ranked against all, the milder of the two unrelated ones is called secondary; nothing else
  // differs.
  const auto against_all = EventsOf(ConfigText(""), recording);
  EXPECT_EQ(Secondary(whole), 0U);
  EXPECT_GT(Secondary(against_all), 0U);
  EXPECT_EQ(against_all.size(), whole.size());
  EXPECT_THAT(EventsOf(ConfigText("") + "shard: {index: 0, count: 1}\n", recording),
              ElementsAreArray(whole));
}

}  // namespace
}  // namespace limpet::shards_test
