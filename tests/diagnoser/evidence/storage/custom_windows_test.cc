#include "diagnoser/evidence/storage/custom_windows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/pipeline/pipeline.h"
#include "tests/support/request_fleet.h"

namespace limpet::custom_windows_test {
namespace {

using std::chrono::seconds;
using test::RequestFleet;
using test::RequestFleetOptions;
const UnixTime kStart = UnixTime(std::chrono::hours(500'000));

CustomMetric Histogram() {
  CustomMetric metric;
  metric.name = "wal_fsync";
  metric.text = "time to sync the log";
  metric.unit = "s";
  metric.shape = CustomShape::kHistogram;
  metric.series = "wal_fsync_seconds";
  metric.noise_floor = 0.001;
  metric.cause = Cause::kSlowRequests;
  return metric;
}
CustomMetric Mean() {
  auto metric = Histogram();
  metric.name = "wal_fsync_mean";
  metric.shape = CustomShape::kMean;
  metric.series = "wal_fsync_seconds_sum";
  metric.count = "wal_fsync_seconds_count";
  return metric;
}
PipelineConfig Config(std::vector<CustomMetric> metrics) {
  PipelineConfig config;
  config.presets = DefaultPresets();
  config.custom = std::move(metrics);
  return config;
}

// What a pipeline says of a fleet: the verdicts, and the windows' flags by metric and component.
struct Said {
  std::set<std::string> indicted;  // "io02: slow-requests"
  std::set<std::string> flagged;   // "wal_fsync io02"
  std::vector<VerdictEvent> last;
  std::size_t windows = 0;
  std::optional<UnixTime> first;
  std::map<std::string, UnixTime> latest;      // verdict, by node
  std::map<std::string, UnixTime> first_flag;  // by metric and component, as in flagged
};
void Hear(const std::vector<Event>& events, Said& said) {
  for (const auto& event : events) {
    if (const auto* const verdict = std::get_if<VerdictEvent>(&event)) {
      said.last = {*verdict};
      said.latest[verdict->node] = verdict->end;
      said.first = said.first.value_or(verdict->end);
      if (!verdict->secondary) {
        said.indicted.insert(verdict->node + ": " + Name(verdict->cause));
      }
    } else if (const auto* const window = std::get_if<WindowEvent>(&event)) {
      ++said.windows;
      for (const auto& one : window->components) {
        if (one.flagged) {
          said.flagged.insert(window->metric + " " + one.component);
          said.first_flag.try_emplace(window->metric + " " + one.component, window->end);
        }
      }
    }
  }
}
Said Drive(Pipeline& pipeline, RequestFleet& fleet, std::size_t servers, int duration) {
  Said said;
  for (int second = 0; second < duration; ++second) {
    fleet.Step(second >= 30);
    const auto at = kStart + seconds(second);
    for (std::size_t i = 0; i < servers; ++i) {
      const auto node = fmt::format("io{:02}", i);
      const auto page = fleet.Page(i);
      const auto stats =
          pipeline.Ingest({.source = node, .node = node, .role = "etcd", .at = at, .text = page});
      EXPECT_TRUE(stats);
    }
    Hear(pipeline.Advance(at), said);
  }
  return said;
}
Said RunFleet(const RequestFleetOptions& options, std::vector<CustomMetric> metrics,
              int duration = 240) {
  Pipeline pipeline(Config(std::move(metrics)));
  RequestFleet fleet(options);
  return Drive(pipeline, fleet, options.servers, duration);
}

TEST(CustomWindowsTest, SlowMemberIsNamedWithItsQuantile) {
  const auto said = RunFleet({.sick = 2, .times = 8}, {Histogram()});
  EXPECT_EQ(said.indicted, std::set<std::string>{"io02: slow-requests"});
  ASSERT_FALSE(said.last.empty());
  const auto& evidence = said.last.front().evidence.front();
  EXPECT_EQ(evidence.component, "io02");
  EXPECT_EQ(evidence.group, "wal_fsync:etcd");
  ASSERT_TRUE(evidence.storage);
  EXPECT_FALSE(evidence.storage->quantile.empty());
  EXPECT_GT(evidence.storage->own, 4 * evidence.storage->peers_high);
  EXPECT_LE(*said.first - (kStart + seconds(30)), seconds(45));
}

TEST(CustomWindowsTest, HealthyMembersAreNotNamed) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const auto said = RunFleet({.seed = seed}, {Histogram(), Mean()}, 400);
    EXPECT_TRUE(said.indicted.empty()) << *said.indicted.begin() << ", seed " << seed;
    EXPECT_GT(said.windows, 10U);
  }
}

TEST(CustomWindowsTest, SlowTailIsNamedWhereMeansAreNot) {
  const RequestFleetOptions tail = {.sick = 3, .slow_share = 0.01, .times = 20};
  EXPECT_EQ(RunFleet(tail, {Histogram()}).indicted, std::set<std::string>{"io03: slow-requests"});
  EXPECT_TRUE(RunFleet(tail, {Mean()}).indicted.empty());
}

// Its clients wait for it, so that it has fewer requests in a window than min_count asks for.
TEST(CustomWindowsTest, SlowOneThatAnswersFewIsNamedSoon) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const RequestFleetOptions few = {
        .sick = 2, .times = 8, .requests = 3, .sick_answers = 0.2, .seed = seed};
    for (const auto& metric : {Histogram(), Mean()}) {
      const auto said = RunFleet(few, {metric});
      EXPECT_EQ(said.indicted, std::set<std::string>{"io02: slow-requests"}) << metric.name;
      EXPECT_LE(said.first.value_or(kStart + seconds(999)) - (kStart + seconds(30)), seconds(45))
          << metric.name << ", seed " << seed;
    }
  }
}

// The fewer requests, the more a mean of healthy ones differs by chance: one was named.
TEST(CustomWindowsTest, HealthyMembersWithFewRequestsAreNotNamed) {
  for (const double requests : {0.2, 0.5, 1.0, 2.0}) {
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
      const auto said = RunFleet({.requests = requests, .seed = seed}, {Histogram(), Mean()}, 900);
      EXPECT_TRUE(said.indicted.empty())
          << *said.indicted.begin() << ", seed " << seed << ", " << requests << " a second";
    }
  }
}

// The table of docs/metrics-in-yaml.md: how often a metric names the sick one of six, of ten runs.
struct Named {
  int sick = 0;
  int others = 0;
  std::vector<double> after;  // seconds, of those that name it
};
void Count(const Said& said, const std::string& metric, Named& named) {
  for (const auto& [who, at] : said.first_flag) {
    if (who == metric + " io03") {
      ++named.sick;
      named.after.push_back(ToSeconds(at - (kStart + seconds(30))));
    } else if (who.starts_with(metric + " ")) {
      ++named.others;
    }
  }
}
std::string Describe(Named named) {
  std::ranges::sort(named.after);
  return fmt::format(
      "{} of 10, others {}{}", named.sick, named.others,
      named.after.empty() ? "" : fmt::format(", {:.0f} s", named.after[named.after.size() / 2]));
}

TEST(CustomWindowsTest, HistogramsNameTailsThatMeansDoNot) {
  struct Tail {
    double share;
    double times;
    int by_histogram;  // at least
    int by_mean;       // at most
  };
  for (const auto& tail : {Tail{0, 1, 0, 0}, Tail{0.005, 20, 0, 10}, Tail{0.01, 20, 10, 0},
                           Tail{0.02, 20, 10, 10}, Tail{0.05, 5, 0, 10}, Tail{1, 2, 10, 10}}) {
    Named histogram;
    Named mean;
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
      const auto said =
          RunFleet({.sick = 3, .slow_share = tail.share, .times = tail.times, .seed = seed},
                   {Histogram(), Mean()});
      Count(said, "wal_fsync", histogram);
      Count(said, "wal_fsync_mean", mean);
    }
    const auto row = fmt::format("{:g} % x {:g}: histogram {}; mean {}", 100 * tail.share,
                                 tail.times, Describe(histogram), Describe(mean));
    RecordProperty(fmt::format("tail_{:g}_{:g}", tail.share, tail.times), row);
    EXPECT_EQ(histogram.others + mean.others, 0) << row;
    EXPECT_GE(histogram.sick, tail.by_histogram) << row;
    EXPECT_LE(mean.sick, tail.by_mean) << row;
  }
}

TEST(CustomWindowsTest, MemberWithOtherBucketsSilencesNobodyElse) {
  Pipeline pipeline(Config({Histogram()}));
  RequestFleet fleet({.sick = 2, .times = 8});
  Said said;
  for (int second = 0; second < 240; ++second) {
    fleet.Step(second >= 30);
    const auto at = kStart + seconds(second);
    for (std::size_t i = 0; i < 6; ++i) {
      const auto node = fmt::format("io{:02}", i);
      auto page = fleet.Page(i);
      for (auto found = page.find("le=\""); i == 5 && found != std::string::npos;
           found = page.find("le=\"", found + 5)) {
        page.insert(found + 4, page[found + 4] == '+' ? "" : "7");
      }
      ASSERT_TRUE(
          pipeline.Ingest({.source = node, .node = node, .role = "etcd", .at = at, .text = page}));
    }
    Hear(pipeline.Advance(at), said);
  }
  EXPECT_EQ(said.indicted, std::set<std::string>{"io02: slow-requests"});
  const auto status = pipeline.View().custom->metrics.at(0);
  EXPECT_EQ(status.compared, 5U);
  EXPECT_EQ(status.other_buckets, 1U);
}

TEST(CustomWindowsTest, TrialIsFlaggedAndIndictsNothing) {
  auto trial = Histogram();
  trial.trial = true;
  const auto said = RunFleet({.sick = 2, .times = 8}, {trial});
  EXPECT_TRUE(said.indicted.empty());
  EXPECT_TRUE(said.flagged.contains("wal_fsync io02"));
}

TEST(CustomWindowsTest, EvidenceThatCountsBesideAnotherNeedsIt) {
  auto mean = Mean();
  mean.beside = "await";
  EXPECT_TRUE(RunFleet({.sick = 2, .times = 8}, {mean}).indicted.empty());
  mean.beside = "wal_fsync";
  const auto said = RunFleet({.sick = 2, .times = 8}, {Histogram(), mean});
  ASSERT_FALSE(said.last.empty());
  EXPECT_EQ(said.last.front().evidence.size(), 2U);
}

TEST(CustomWindowsTest, ViewListsComponentsAndWhatWasLeftOut) {
  Pipeline pipeline(Config({Histogram()}));
  RequestFleet fleet({.sick = 2, .times = 8});
  (void)Drive(pipeline, fleet, 6, 240);
  const auto view = pipeline.View();
  ASSERT_TRUE(view.custom);
  EXPECT_EQ(view.custom->components, 6U);
  EXPECT_EQ(view.custom->metrics.at(0).compared, 6U);
  std::size_t flagged = 0;
  for (const auto& component : view.components) {
    flagged += component.flagged ? 1U : 0U;
    EXPECT_EQ(component.metric, "wal_fsync");
  }
  EXPECT_EQ(view.components.size(), 6U);
  EXPECT_GT(view.counters.compared, 0U);  // replay says "nothing was compared" otherwise
  EXPECT_EQ(flagged, 1U);
  EXPECT_EQ(view.nodes.size(), 6U);
  EXPECT_EQ(view.coverage.size(), 6U);
}

TEST(CustomWindowsTest, FiltersSurviveARestart) {
  Pipeline before(Config({Histogram()}));
  RequestFleet fleet({.sick = 2, .times = 8});
  (void)Drive(before, fleet, 6, 240);
  Pipeline after(Config({Histogram()}));
  EXPECT_EQ(after.ImportState(before.ExportState()), 0U);
  const auto view = after.View();
  const auto sick = std::ranges::find(view.components, "io02", &ComponentStatus::node);
  ASSERT_NE(sick, view.components.end());
  EXPECT_GT(sick->accumulator, 0U);
  Pipeline other(Config({Mean()}));
  EXPECT_GT(other.ImportState(before.ExportState()), 0U);
}

TEST(CustomWindowsTest, OnePageTellsOfManyNodes) {
  auto metric = Mean();
  metric.component = {"ceph_daemon"};
  metric.node = {.join = {.series = "ceph_osd_metadata", .on = {"ceph_daemon"}},
                 .label = "hostname"};
  Pipeline pipeline(Config({metric}));
  Said said;
  for (int second = 0; second < 240; ++second) {
    std::string page;
    for (int osd = 0; osd < 6; ++osd) {
      const double latency = osd == 4 && second >= 30 ? 0.12 : 0.01 + osd * 0.0001;
      page += fmt::format(
          "ceph_osd_metadata{{ceph_daemon=\"osd.{0}\",hostname=\"io0{0}\"}} 1\n"
          "wal_fsync_seconds_sum{{ceph_daemon=\"osd.{0}\"}} {1}\n"
          "wal_fsync_seconds_count{{ceph_daemon=\"osd.{0}\"}} {2}\n",
          osd, latency * 50 * second, 50 * second);
    }
    const auto at = kStart + seconds(second);
    ASSERT_TRUE(pipeline.Ingest(
        {.source = "http://mgr:9283", .node = "mgr", .role = "mgr", .at = at, .text = page}));
    Hear(pipeline.Advance(at), said);
  }
  EXPECT_EQ(said.indicted, std::set<std::string>{"io04: slow-requests"});
  ASSERT_FALSE(said.last.empty());
  EXPECT_EQ(said.last.front().evidence.front().component, "io04/osd.4");
}

TEST(CustomWindowsTest, MaskedNodesAreNotCompared) {
  auto config = Config({Histogram()});
  config.masked = {"io02"};
  Pipeline pipeline(config);
  RequestFleet fleet({.sick = 2, .times = 8});
  EXPECT_TRUE(Drive(pipeline, fleet, 6, 240).indicted.empty());
}

TEST(CustomWindowsTest, ComponentsThatHaveNoPeersAreNotCalledCompared) {
  Pipeline pipeline(Config({Histogram()}));
  RequestFleet fleet({.servers = 2});
  (void)Drive(pipeline, fleet, 2, 240);
  const auto status = pipeline.View().custom->metrics.at(0);
  EXPECT_EQ(status.compared, 0U);
  EXPECT_EQ(status.few_peers, 2U);
}

TEST(CustomWindowsTest, TwoServersAreUndetermined) {
  EXPECT_TRUE(RunFleet({.servers = 2, .sick = 1, .times = 8}, {Histogram()}).indicted.empty());
}

// OSDs whose latency and node a function of the second says; a negative latency: no series.
template <class Latency, class Host>
Said RunOsds(const Latency& latency, const Host& host) {
  auto metric = Mean();
  metric.component = {"ceph_daemon"};
  metric.node = {.join = {.series = "ceph_osd_metadata", .on = {"ceph_daemon"}},
                 .label = "hostname"};
  Pipeline pipeline(Config({metric}));
  Said said;
  std::vector<double> sums(6);
  for (int second = 0; second < 400; ++second) {
    std::string page;
    for (int osd = 0; osd < 6; ++osd) {
      if (latency(osd, second) < 0) {
        continue;
      }
      sums[static_cast<std::size_t>(osd)] += 50 * latency(osd, second);
      page += fmt::format(
          "ceph_osd_metadata{{ceph_daemon=\"osd.{0}\",hostname=\"{3}\"}} 1\n"
          "wal_fsync_seconds_sum{{ceph_daemon=\"osd.{0}\"}} {1}\n"
          "wal_fsync_seconds_count{{ceph_daemon=\"osd.{0}\"}} {2}\n",
          osd, sums[static_cast<std::size_t>(osd)], 50 * second, host(osd, second));
    }
    const auto at = kStart + seconds(second);
    EXPECT_TRUE(pipeline.Ingest(
        {.source = "http://mgr:9283", .node = "mgr", .role = "mgr", .at = at, .text = page}));
    Hear(pipeline.Advance(at), said);
  }
  return said;
}

TEST(CustomWindowsTest, ComponentThatMovesIsNamedWhereItIs) {
  const auto said = RunOsds(
      [](int osd, int) { return osd == 4 ? 0.1 : 0.01 + osd * 0.0001; },
      [](int osd, int second) { return fmt::format("io0{}", osd == 4 && second > 200 ? 9 : osd); });
  EXPECT_EQ(said.indicted, (std::set<std::string>{"io04: slow-requests", "io09: slow-requests"}));
  EXPECT_LT(said.latest.at("io04"), kStart + seconds(300));
  EXPECT_GT(said.latest.at("io09"), kStart + seconds(380));
}

TEST(CustomWindowsTest, VerdictEndsWhenItsSeriesVanish) {
  const auto said = RunOsds(
      [](int osd, int second) { return osd != 4       ? 0.01 + osd * 0.0001
                                       : second < 200 ? 0.1
                                                      : -1; },
      [](int osd, int) { return fmt::format("io0{}", osd); });
  EXPECT_EQ(said.indicted, std::set<std::string>{"io04: slow-requests"});
  EXPECT_LT(said.latest.at("io04"), kStart + seconds(300));
}

TEST(CustomWindowsTest, YearOfSilenceTakesNoTime) {
  Pipeline pipeline(Config({Histogram()}));
  RequestFleet fleet({.sick = 2, .times = 8});
  for (const auto at : {kStart, kStart + std::chrono::hours(9000)}) {
    fleet.Step();
    const auto page = fleet.Page(0);
    ASSERT_TRUE(pipeline.Ingest(
        {.source = "a", .node = "a", .role = "etcd", .at = at, .recording = true, .text = page}));
  }
  const auto begin = std::chrono::steady_clock::now();
  (void)pipeline.Finish();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(5));  // millions of windows otherwise
}

}  // namespace
}  // namespace limpet::custom_windows_test
