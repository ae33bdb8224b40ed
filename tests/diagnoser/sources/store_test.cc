#include "diagnoser/sources/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnoser/sources/store_pages.h"

namespace limpet {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr UnixTime kFirst = UnixFromSeconds(1'700'000'000);

RangeSeries Of(const std::string& name, std::vector<std::pair<std::string, std::string>> labels,
               std::vector<double> values) {
  RangeSeries series{.name = name, .labels = std::move(labels), .points = {}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= 0) {  // else the store has nothing at that step
      series.points.push_back({.at = kFirst + 15s * static_cast<int>(i), .value = values[i]});
    }
  }
  return series;
}
StoreAnswer Answer(StoreQuery::Kind kind, std::vector<RangeSeries> series) {
  return {.kind = kind, .answer = {.series = std::move(series), .partial = {}}};
}
constexpr auto kReadings = StoreQuery::Kind::kReadings;
constexpr auto kSampled = StoreQuery::Kind::kSampled;
constexpr auto kScraped = StoreQuery::Kind::kScraped;

TEST(Store, AsksForWhatTheGroupsWantOnly) {
  StoreSettings settings;
  settings.selector = "job=\"node\"";
  const auto all = StoreQueries(settings, {.kinds = {EntityKind::kDisk, EntityKind::kInterface,
                                                     EntityKind::kSocket, EntityKind::kPeer}});
  EXPECT_THAT(all, SizeIs(20));
  EXPECT_EQ(all[0].text, "{__name__=\"limpet_sample_timestamp_seconds\",job=\"node\"}");
  EXPECT_THAT(all[1].text,
              HasSubstr("max by (job,instance) (timestamp({__name__=\"limpet_disk_reads_completed_"
                        "total\",job=\"node\"})) or max by (job,instance) (timestamp("));
  EXPECT_EQ(all[3].text, "{__name__=~\"(limpet|node)_disk_reads_completed_total\",job=\"node\"}");
  EXPECT_THAT(StoreQueries(settings, {.kinds = {EntityKind::kInterface}}), SizeIs(6));
}

TEST(Store, ThePathOfAQuery) {
  StoreSettings settings;
  settings.endpoint.path = "/prometheus";
  const auto path =
      RangePath(settings, {.kind = kReadings, .text = "{a=\"b\"}"}, kFirst, kFirst + 15s);
  EXPECT_THAT(path,
              ::testing::StartsWith(
                  "/prometheus/api/v1/query_range?query=%7Ba%3D%22b%22%7D&start=1700000000.000&"
                  "end=1700000015.000&step=15.000&timeout=30.000&"));
}

TEST(StorePages, ReadingsHaveTheInstantsTheyWereTakenAt) {
  StorePages pages({});
  const std::vector<std::pair<std::string, std::string>> who = {{"instance", "io01:9100"},
                                                                {"job", "node"},
                                                                {"device", "sda"},
                                                                {"rack", "r1"},
                                                                {"role", "oss"}};
  const auto made =
      pages.Make({Answer(kScraped, {Of("", {{"instance", "io01:9100"}, {"job", "node"}},
                                       {1'699'999'991.25, 1'700'000'006.25})}),
                  Answer(kReadings, {Of("node_disk_io_time_seconds_total", who, {1, 2.5})})},
                 kFirst + 15s);
  ASSERT_THAT(made.pages, SizeIs(1));
  const auto& page = made.pages[0];
  EXPECT_EQ(page.text,
            "node_disk_io_time_seconds_total{device=\"sda\"} 1 1699999991250\n"
            "node_disk_io_time_seconds_total{device=\"sda\"} 2.5 1700000006250\n");
  EXPECT_TRUE(page.present);
  EXPECT_EQ(page.target.node, "io01");
  EXPECT_EQ(page.target.role, "oss");
  EXPECT_THAT(page.target.labels, ElementsAre(Pair("rack", "r1")));
}

TEST(StorePages, AStepWithoutANewReadingGivesNone) {
  StorePages pages({});
  const std::vector<std::pair<std::string, std::string>> who = {{"instance", "io01"},
                                                                {"device", "sda"}};
  // The second step repeats the first reading; the last is asked for again with the next batch.
  const auto batch = [&](std::vector<double> scraped, std::vector<double> values) {
    const auto last = kFirst + 15s * static_cast<int>(values.size() - 1);
    return pages
        .Make({Answer(kScraped, {Of("", {{"instance", "io01"}}, std::move(scraped))}),
               Answer(kReadings, {Of("node_disk_io_time_seconds_total", who, std::move(values))})},
              last)
        .pages.at(0)
        .text;
  };
  EXPECT_EQ(batch({1'699'999'999, 1'699'999'999, 1'700'000'029}, {1, 1, 3}),
            "node_disk_io_time_seconds_total{device=\"sda\"} 1 1699999999000\n"
            "node_disk_io_time_seconds_total{device=\"sda\"} 3 1700000029000\n");
  EXPECT_EQ(batch({1'699'999'999, 1'699'999'999, 1'700'000'029, 1'700'000'044}, {1, 1, 3, 4}),
            "node_disk_io_time_seconds_total{device=\"sda\"} 4 1700000044000\n");
}

TEST(StorePages, LimpetsOwnInstantCountsAndLimpetSpeaksBeforeNodeExporter) {
  StorePages pages({});
  const auto made =
      pages.Make({Answer(kSampled, {Of("limpet_sample_timestamp_seconds",
                                       {{"instance", "io01:9836"}}, {1'699'999'999.003})}),
                  Answer(kScraped, {Of("", {{"instance", "io01:9836"}}, {1'699'999'999.5}),
                                    Of("", {{"instance", "io01:9100"}}, {1'699'999'998})}),
                  Answer(kReadings, {Of("node_disk_io_time_seconds_total",
                                        {{"instance", "io01:9100"}, {"device", "sda"}}, {7}),
                                     Of("limpet_disk_io_time_seconds_total",
                                        {{"instance", "io01:9836"}, {"device", "sda"}}, {8})})},
                 kFirst);
  ASSERT_THAT(made.pages, SizeIs(1));
  EXPECT_EQ(made.pages[0].text,
            "limpet_disk_io_time_seconds_total{device=\"sda\"} 8 1699999999003\n");
}

TEST(StorePages, WithoutInstantsTheStepItself) {
  StorePages pages({});
  const auto made = pages.Make(
      {Answer(kReadings, {Of("node_network_receive_bytes_total",
                             {{"instance", "[fd00::1]:9100"}, {"device", "a\"\\"}}, {5})})},
      kFirst);
  EXPECT_EQ(made.pages.at(0).text,
            "node_network_receive_bytes_total{device=\"a\\\"\\\\\"} 5 1700000000000\n");
  EXPECT_EQ(made.pages.at(0).target.node, "fd00::1");
}

TEST(StorePages, ANodeThatIsGoneIsAbsentForAnHourAndThenForgotten) {
  StorePages pages({});
  const auto make = [&](UnixTime at, bool there) {
    RangeSeries series{.name = "node_disk_io_time_seconds_total",
                       .labels = {{"instance", there ? "io01" : "io02"}, {"device", "sda"}},
                       .points = {{.at = at, .value = 1}}};
    return pages.Make({Answer(kReadings, {series})}, at);
  };
  EXPECT_THAT(make(kFirst, true).pages, SizeIs(1));
  const auto soon = make(kFirst + 30min, false);
  ASSERT_THAT(soon.pages, SizeIs(2));
  EXPECT_FALSE(soon.pages[0].present);
  EXPECT_THAT(soon.pages[0].text, IsEmpty());
  EXPECT_TRUE(soon.pages[1].present);
  EXPECT_THAT(make(kFirst + 2h, false).pages, SizeIs(1));
}

TEST(StorePages, SeriesWithoutANodeAreCounted) {
  StorePages pages({});
  const auto made = pages.Make(
      {Answer(kReadings, {Of("node_disk_io_time_seconds_total", {{"device", "sda"}}, {1}),
                          Of("node_disk_io_time_seconds_total",
                             {{"instance", "a/b"}, {"device", "sda"}}, {1})})},
      kFirst);
  EXPECT_THAT(made.pages, IsEmpty());
  EXPECT_EQ(made.unnamed, 2U);
}

}  // namespace
}  // namespace limpet
