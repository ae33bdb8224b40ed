// Scraped live or replayed from a recording, the same readings give the same events, byte for byte.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "diagnoser/config/config.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/runtime/monitor.h"
#include "diagnoser/runtime/replay.h"
#include "diagnoser/runtime/workers.h"
#include "diagnoser/sources/scraper.h"
#include "tests/support/fake_fetcher.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temp_folder.h"

namespace limpet::serve_is_replay_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;
using namespace std::chrono_literals;

DiagnoserConfig Config(const std::string& presets) {
  return *ParseDiagnoserConfig(presets +
                                   "peer_groups:\n"
                                   "  - {name: disks, kind: storage, roles: [server]}\n"
                                   "  - {name: lan, kind: network, roles: [server]}\n"
                                   "  - {name: tcp, kind: cwnd, roles: [server], ports: [24007]}\n"
                                   "targets:\n"
                                   "  - {addresses: [a, b, c, d, e], interval: 1s}\n",
                               "test.yml", [](const std::string& path) {
                                 return Result<std::string>(Error{ErrorCode::kNotFound, "", path});
                               });
}

// What the exporters count; each page is also written down as a recording has it.
class Fleet {
 public:
  explicit Fleet(testing::ManualClock& clock) : clock_(clock) {}

  // A page with the instant it was read at on every line, some of it a little old.
  FetchResult Answer(const std::string& node) {
    const auto second = static_cast<int>((clock_.Now() - start_) / 1s);
    if ((node == "d" && second > 200 && second < 220) || random_() % 40 == 0) {
      return {.failure = FetchFailure::kTimeout, .error = "no answer"};
    }
    const auto at = clock_.Now() - std::chrono::milliseconds(random_() % 400);
    auto& one = nodes_[node];
    std::uniform_real_distribution<double> chance(0.9, 1.1);
    const double passed = one.at == UnixTime() ? 1 : ToSeconds(at - one.at);
    if (passed <= 0) {
      return {.failure = FetchFailure::kTimeout, .error = "no answer"};
    }
    one.at = at;
    const bool limps = node == "c" && second > 150;
    const double requests = 60 * passed * chance(random_);
    one.requests += requests;
    one.waited += requests * (limps ? 0.09 : 0.01) * chance(random_);
    one.busy += requests * (limps ? 0.03 : 0.005) * chance(random_);
    one.bytes += 3e6 * passed * chance(random_);
    FetchResult result;
    const auto line = [&](const std::string& name, std::string labels, double value) {
      const auto ms = std::chrono::floor<std::chrono::milliseconds>(at).time_since_epoch().count();
      result.body += fmt::format("limpet_{}{{{}}} {} {}\n", name, labels, value, ms);
      recording += fmt::format("limpet_{}{{{},instance=\"{}\",role=\"server\"}} {} {}.{:03}\n",
                               name, labels, node, value, ms / 1000, ms % 1000);
    };
    // Idle and busy in turns; the limping one is always busy.
    one.user += (limps || second % 20 < 8 ? 0.5 : 0.05) * passed;
    line("cpu_seconds_total", "mode=\"user\"", one.user);
    line("cpu_seconds_total", "mode=\"system\"", 0);
    line("cpu_seconds_total", "mode=\"iowait\"", 0);
    const std::string disk = "device=\"sda\"";
    line("disk_reads_completed_total", disk, one.requests);
    line("disk_writes_completed_total", disk, 0);
    line("disk_read_bytes_total", disk, one.requests * 65536);
    line("disk_written_bytes_total", disk, 0);
    line("disk_read_time_seconds_total", disk, one.waited);
    line("disk_write_time_seconds_total", disk, 0);
    line("disk_io_time_seconds_total", disk, one.busy);
    line("disk_io_time_weighted_seconds_total", disk, one.waited);
    for (const char* device : {"device=\"eth1\"", "device=\"eth0\""}) {
      line("network_receive_bytes_total", device, one.bytes / 3);
      line("network_receive_packets_total", device, one.bytes / 1500);
      line("network_transmit_bytes_total", device, one.bytes / 7);
      line("network_transmit_packets_total", device, one.bytes / 3000);
    }
    for (int client = 0; client < 3; ++client) {
      const auto socket = fmt::format(
          "local_address=\"10.0.0.{}\",local_port=\"24007\",remote_address=\"10.0.1.{}\","
          "remote_port=\"{}\"",
          node, client, 1000 + client);
      line("tcp_cwnd_segments", socket, static_cast<double>(limps ? 2 : 8 + random_() % 5));
      line("tcp_bytes_acked_total", socket, one.bytes);
    }
    return result;
  }

  std::string recording;

 private:
  struct Node {
    UnixTime at;
    double requests = 0, waited = 0, busy = 0, bytes = 0, user = 0;
  };
  testing::ManualClock& clock_;
  UnixTime start_ = clock_.Now();
  std::map<std::string, Node> nodes_;
  std::mt19937 random_{9};
};

struct Both {
  std::vector<std::string> live;
  std::vector<std::string> replayed;
};

Both Play(const std::string& presets, int seconds,
          const std::optional<ProfilePlan>& profiles = std::nullopt) {
  testing::ManualClock clock;
  SelfMetrics metrics(clock.Now());
  Both lines;
  auto config = Config(presets);
  config.pipeline.profiles = profiles;
  Monitor monitor(
      config, config, PipelineState{}, clock, metrics, [](LogLevel, std::string_view) {},
      [&](const std::vector<Event>& events) {
        for (const auto& event : events) {
          lines.live.push_back(ToJsonLine(event));
        }
      });
  Workers workers(2);  // the replay below has none
  monitor.WorkBy(workers.HandsOut());
  Fleet fleet(clock);
  testing::FakeFetcher fetcher(clock);
  for (const auto& target : config.targets) {
    fetcher.answers[target.node] = [&fleet, node = target.node] { return fleet.Answer(node); };
  }
  Scraper scraper(fetcher, clock, [&](FetchedPage page) { monitor.Ingest(page); });
  std::vector<TargetPtr> targets;
  for (const auto& target : config.targets) {
    targets.push_back(std::make_shared<const Target>(target));
  }
  scraper.SetTargets(targets);
  for (int second = 0; second < seconds; ++second) {
    fetcher.Run(1s);
    (void)monitor.Tick();
  }
  fetcher.answers.clear();  // everybody is gone; what was read is judged to its end
  for (int second = 0; second < 120; ++second) {
    clock.Advance(1s);
    (void)monitor.Tick();
  }
  const testing::TempFolder folder;
  const auto path = folder.Write("all.om", fleet.recording + "# EOF\n");
  const auto report = Replay(
      config.pipeline, {path},
      [&](const Event& event) {
        if (!std::holds_alternative<SummaryEvent>(event)) {
          lines.replayed.push_back(ToJsonLine(event));
        }
      },
      [](LogLevel, std::string_view text) { ADD_FAILURE() << text; });
  EXPECT_TRUE(report);
  return lines;
}

TEST(ServeIsReplay, ByteForByte) {
  const auto lines = Play("preset: bare\n", 500);
  EXPECT_THAT(lines.live, SizeIs(::testing::Gt(150U)));
  EXPECT_TRUE(std::any_of(lines.live.begin(), lines.live.end(), [](const std::string& line) {
    return line.find("\"type\":\"verdict\"") != std::string::npos;
  }));
  EXPECT_THAT(lines.live, ElementsAreArray(lines.replayed));
}

TEST(ServeIsReplay, SeveralPresetsOfOneShiftByteForByte) {
  const auto lines = Play(
      "presets:\n  - {base: bare}\n"
      "  - {base: testbench}\n"
      "  - {base: bare, name: quick, smoothing: 2, window: 20, shift: 16, k: 2}\n",
      400);
  EXPECT_THAT(lines.live, ElementsAreArray(lines.replayed));
}

TEST(ServeIsReplay, WithBehaviourProfilesByteForByte) {
  const auto lines = Play("preset: bare\n", 400,
                          ProfilePlan{.model = {.metrics = {HostMetric::kUser},
                                                .sigma = {1},
                                                .profiles = {{.mean = {1.8}, .covariance = {0.05}},
                                                             {.mean = {4}, .covariance = {0.05}}},
                                                .threshold = 0.3},
                                      .roles = {"server"}});
  EXPECT_THAT(lines.live, Contains(HasSubstr("\"indicted\":true")));
  EXPECT_THAT(lines.live, ElementsAreArray(lines.replayed));
}

// Live, a preset that waits for a late target holds up neither the others nor the seconds of the
// congestion windows; a replay keeps one order of all.
TEST(ServeIsReplay, PresetsOfSeveralStepsInTheOrderOfEach) {
  const auto lines = Play(
      "presets:\n  - {base: bare, cwnd_events: true}\n"
      "  - {base: default-15s, window: 8, shift: 4, smoothing: 2}\n",
      700);
  EXPECT_THAT(lines.live, UnorderedElementsAreArray(lines.replayed));
  for (const std::string preset : {"\"bare\"", "\"default-15s\""}) {
    const auto of_preset = [&](std::vector<std::string> all) {
      std::erase_if(all, [&](const std::string& line) {
        return line.find("\"preset\":" + preset) == std::string::npos;
      });
      return all;
    };
    EXPECT_EQ(of_preset(lines.live), of_preset(lines.replayed)) << preset;
  }
}

}  // namespace
}  // namespace limpet::serve_is_replay_test
