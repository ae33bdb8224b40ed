#include "exporter/common/exposition/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "exporter/common/exposition/parser.h"
#include "tests/support/golden.h"

namespace limpet::writer_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr MetricInfo kReads{.name = "disk_reads_total",
                            .type = MetricType::kCounter,
                            .unit = "requests",
                            .labels = "device",
                            .help = "Reads \"done\"\nby C:\\disk."};
constexpr MetricInfo kTime{.name = "disk_time_seconds_total",
                           .type = MetricType::kCounter,
                           .unit = "seconds",
                           .labels = "device",
                           .help = "Time spent."};
constexpr MetricInfo kLoad{.name = "load1",
                           .type = MetricType::kGauge,
                           .unit = "",
                           .labels = "",
                           .help = "Load average over 1 minute."};
constexpr MetricInfo kFaults{.name = "vmstat_pgfault_total",
                             .type = MetricType::kCounter,
                             .unit = "faults",
                             .labels = "",
                             .help = "Page faults.",
                             .node_exporter_name = "vmstat_pgfault"};
const RenderOptions kBare{.describe = false};

std::string Line(double value) {
  const Family family{&kLoad, {{nullptr, value}}};
  return Render({&family, 1}, Format::kText, kBare);
}

Families SmallPage() {
  const auto sda = MakeLabels({{"device", "sda"}});
  const auto odd = MakeLabels({{"device", "a \"b\"\\c\nd\xC3\xA9"}});
  return {{&kReads, {{sda, 17}, {odd, 18446744073709551615.0}}},
          {&kTime, {{sda, 0.25}}},
          {&kLoad, {{nullptr, 1.07}}}};
}

TEST(Render, WritesTheGoldenPages) {
  testing::ExpectGolden("exposition.txt", Render(SmallPage(), Format::kText));
  testing::ExpectGolden("exposition.openmetrics", Render(SmallPage(), Format::kOpenMetrics));
  testing::ExpectGolden("recording.openmetrics",
                        Render(SmallPage(), Format::kOpenMetrics,
                               {.constant_labels = {{"instance", "n1"}, {"role", "server"}},
                                .timestamp = UnixFromMilliseconds(1'700'000'000'005),
                                .describe = false,
                                .end_mark = false}));
}

TEST(Render, WritesIntegersAndShortDecimalsPlainly) {
  EXPECT_EQ(Line(0), "limpet_load1 0\n");
  EXPECT_EQ(Line(-0.0), "limpet_load1 -0\n");
  EXPECT_EQ(Line(-17), "limpet_load1 -17\n");
  EXPECT_EQ(Line(9653.88), "limpet_load1 9653.88\n");
  EXPECT_EQ(Line(-0.001), "limpet_load1 -0.001\n");
  EXPECT_EQ(Line(1234567.125), "limpet_load1 1234567.125\n");
  EXPECT_EQ(Line(0.1), "limpet_load1 0.1\n");
  EXPECT_EQ(Line(0.1 + 0.2), "limpet_load1 0.30000000000000004\n");
  EXPECT_EQ(Line(9007199254740991), "limpet_load1 9007199254740991\n");
  EXPECT_EQ(Line(1e300), "limpet_load1 1e+300\n");
}

TEST(Render, WritesNaNAndInfinityAsWords) {
  EXPECT_EQ(Line(std::numeric_limits<double>::quiet_NaN()), "limpet_load1 NaN\n");
  EXPECT_EQ(Line(std::numeric_limits<double>::infinity()), "limpet_load1 +Inf\n");
  EXPECT_EQ(Line(-std::numeric_limits<double>::infinity()), "limpet_load1 -Inf\n");
}

TEST(Render, EveryDoubleReadsBackAsItself) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 200'000; ++i) {
    const double value = i % 2 == 0 ? std::bit_cast<double>(random())
                                    : static_cast<double>(random() % 1'000'000'000'000) / 1000;
    if (std::isnan(value)) {
      continue;
    }
    const auto page = Line(value);
    const auto item = PageParser(page).Next();
    ASSERT_EQ(item.kind, ItemKind::kSample) << page;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(item.value), std::bit_cast<std::uint64_t>(value))
        << page;
  }
}

// Whatever is in a label or help text, a parser reads it back.
TEST(Render, LabelsOfEveryKindReadBack) {
  std::mt19937_64 random(12);
  const std::vector<std::string> pieces = {"a", "\\", "\"", "\n", "}",        "{",
                                           ",", "=",  " ",  "#",  "\xC3\xA9", ""};
  for (int i = 0; i < 20'000; ++i) {
    LabelSet::Pairs pairs;
    for (auto left = random() % 4; left != 0; --left) {
      std::string value;
      for (auto more = random() % 12; more != 0; --more) {
        value += pieces[random() % pieces.size()];
      }
      pairs.emplace_back("label" + std::to_string(left), std::move(value));
    }
    const auto at =
        UnixFromMilliseconds(static_cast<std::int64_t>(random() % 2'000'000'000'000) - 1000);
    const Family family{&kReads, {{MakeLabels(pairs), static_cast<double>(i)}}};
    const auto format = i % 2 == 0 ? Format::kText : Format::kOpenMetrics;
    const auto page = Render({&family, 1}, format, {.timestamp = at});
    PageParser parser(page, {.format = format});
    auto item = parser.Next();
    while (item.kind != ItemKind::kSample) {
      ASSERT_NE(item.kind, ItemKind::kEnd);
      ASSERT_NE(item.kind, ItemKind::kError) << parser.error().Text() << "\n" << page;
      item = parser.Next();
    }
    EXPECT_EQ(item.name, "limpet_disk_reads_total");
    EXPECT_EQ(item.value, i);
    EXPECT_EQ(item.timestamp, at);
    const auto read = ParseLabels(item.labels);
    ASSERT_TRUE(read) << read.error().Text();
    EXPECT_EQ(*read, pairs);
  }
}

TEST(Render, FamiliesOfOneNameBecomeOne) {
  const Families families = {{&kReads, {{MakeLabels({{"device", "a"}}), 1}}},
                             {&kLoad, {{nullptr, 2}}},
                             {&kReads, {{MakeLabels({{"device", "b"}}), 3}}}};
  EXPECT_EQ(Render(families, Format::kText, kBare),
            "limpet_disk_reads_total{device=\"a\"} 1\n"
            "limpet_disk_reads_total{device=\"b\"} 3\n"
            "limpet_load1 2\n");
}

TEST(Render, AHistogramHasBucketsSumAndCount) {
  constexpr MetricInfo kWait{.name = "wait_seconds",
                             .type = MetricType::kHistogram,
                             .unit = "seconds",
                             .help = "Waiting."};
  const auto sda = MakeLabels({{"device", "sda"}});
  const Family family{&kWait,
                      {{MakeLabels({{"device", "sda"}, {"le", "+Inf"}}), 2, SamplePart::kBucket},
                       {sda, 0.5, SamplePart::kSum},
                       {sda, 2, SamplePart::kCount}}};
  EXPECT_EQ(Render({&family, 1}, Format::kOpenMetrics, {.constant_labels = {{"instance", "a"}}}),
            "# HELP limpet_wait_seconds Waiting.\n# TYPE limpet_wait_seconds histogram\n"
            "# UNIT limpet_wait_seconds seconds\n"
            "limpet_wait_seconds_bucket{instance=\"a\",device=\"sda\",le=\"+Inf\"} 2\n"
            "limpet_wait_seconds_sum{instance=\"a\",device=\"sda\"} 0.5\n"
            "limpet_wait_seconds_count{instance=\"a\",device=\"sda\"} 2\n# EOF\n");
}

TEST(Render, AMetricWithoutSamplesIsLeftOut) {
  const Families families = {{&kReads, {}}};
  EXPECT_EQ(Render(families, Format::kText), "");
  EXPECT_EQ(Render(families, Format::kOpenMetrics), "# EOF\n");
}

TEST(Render, OnlyAUnitThatEndsTheNameIsDeclared) {
  const auto page = Render(SmallPage(), Format::kOpenMetrics);
  EXPECT_THAT(page, HasSubstr("# UNIT limpet_disk_time_seconds seconds\n"));
  EXPECT_THAT(page, Not(HasSubstr("# UNIT limpet_disk_reads")));
  EXPECT_THAT(Render(SmallPage(), Format::kText), Not(HasSubstr("UNIT")));
}

TEST(Render, CanUseTheNamesOfNodeExporter) {
  const Family family{&kFaults, {{nullptr, 1}}};
  EXPECT_EQ(Render({&family, 1}, Format::kText, {.prefix = "node_", .node_exporter_names = true}),
            "# HELP node_vmstat_pgfault Page faults.\n"
            "# TYPE node_vmstat_pgfault untyped\n"
            "node_vmstat_pgfault 1\n");
  EXPECT_EQ(Render({&family, 1}, Format::kText),
            "# HELP limpet_vmstat_pgfault_total Page faults.\n"
            "# TYPE limpet_vmstat_pgfault_total counter\n"
            "limpet_vmstat_pgfault_total 1\n");
}

TEST(Render, TimestampsAreMillisecondsRoundedDown) {
  const Family family{&kLoad, {{nullptr, 1}}};
  const auto at = UnixFromNanoseconds(1'700'000'000'123'999'999);
  auto options = kBare;
  options.timestamp = at;
  options.end_mark = false;
  EXPECT_EQ(Render({&family, 1}, Format::kText, options), "limpet_load1 1 1700000000123\n");
  EXPECT_EQ(Render({&family, 1}, Format::kOpenMetrics, options), "limpet_load1 1 1700000000.123\n");
  options.timestamp = UnixFromMilliseconds(-1);
  EXPECT_EQ(Render({&family, 1}, Format::kOpenMetrics, options), "limpet_load1 1 -0.001\n");
}

TEST(Render, AWrongSizeHintChangesNothing) {
  const auto families = SmallPage();
  const auto page = Render(families, Format::kText);
  EXPECT_EQ(Render(families, Format::kText, {.size_hint = 1}), page);
  EXPECT_EQ(Render(families, Format::kText, {.size_hint = 1 << 20}), page);
  Family many{&kReads, {}};
  many.samples.assign(5000, {MakeLabels({{"device", std::string(50, 'x')}}), 1.0 / 3});
  EXPECT_EQ(Render({&many, 1}, Format::kText, {.size_hint = 1}),
            Render({&many, 1}, Format::kText, {.size_hint = 1 << 20}));
}

}  // namespace
}  // namespace limpet::writer_test
