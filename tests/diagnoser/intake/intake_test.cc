#include "diagnoser/intake/intake.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace limpet::intake_test {
namespace {

using namespace std::chrono_literals;

constexpr UnixTime kStart = UnixFromSeconds(1'700'000'000);

class IntakeTest : public ::testing::Test {
 protected:
  Result<IngestStats> Ingest(std::string_view text, Duration after = {},
                             std::optional<UnixTime> latest = {}) {
    return intake_.Ingest({.source = "http://a",
                           .node = "a",
                           .role = "io",
                           .labels = {},
                           .at = kStart + after,
                           .text = text},
                          latest, directory_, readings_, counters_);
  }
  // The reads completed by sda, as they are in the readings.
  std::optional<double> LastIncrease() {
    const auto tracks = readings_.Tracks(EntityKind::kDisk, 0);
    return tracks.empty() ? std::nullopt
                          : std::optional(tracks[0].Column(0).At(BinAt(kStart + 2s, 1s)));
  }

  Directory directory_{{*Rule::Compile({.name = "disks"})}, {.shared = 2, .reserved = 0}};
  Readings readings_{{GridSpec{.capacity = 16}}};
  Intake intake_{{.max_series = 3}};
  PipelineCounters counters_;
};

std::string Reads(double value, const std::string& device = "sda") {
  return fmt::format("limpet_disk_reads_completed_total{{device=\"{}\"}} {}\n", device, value);
}

TEST_F(IntakeTest, CountsWhatIsOnThePageAndWhatAGroupWants) {
  const auto stats = Ingest("# HELP x y\n" + Reads(5) + "something_else 7\n");
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->samples, 2U);
  EXPECT_EQ(stats->mapped, 1U);
  EXPECT_EQ(stats->first, kStart);
  EXPECT_EQ(counters_.series, 1U);
  EXPECT_EQ(counters_.components, 1U);
}

TEST_F(IntakeTest, TheIncreaseOfTwoPagesIsASample) {
  ASSERT_TRUE(Ingest(Reads(5), 0s));
  ASSERT_TRUE(Ingest(Reads(6), 1s));
  ASSERT_TRUE(Ingest(Reads(13), 2s));
  EXPECT_EQ(LastIncrease(), 7);
}

TEST_F(IntakeTest, APageThatBreaksOffLeavesNothingBehind) {
  ASSERT_TRUE(Ingest(Reads(5), 0s));
  EXPECT_FALSE(Ingest(Reads(6) + "limpet_disk_reads_completed_total{device=\"sd", 1s));
  EXPECT_EQ(readings_.Last(EntityKind::kDisk, 0), kStart);
  EXPECT_EQ(counters_.samples, 1U);
}

TEST_F(IntakeTest, ARecordingSkipsWhatCannotBeRead) {
  const auto stats = intake_.Ingest({.source = "file",
                                     .at = kStart,
                                     .format = Format::kOpenMetrics,
                                     .recording = true,
                                     .text = "not a line\nlimpet_disk_reads_completed_total{device="
                                             "\"sda\",instance=\"a\"} 5 1700000000\n"},
                                    {}, directory_, readings_, counters_);
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->bad_lines, 1U);
  EXPECT_EQ(stats->mapped, 1U);
  EXPECT_EQ(directory_.Entities(EntityKind::kDisk)[0].node, "a");
}

TEST_F(IntakeTest, ReadingsThatCannotBeAreRefused) {
  for (const auto* value : {"NaN", "-1", "+Inf", "1e300"}) {
    const auto stats =
        Ingest(fmt::format("limpet_disk_reads_completed_total{{device=\"sda\"}} {}\n", value));
    ASSERT_TRUE(stats);
    EXPECT_EQ(stats->refused, 1U) << value;
    EXPECT_FALSE(stats->first);
  }
  EXPECT_EQ(directory_.Count(), 0U);
}

TEST_F(IntakeTest, AReadingFromTheFutureMakesNoComponent) {
  EXPECT_EQ(Ingest(Reads(5), 10s, kStart + 9s)->refused, 1U);
  EXPECT_EQ(directory_.Count(), 0U);
  EXPECT_EQ(Ingest(Reads(5), 9s, kStart + 9s)->refused, 0U);
}

TEST_F(IntakeTest, AReadingThatIsNotAfterTheLastIsLate) {
  ASSERT_TRUE(Ingest(Reads(5), 1s));
  EXPECT_EQ(Ingest(Reads(5), 1s)->late, 1U);
  EXPECT_EQ(counters_.late, 1U);
}

TEST_F(IntakeTest, SeriesBeyondTheLimitAreRefusedEachTime) {
  const auto page = Reads(1, "sda") + Reads(1, "sdb") + Reads(1, "sdc") + Reads(1, "sdd");
  for (int i = 0; i < 3; ++i) {
    const auto stats = Ingest(page, Duration(1s) * i);
    ASSERT_TRUE(stats);
    EXPECT_EQ(stats->refused, 1U);  // the fourth series
    EXPECT_EQ(stats->mapped, 2U);   // the third is one component too many
  }
  EXPECT_EQ(counters_.series, 3U);
  EXPECT_EQ(counters_.components, 2U);
}

TEST_F(IntakeTest, APageOfTooManyLinesIsRefusedWhole) {
  Intake intake({.max_page_lines = 3});
  const auto ingest = [&](const std::string& text, bool recording = false) {
    return intake.Ingest({.source = "http://a",
                          .node = "a",
                          .role = "io",
                          .labels = {},
                          .at = kStart,
                          .recording = recording,
                          .text = text},
                         {}, directory_, readings_, counters_);
  };
  const auto page = "# HELP x y\n" + Reads(1, "sda") + "x 1\n";
  EXPECT_TRUE(ingest(page));
  EXPECT_TRUE(ingest(page)) << "predicted";
  for (int i = 0; i < 2; ++i) {
    const auto refused = ingest(page + "y 2\n");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "expected a page of at most 3 lines");
  }
  EXPECT_TRUE(
      ingest("limpet_disk_reads_completed_total{device=\"sda\",instance=\"a\"} 5 1\n# a\n"
             "# b\n# c\n",
             true));
}

TEST_F(IntakeTest, LinesThatAreTooLongOrTooManyInBytesAreNotRemembered) {
  Intake intake({.max_source_bytes = 100});
  const auto ingest = [&](const std::string& text) {
    return *intake.Ingest(
        {.source = "http://a", .node = "a", .role = "io", .labels = {}, .at = kStart, .text = text},
        {}, directory_, readings_, counters_);
  };
  EXPECT_EQ(ingest(Reads(1, std::string(5000, 'x'))).over_limit, 1U);
  EXPECT_EQ(ingest(Reads(1, "sda") + Reads(1, "sdb") + Reads(1, "sdc")).over_limit, 1U);
  EXPECT_EQ(directory_.Count(), 2U);
}

TEST_F(IntakeTest, AForgottenSourceMakesRoom) {
  ASSERT_TRUE(Ingest(Reads(1, "sda") + Reads(1, "sdb") + Reads(1, "sdc") + "x 1\n"));
  EXPECT_EQ(counters_.series, 3U);
  intake_.Forget("http://a");
  ASSERT_TRUE(Ingest(Reads(2), 1s));
  EXPECT_EQ(counters_.series, 1U);
  intake_.ForgetAll();
  ASSERT_TRUE(Ingest(Reads(3), 2s));
  EXPECT_EQ(counters_.series, 1U);
}

TEST_F(IntakeTest, APageWithASeriesTwiceLeavesNothingBehind) {
  EXPECT_FALSE(Ingest(Reads(1) + Reads(1)));
  EXPECT_EQ(counters_.series, 0U);
  ASSERT_TRUE(Ingest(Reads(1), 1s));
  EXPECT_FALSE(Ingest(Reads(2) + Reads(900), 2s));
  EXPECT_EQ(readings_.Last(EntityKind::kDisk, 0), kStart + 1s);
}

TEST_F(IntakeTest, ARestartedExporterIsNoResetOfTheKernelsCounters) {
  const auto page = [](double start, double busy) {
    return fmt::format(
        "limpet_exporter_start_time_seconds {}\n"
        "limpet_disk_io_time_seconds_total{{device=\"sda\"}} {}\n",
        start, busy);
  };
  ASSERT_TRUE(Ingest(page(100, 50), 0s));
  ASSERT_TRUE(Ingest(page(100, 51), 1s));
  EXPECT_EQ(intake_.Starts().at("a"), 100);
  ASSERT_TRUE(Ingest(page(200, 0.5), 2s));
  EXPECT_EQ(intake_.Starts().at("a"), 200);
  const auto tracks = readings_.Tracks(EntityKind::kDisk, 0);
  for (const auto& track : tracks) {
    // What came before the start is unknown, so the second of it is no sample.
    EXPECT_TRUE(std::isnan(track.Column(0).At(BinAt(kStart + 2s, 1s))) ||
                track.Column(0).At(BinAt(kStart + 2s, 1s)) <= 0.5);
  }
}

// The prediction of lines is only faster.
TEST_F(IntakeTest, PagesInAnotherOrderReadTheSame) {
  ASSERT_TRUE(Ingest("# HELP x y\n" + Reads(1, "sda") + Reads(1, "sdb"), 0s));
  ASSERT_TRUE(Ingest(Reads(2, "sdb") + "# HELP x y\n" + Reads(2, "sda"), 1s));
  const auto stats = Ingest(Reads(9, "sda") + Reads(3, "sdb"), 2s);
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->mapped, 2U);
  EXPECT_EQ(LastIncrease(), 7);
}

TEST_F(IntakeTest, AFactIsAMetricOfTheConfigurationWhereOneReadsIt) {
  CustomMetric metric;
  metric.name = "symbol_errors";
  metric.shape = CustomShape::kCounter;
  metric.series = "node_infiniband_symbol_error_total";
  metric.component = {"device"};
  const std::vector<CustomMetric> metrics = {metric};
  CustomReadings custom(metrics, {GridSpec{.capacity = 16}}, 1s, 8);
  FactReadings facts;
  intake_.FeedFacts(facts);
  intake_.FeedCustom(custom);
  ASSERT_TRUE(
      Ingest("node_infiniband_symbol_error_total{device=\"mlx5_0\",port=\"1\"} 3\n"
             "node_infiniband_link_downed_total{device=\"mlx5_0\",port=\"1\"} 2\n"));
  EXPECT_EQ(custom.Components(), 1U);
  EXPECT_THAT(facts.Of("a", kStart), ::testing::SizeIs(1)) << "of the link alone";
}

}  // namespace
}  // namespace limpet::intake_test
