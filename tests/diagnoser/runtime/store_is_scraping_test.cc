// What a diagnoser says that reads a store is what one says that scrapes the same exporters at the
// same instants, byte for byte; a restart in between changes nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "diagnoser/config/config.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/runtime/monitor.h"
#include "diagnoser/sources/scraper.h"
#include "diagnoser/state/codec.h"
#include "tests/support/fake_fetcher.h"
#include "tests/support/manual_clock.h"

namespace limpet::store_is_scraping_test {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr std::string_view kCommon =
    "presets: [{base: bare, name: quick, step: 5s, smoothing: 2, window: 16, shift: 8, k: 2}]\n"
    "peer_groups:\n"
    "  - {name: disks, kind: storage, roles: [server]}\n"
    "  - {name: lan, kind: network, roles: [server], labels: {rack: r1}}\n";

DiagnoserConfig Config(const std::string& more) {
  return *ParseDiagnoserConfig(std::string(kCommon) + more, "test.yml",
                               [](const std::string& path) {
                                 return Result<std::string>(Error{ErrorCode::kNotFound, "", path});
                               });
}

// Exporters, and a store that has seen every page of theirs.
class World {
 public:
  explicit World(testing::ManualClock& clock) : clock_(clock) {}

  FetchResult Scraped(const std::string& node) {
    const auto second = (clock_.Now() - start_) / 1s;
    if ((node == "d" && second > 300 && second < 360) || random_() % 40 == 0) {
      return {.failure = FetchFailure::kTimeout, .error = "no answer"};
    }
    std::uniform_real_distribution<double> chance(0.9, 1.1);
    const UnixTime at = std::chrono::floor<std::chrono::milliseconds>(clock_.Now());
    auto& last = nodes_[node];
    const double passed = last == UnixTime() ? 1 : ToSeconds(at - last);
    last = at;
    const bool limps = node == "c" && second > 250;
    const double requests = 60 * passed * chance(random_);
    FetchResult result;
    const auto line = [&](const std::string& name, const std::string& device, double more) {
      auto& value = counters_[name][{node, device}];
      value += more;
      kept_[name][{node, device}].push_back({at, value});
      result.body += fmt::format("node_{}{{device=\"{}\"}} {} {}\n", name, device, value,
                                 at.time_since_epoch().count() / 1'000'000);
    };
    line("disk_reads_completed_total", "sda", requests);
    line("disk_writes_completed_total", "sda", 0);
    line("disk_read_bytes_total", "sda", requests * 65536);
    line("disk_written_bytes_total", "sda", 0);
    line("disk_read_time_seconds_total", "sda", requests * (limps ? 0.09 : 0.01) * chance(random_));
    line("disk_write_time_seconds_total", "sda", 0);
    line("disk_io_time_seconds_total", "sda", requests * (limps ? 0.03 : 0.005) * chance(random_));
    line("disk_io_time_weighted_seconds_total", "sda", requests * (limps ? 0.09 : 0.01));
    for (const char* device : {"eth0", "eth1"}) {
      line("network_receive_bytes_total", device, 3e6 * passed * chance(random_));
      line("network_receive_packets_total", device, 3e3 * passed);
      line("network_transmit_bytes_total", device, 4e6 * passed * chance(random_));
      line("network_transmit_packets_total", device, 4e3 * passed);
    }
    return result;
  }

  // Of a range query; a sample older than a step is stale.
  FetchResult Stored(const std::string& path) const {
    const auto number = [&](const std::string& key) {
      return std::stoll(path.substr(path.find("&" + key + "=") + key.size() + 2));
    };
    const bool instants = path.find("timestamp%28") != std::string::npos;
    const std::string before = "%28limpet%7Cnode%29_";
    const auto found = path.find(before);
    std::string name = instants ? "disk_reads_completed_total" : "";
    if (found != std::string::npos) {
      const auto begin = found + before.size();
      name = path.substr(begin, path.find('%', begin) - begin);
    }
    std::string series;
    const auto kept = kept_.find(name);
    if (kept != kept_.end()) {
      for (const auto& [who, samples] : kept->second) {
        std::string values;
        for (auto at = number("start"); at <= number("end"); at += 5) {
          const auto step = UnixFromSeconds(at);
          const auto next =
              std::upper_bound(samples.begin(), samples.end(), step,
                               [](UnixTime t, const auto& sample) { return t < sample.first; });
          if (next == samples.begin() || step - std::prev(next)->first >= 5s) {
            continue;
          }
          const auto& [taken, value] = *std::prev(next);
          const auto ms = taken.time_since_epoch().count() / 1'000'000;
          values += fmt::format(
              "{}[{},\"{}\"]", values.empty() ? "" : ",", at,
              instants ? fmt::format("{}.{:03}", ms / 1000, ms % 1000) : fmt::format("{}", value));
        }
        series += fmt::format(
            R"({}{{"metric":{{{}"instance":"{}:9100","job":"node"{}}},"values":[{}]}})",
            series.empty() ? "" : ",",
            instants ? "" : fmt::format("\"__name__\":\"node_{}\",", name), who.first,
            instants ? "" : fmt::format(",\"rack\":\"r1\",\"device\":\"{}\"", who.second), values);
      }
    }
    FetchResult result;
    result.body =
        R"({"status":"success","data":{"resultType":"matrix","result":[)" + series + "]}}";
    return result;
  }

 private:
  using Who = std::pair<std::string, std::string>;  // node, device
  testing::ManualClock& clock_;
  UnixTime start_ = clock_.Now();
  std::map<std::string, UnixTime> nodes_;
  std::map<std::string, std::map<Who, double>> counters_;
  std::map<std::string, std::map<Who, std::vector<std::pair<UnixTime, double>>>> kept_;
  std::mt19937 random_{11};
};

// A diagnoser of the store, as serve has it.
struct Reading {
  Reading(testing::ManualClock& clock, testing::FakeFetcher& fetcher,
          std::vector<std::string>& lines, const PipelineState& state)
      : config(Config(
            "source: prometheus\nprometheus: {url: \"http://store\", step: 5s, lag: 10s}\n")),
        metrics(clock.Now()),
        monitor(
            config, config, state, clock, metrics, [](LogLevel, std::string_view) {},
            [&lines](const std::vector<Event>& events) {
              for (const auto& event : events) {
                lines.push_back(ToJsonLine(event));
              }
            }),
        reader(
            fetcher, clock,
            [this](const StoreBatch& batch) {
              monitor.Ingest(batch);
              reader.ReadNext();
            },
            [this](const StoreStatus& status) { monitor.SetStore(status); },
            [](LogLevel, std::string_view text) { ADD_FAILURE() << text; }) {
    reader.Start(*config.store, WantsOf(config.all_groups, config.store->step),
                 monitor.LastReading());
  }
  DiagnoserConfig config;
  SelfMetrics metrics;
  Monitor monitor;
  StoreReader reader;
};

struct Both {
  std::vector<std::string> scraped;
  std::vector<std::string> read;
};

Both Play(std::optional<int> restart_at) {
  testing::ManualClock clock;
  testing::FakeFetcher fetcher(clock);
  World world(clock);
  Both lines;
  const auto config = Config(
      "targets: [{addresses: [a, b, c, d, e], labels: {rack: r1}, interval: 5s, timeout: 1s}]\n");
  SelfMetrics metrics(clock.Now());
  Monitor scraping(
      config, config, PipelineState{}, clock, metrics, [](LogLevel, std::string_view) {},
      [&](const std::vector<Event>& events) {
        for (const auto& event : events) {
          lines.scraped.push_back(ToJsonLine(event));
        }
      });
  std::vector<TargetPtr> targets;
  for (const auto& target : config.targets) {
    fetcher.answers[target.node] = [&world, node = target.node] { return world.Scraped(node); };
    targets.push_back(std::make_shared<const Target>(target));
  }
  fetcher.answers["store"] = [&] { return world.Stored(fetcher.asked.back()); };
  Scraper scraper(fetcher, clock, [&](FetchedPage page) { scraping.Ingest(page); });
  scraper.SetTargets(targets);
  auto reading = std::make_unique<Reading>(clock, fetcher, lines.read, PipelineState{});
  std::vector<std::unique_ptr<Reading>> ended;  // their callbacks may still be on their way
  for (int second = 0; second < 1100; ++second) {
    if (restart_at == second) {
      const auto state = DecodeState(reading->monitor.SnapshotState()(), reading->config.pipeline);
      reading->reader.Stop();
      fetcher.Run(0s);
      ended.push_back(std::move(reading));
      reading = std::make_unique<Reading>(clock, fetcher, lines.read, state->state);
    }
    if (second == 900) {  // everybody is gone; what was read is judged to its end
      for (const auto& target : config.targets) {
        fetcher.answers.erase(target.node);
      }
    }
    fetcher.Run(1s);
    (void)scraping.Tick();
    (void)reading->monitor.Tick();
  }
  fetcher.Stop();
  return lines;
}

TEST(StoreIsScraping, ByteForByte) {
  const auto lines = Play(std::nullopt);
  EXPECT_THAT(lines.scraped, SizeIs(::testing::Gt(150U)));
  EXPECT_TRUE(std::any_of(lines.scraped.begin(), lines.scraped.end(), [](const std::string& line) {
    return line.find("\"cause\":\"disk-busy\"") != std::string::npos;
  }));
  EXPECT_THAT(lines.read, ElementsAreArray(lines.scraped));
}

TEST(StoreIsScraping, AReloadForgetsNoNode) {
  testing::ManualClock clock;
  testing::FakeFetcher fetcher(clock);
  World world(clock);
  std::vector<std::string> lines;
  for (const std::string node : {"a", "b", "c"}) {
    fetcher.answers[node] = [&world, node] { return world.Scraped(node); };
  }
  fetcher.answers["store"] = [&] { return world.Stored(fetcher.asked.back()); };
  Scraper exporters(fetcher, clock, [](FetchedPage) {});
  std::vector<TargetPtr> targets;
  for (const auto& target :
       Config("targets: [{addresses: [a, b, c], interval: 5s, timeout: 1s}]\n").targets) {
    targets.push_back(std::make_shared<const Target>(target));
  }
  exporters.SetTargets(targets);
  Reading reading(clock, fetcher, lines, PipelineState{});
  fetcher.Run(200s);
  const auto before = reading.monitor.Latest()->view->counters.components;
  EXPECT_EQ(before, 9U);  // a disk and two interfaces each
  EXPECT_THAT(reading.monitor.Plan().targets, SizeIs(3));
  reading.monitor.Reload(reading.config, reading.config);
  EXPECT_THAT(reading.monitor.Plan().targets, SizeIs(3));
  const auto windows = lines.size();
  fetcher.Run(100s);
  EXPECT_EQ(reading.monitor.Latest()->view->counters.gaps, 0U);
  EXPECT_GT(lines.size(), windows);
  fetcher.Stop();
}

TEST(StoreIsScraping, ARestartLosesNothingAndSaysNothingTwice) {
  const auto lines = Play(497);
  EXPECT_THAT(lines.read, ElementsAreArray(lines.scraped));
}

}  // namespace
}  // namespace limpet::store_is_scraping_test
