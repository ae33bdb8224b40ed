#include "diagnoser/sources/store_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limpet::store_pages_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using namespace std::chrono_literals;

using Labels = std::vector<std::pair<std::string, std::string>>;

constexpr UnixTime kFirst = UnixFromSeconds(1'700'000'000);
constexpr double kNone = -1;  // the store has nothing at that step
const std::string kDisk = "node_disk_io_time_seconds_total";
const std::string kOurDisk = "limpet_disk_io_time_seconds_total";

// One value a step of 15 s from kFirst on.
RangeSeries Series(const std::string& name, Labels labels, const std::vector<double>& values) {
  RangeSeries series{.name = name, .labels = std::move(labels), .points = {}, .histograms = {}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != kNone) {
      series.points.push_back({.at = kFirst + 15s * static_cast<int>(i), .value = values[i]});
    }
  }
  return series;
}
StoreAnswer Readings(std::vector<RangeSeries> series) {
  return {.kind = StoreQuery::Kind::kReadings,
          .answer = {.series = std::move(series), .partial = {}}};
}
StoreAnswer Sampled(std::vector<RangeSeries> series) {
  return {.kind = StoreQuery::Kind::kSampled,
          .answer = {.series = std::move(series), .partial = {}}};
}
StoreAnswer Scraped(std::vector<RangeSeries> series) {
  return {.kind = StoreQuery::Kind::kScraped,
          .answer = {.series = std::move(series), .partial = {}}};
}

// The only page of one step with these readings.
NodePage OnlyPage(std::vector<RangeSeries> readings, const StoreSettings& settings = {}) {
  StorePages pages(settings);
  auto made = pages.Make({Readings(std::move(readings))}, kFirst);
  return made.pages.size() == 1 ? made.pages[0] : NodePage{};
}

TEST(StorePages, ReadingsHaveTheInstantsTheyWereTakenAt) {
  StorePages pages({});
  const Labels who = {{"instance", "io01:9100"}, {"job", "node"}, {"device", "sda"}};
  const auto made = pages.Make({Scraped({Series("", {{"instance", "io01:9100"}, {"job", "node"}},
                                                {1'699'999'991.25, 1'700'000'006.25})}),
                                Readings({Series(kDisk, who, {1, 2.5})})},
                               kFirst + 15s);
  ASSERT_THAT(made.pages, SizeIs(1));
  EXPECT_EQ(made.pages[0].text,
            "node_disk_io_time_seconds_total{device=\"sda\"} 1 1699999991250\n"
            "node_disk_io_time_seconds_total{device=\"sda\"} 2.5 1700000006250\n");
  EXPECT_TRUE(made.pages[0].present);
}

// 10 requests of 1 to 2 s, of a resolution with a bucket for each power of two.
RangeSeries Native(const std::string& name, Labels labels) {
  RangeSeries series{.name = name, .labels = std::move(labels), .points = {}, .histograms = {}};
  NativePoint point{.at = kFirst, .count = 10, .buckets = {{.lower = 1, .upper = 2, .count = 10}}};
  series.histograms.push_back(std::move(point));
  return series;
}

TEST(StorePages, NativeHistogramsStandOnPagesAsClassicOnes) {
  StorePages pages({}, {"h_seconds_bucket"});
  const Labels who = {{"instance", "io01:2379"}, {"job", "etcd"}, {"type", "put"}};
  const auto made =
      pages.Make({Readings({Native("h_seconds", who), Native("other", who)})}, kFirst);
  ASSERT_THAT(made.pages, SizeIs(1));
  const auto& text = made.pages[0].text;
  for (const auto* line : {R"({type="put",le="1"} 0 17)", R"({type="put",le="2"} 10 17)",
                           R"({type="put",le="0.0625"} 0 17)", R"({type="put",le="32"} 10 17)",
                           R"({type="put",le="+Inf"} 10 17)"}) {
    EXPECT_THAT(text, HasSubstr(std::string("h_seconds_bucket") + line));
  }
  EXPECT_EQ(std::ranges::count(text, '\n'), 20);
}

TEST(StorePages, ClassicBucketsStandForNativeOnesOfTheSameSeries) {
  StorePages pages({}, {"h_seconds_bucket"});
  const Labels who = {{"instance", "io01:2379"}, {"job", "etcd"}};
  auto classic = who;
  classic.emplace_back("le", "+Inf");
  const auto made = pages.Make(
      {Readings({Native("h_seconds", who), Series("h_seconds_bucket", classic, {10})})}, kFirst);
  ASSERT_THAT(made.pages, SizeIs(1));
  EXPECT_EQ(made.pages[0].text, "h_seconds_bucket{le=\"+Inf\"} 10 1700000000000\n");
}

TEST(StorePages, TheStoresClockBesideTheExportersTellsTheSkew) {
  const Labels who = {{"instance", "io01:9836"}, {"job", "limpet"}};
  auto disk = who;
  disk.emplace_back("device", "sda");
  const auto skew = [&](const std::vector<double>& sampled, const std::string& name) {
    StorePages pages({});
    const auto made =
        pages.Make({Scraped({Series("", who, {1'699'999'991.25, 1'700'000'006.25})}),
                    Sampled({Series("", who, sampled)}), Readings({Series(name, disk, {1, 2.5})})},
                   kFirst + 15s);
    return made.pages.at(0).clock_skew;
  };
  // A sample may be a second old when it is scraped; of two steps the worse one counts.
  EXPECT_EQ(skew({1'699'999'991, 1'700'000'006}, kOurDisk), 0s);
  EXPECT_EQ(skew({1'699'999'991, 1'700'000'009}, kOurDisk), 2750ms);
  EXPECT_EQ(skew({1'699'999'981, 1'700'000'006}, kOurDisk), -9250ms);
  EXPECT_EQ(skew({kNone, kNone}, kOurDisk), std::nullopt);
  // A node_exporter on that node does not say when it sampled.
  EXPECT_EQ(skew({1'699'999'991, 1'700'000'009}, kDisk), std::nullopt);
}

TEST(StorePages, WithoutAnInstantThatCanBeTrueTheStepItself) {
  const Labels who = {{"instance", "io01"}, {"device", "sda"}};
  const auto* at_the_step = "node_disk_io_time_seconds_total{device=\"sda\"} 5 1700000000000\n";
  EXPECT_EQ(OnlyPage({Series(kDisk, who, {5})}).text, at_the_step);
  for (const double wrong : {-5.0, 7e9, std::nan("")}) {
    StorePages pages({});
    const auto made = pages.Make({Scraped({Series("", {{"instance", "io01"}}, {wrong})}),
                                  Readings({Series(kDisk, who, {5})})},
                                 kFirst);
    EXPECT_EQ(made.pages.at(0).text, at_the_step) << wrong;
  }
}

// Tunnels, containers: one host name, several machines.
TEST(StorePages, InstancesOfOneJobThatShareAHostAreNodesWithTheirPorts) {
  StorePages pages({});
  const auto disk = [](const std::string& instance, const std::string& job) {
    return Series(kDisk, {{"instance", instance}, {"job", job}, {"device", "sda"}}, {5});
  };
  const auto made =
      pages.Make({Readings({disk("localhost:19101", "node"), disk("localhost:19102", "node"),
                            disk("localhost:19103", "node"), disk("io01:9100", "node"),
                            disk("io01:9836", "limpet")})},
                 kFirst);
  EXPECT_THAT(made.shared_hosts, ElementsAre("localhost"));
  std::vector<std::string> nodes;
  for (const auto& page : made.pages) {
    nodes.push_back(page.target.node);
  }
  EXPECT_THAT(nodes, ElementsAre("io01", "localhost:19101", "localhost:19102", "localhost:19103"));
  // They keep their names, and it is said once.
  const auto later = pages.Make({Readings({disk("localhost:19101", "node")})}, kFirst + 15s);
  EXPECT_THAT(later.shared_hosts, IsEmpty());
  EXPECT_EQ(later.pages.at(1).target.node, "localhost:19101");
}

// A proxy's instance: the page says so, and is refused where it is read.
TEST(StorePages, SeveralMachinesOfOneInstanceKeepTheLabelThatTellsThemApart) {
  const auto disk = [](const std::string& machine) {
    return Series(kDisk, {{"instance", "proxy"}, {"nodename", machine}, {"device", "sda"}}, {5});
  };
  EXPECT_EQ(OnlyPage({disk("io01"), disk("io02")}).text,
            "node_disk_io_time_seconds_total{device=\"sda\",nodename=\"io01\"} 5 1700000000000\n"
            "node_disk_io_time_seconds_total{device=\"sda\",nodename=\"io02\"} 5 1700000000000\n");
  EXPECT_EQ(OnlyPage({disk("io01")}).text,
            "node_disk_io_time_seconds_total{device=\"sda\"} 5 1700000000000\n");
}

TEST(StorePages, LabelNamesThatNoPageHasAreLeftOutOfIt) {
  EXPECT_EQ(
      OnlyPage({Series("node_disk_info",
                       {{"instance", "io01"}, {"device", "sda"}, {"host.name", "io01"}}, {1})})
          .text,
      "node_disk_info{device=\"sda\"} 1 1700000000000\n");
}

TEST(StorePages, AStepWithoutANewReadingGivesNone) {
  StorePages pages({});
  const Labels who = {{"instance", "io01"}, {"device", "sda"}};
  const auto batch = [&](const std::vector<double>& scraped, const std::vector<double>& values) {
    const auto last = kFirst + 15s * static_cast<int>(values.size() - 1);
    return pages
        .Make({Scraped({Series("", {{"instance", "io01"}}, scraped)}),
               Readings({Series(kDisk, who, values)})},
              last)
        .pages.at(0)
        .text;
  };
  // The second step repeats the first reading; the last is asked for again with the next batch.
  EXPECT_EQ(batch({1'699'999'999, 1'699'999'999, 1'700'000'029}, {1, 1, 3}),
            "node_disk_io_time_seconds_total{device=\"sda\"} 1 1699999999000\n"
            "node_disk_io_time_seconds_total{device=\"sda\"} 3 1700000029000\n");
  EXPECT_EQ(batch({1'699'999'999, 1'699'999'999, 1'700'000'029, 1'700'000'044}, {1, 1, 3, 4}),
            "node_disk_io_time_seconds_total{device=\"sda\"} 4 1700000044000\n");
}

TEST(StorePages, APageIsInOrderOfTimeWhateverTheSeries) {
  StorePages pages({});
  const auto made = pages.Make(
      {Readings({Series(kDisk, {{"instance", "io01"}, {"device", "sda"}}, {1, kNone, 3}),
                 Series(kDisk, {{"instance", "io01"}, {"device", "sdb"}}, {kNone, 5, 6})})},
      kFirst + 30s);
  EXPECT_EQ(made.pages.at(0).text,
            "node_disk_io_time_seconds_total{device=\"sda\"} 1 1700000000000\n"
            "node_disk_io_time_seconds_total{device=\"sdb\"} 5 1700000015000\n"
            "node_disk_io_time_seconds_total{device=\"sda\"} 3 1700000030000\n"
            "node_disk_io_time_seconds_total{device=\"sdb\"} 6 1700000030000\n");
}

TEST(StorePages, ValuesThatAreNotFiniteAreLeftOut) {
  const Labels who = {{"instance", "io01"}, {"device", "sda"}};
  EXPECT_THAT(OnlyPage({Series(kDisk, who, {std::nan("")})}).text, IsEmpty());
  EXPECT_THAT(OnlyPage({Series(kDisk, who, {std::numeric_limits<double>::infinity()})}).text,
              IsEmpty());
}

TEST(StorePages, DescriptionsStandOnAPageOnceWithAllTheirLabels) {
  StorePages pages({});
  const auto made = pages.Make(
      {Readings({Series("limpet_disk_info",
                        {{"instance", "io01"}, {"device", "sda"}, {"model", "X\n1"}}, {1, 1, 1})})},
      kFirst + 30s);
  ASSERT_THAT(made.pages, SizeIs(1));
  EXPECT_EQ(made.pages[0].text,
            "limpet_disk_info{device=\"sda\",model=\"X\\n1\"} 1 1700000030000\n");
  EXPECT_THAT(made.pages[0].target.labels, IsEmpty());
}

TEST(StorePages, WhatADeviceStandsOnIsADescriptionToo) {
  for (const auto* const name :
       {"limpet_network_stack_info", "node_disk_device_mapper_info", "node_bonding_slaves"}) {
    const auto page = OnlyPage({Series(name, {{"instance", "io01"}, {"master", "bond0"}}, {2, 2})});
    EXPECT_THAT(page.text, ::testing::StartsWith(std::string(name) + "{master=\"bond0\"} 2 "));
    EXPECT_EQ(std::count(page.text.begin(), page.text.end(), '\n'), 1) << page.text;
  }
}

TEST(StorePages, ThePortBelongsToItsDevice) {
  const auto page =
      OnlyPage({Series("node_infiniband_port_data_received_bytes_total",
                       {{"instance", "io01"}, {"device", "mlx5_0"}, {"port", "1"}}, {5})});
  EXPECT_THAT(page.text, ::testing::HasSubstr("{device=\"mlx5_0\",port=\"1\"} 5"));
  EXPECT_THAT(page.target.labels, IsEmpty());
}

TEST(StorePages, LabelsOfADeviceStayOnThePageAndTheOthersAreTheTargets) {
  const auto page = OnlyPage({Series(kDisk,
                                     {{"instance", "io01:9100"},
                                      {"job", "node"},
                                      {"device", "a\"\\"},
                                      {"rack", "r1"},
                                      {"role", "oss"}},
                                     {5})});
  EXPECT_EQ(page.text, "node_disk_io_time_seconds_total{device=\"a\\\"\\\\\"} 5 1700000000000\n");
  EXPECT_THAT(page.target.labels, ElementsAre(Pair("rack", "r1")));
  EXPECT_EQ(page.target.role, "oss");
}

TEST(StorePages, ANodeIsItsLabelWithoutThePort) {
  const auto node = [](const std::string& instance) {
    return OnlyPage({Series(kDisk, {{"instance", instance}, {"device", "sda"}}, {5})}).target.node;
  };
  EXPECT_EQ(node("io01:9100"), "io01");
  EXPECT_EQ(node("io01"), "io01");
  EXPECT_EQ(node("[fd00::1]:9100"), "fd00::1");
}

TEST(StorePages, SeriesWithoutAUsableNodeAreCounted) {
  StorePages pages({});
  const auto made =
      pages.Make({Readings({Series(kDisk, {{"device", "sda"}}, {1}),
                            Series(kDisk, {{"instance", "a/b"}, {"device", "sda"}}, {1}),
                            Series(kDisk, {{"instance", "io01"}, {"device", "sda"}}, {1})})},
                 kFirst);
  EXPECT_THAT(made.pages, SizeIs(1));
  EXPECT_EQ(made.unnamed, 2U);
}

TEST(StorePages, TheSettingsSayWhichLabelsAreNodeAndRole) {
  const StoreSettings settings{.node_label = "nodename", .role_label = "tier", .role = "oss"};
  const Labels who = {{"instance", "10.0.0.1"}, {"nodename", "io01"}, {"device", "sda"}};
  const auto without = OnlyPage({Series(kDisk, who, {1})}, settings);
  EXPECT_EQ(without.target.node, "io01");
  EXPECT_EQ(without.target.role, "oss");
  auto with_role = who;
  with_role.emplace_back("tier", "mds");
  EXPECT_EQ(OnlyPage({Series(kDisk, with_role, {1})}, settings).target.role, "mds");
}

TEST(StorePages, ATargetIsReadEveryStepAndItsUrlTellsItFromEveryOther) {
  StoreSettings settings{.step = 30s, .timeout = 10s};
  settings.endpoint.path = "/prometheus";
  const Labels who = {{"instance", "io01:9100"}, {"job", "a b"}, {"device", "sda"}};
  const auto stock = OnlyPage({Series(kDisk, who, {1})}, settings).target;
  EXPECT_EQ(stock.interval, 30s);
  EXPECT_EQ(stock.timeout, 10s);
  EXPECT_EQ(stock.endpoint.path,
            "/prometheus/?job=a%20b&instance=io01%3A9100&names=node&node=io01");
  const auto ours = OnlyPage({Series(kOurDisk, who, {1})}, settings).target;
  EXPECT_EQ(ours.endpoint.path, "/prometheus/?job=a%20b&instance=io01%3A9100&node=io01");
  settings.step = 5s;
  EXPECT_EQ(OnlyPage({Series(kDisk, who, {1})}, settings).target.timeout, 5s);
}

TEST(StorePages, LimpetExporterCountsBeforeNodeExporterAndSoDoesItsInstant) {
  StorePages pages({});
  const auto made = pages.Make(
      {Sampled({Series("limpet_sample_timestamp_seconds", {{"instance", "io01:9836"}},
                       {1'699'999'999.003})}),
       Scraped({Series("", {{"instance", "io01:9836"}}, {1'699'999'999.5}),
                Series("", {{"instance", "io01:9100"}}, {1'699'999'998})}),
       Readings({Series(kDisk, {{"instance", "io01:9100"}, {"device", "sda"}}, {7}),
                 Series(kOurDisk, {{"instance", "io01:9836"}, {"device", "sda"}}, {8})})},
      kFirst);
  ASSERT_THAT(made.pages, SizeIs(1));
  EXPECT_EQ(made.pages[0].text,
            "limpet_disk_io_time_seconds_total{device=\"sda\"} 8 1699999999003\n");
}

TEST(StorePages, ANodeKeepsItsExporterForAsLongAsThatIsThere) {
  StorePages pages({});
  const auto text = [&](int step, const std::vector<std::string>& names) {
    std::vector<RangeSeries> series;
    for (const auto& name : names) {
      series.push_back({.name = name,
                        .labels = {{"instance", "io01"}, {"device", "sda"}},
                        .points = {{.at = kFirst + 15s * step, .value = 1}}});
    }
    return pages.Make({Readings(series)}, kFirst + 15s * step).pages.at(0).text;
  };
  EXPECT_THAT(text(0, {kDisk}), HasSubstr(kDisk));
  EXPECT_THAT(text(1, {kDisk, kOurDisk}), HasSubstr(kDisk));
  EXPECT_THAT(text(2, {kOurDisk}), HasSubstr(kOurDisk));
  EXPECT_THAT(text(3, {kDisk, kOurDisk}), HasSubstr(kOurDisk));
}

TEST(StorePages, PagesAreInOrderOfNodesAndOnlyThoseOfTheLastStepArePresent) {
  StorePages pages({});
  const auto made =
      pages.Make({Readings({Series(kDisk, {{"instance", "io02"}, {"device", "sda"}}, {1, 2}),
                            Series(kDisk, {{"instance", "io01"}, {"device", "sda"}}, {1, kNone})})},
                 kFirst + 15s);
  ASSERT_THAT(made.pages, SizeIs(2));
  EXPECT_EQ(made.pages[0].target.node, "io01");
  EXPECT_FALSE(made.pages[0].present);
  EXPECT_EQ(made.pages[1].target.node, "io02");
  EXPECT_TRUE(made.pages[1].present);
}

TEST(StorePages, ANodeThatIsGoneIsAbsentForAnHourAndThenForgotten) {
  StorePages pages({});
  const auto make = [&](UnixTime at, const std::string& node) {
    const RangeSeries series{.name = kDisk,
                             .labels = {{"instance", node}, {"device", "sda"}},
                             .points = {{.at = at, .value = 1}}};
    return pages.Make({Readings({series})}, at).pages;
  };
  EXPECT_THAT(make(kFirst, "io01"), SizeIs(1));
  const auto in_time = make(kFirst + 1h, "io02");
  ASSERT_THAT(in_time, SizeIs(2));
  EXPECT_EQ(in_time[0].target.node, "io01");
  EXPECT_FALSE(in_time[0].present);
  EXPECT_THAT(in_time[0].text, IsEmpty());
  EXPECT_TRUE(in_time[1].present);
  EXPECT_THAT(make(kFirst + 1h + 15s, "io02"), SizeIs(1));
}

TEST(StorePages, MetricsOfTheConfigurationStandBesideAnyExporterOfTheirNode) {
  StorePages pages({}, {"etcd_fsync_bucket"});
  const auto made = pages.Make(
      {Readings({Series(kDisk, {{"job", "node"}, {"instance", "a:9100"}, {"device", "sda"}}, {1}),
                 Series("etcd_fsync_bucket",
                        {{"job", "etcd"}, {"instance", "a:2379"}, {"le", "0.5"}}, {7}),
                 Series("etcd_fsync_bucket",
                        {{"job", "etcd"}, {"instance", "b:2379"}, {"le", "0.5"}}, {8})})},
      kFirst);
  ASSERT_THAT(made.pages, SizeIs(2));
  EXPECT_THAT(made.pages[0].text, HasSubstr(kDisk));
  EXPECT_THAT(made.pages[0].text, HasSubstr("etcd_fsync_bucket{le=\"0.5\"} 7 "));
  EXPECT_EQ(made.pages[1].target.node, "b");
  EXPECT_THAT(made.pages[1].text, HasSubstr("etcd_fsync_bucket{le=\"0.5\"} 8 "));
}

}  // namespace
}  // namespace limpet::store_pages_test
