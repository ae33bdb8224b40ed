#include "exporter/collectors/histograms.h"

#include <gtest/gtest.h>

#include <array>

#include "exporter/common/exposition/writer.h"

namespace limpet::histograms_test {
namespace {

constexpr MetricInfo kTimes{.name = "x_seconds", .type = MetricType::kHistogram, .help = "X."};
// Buckets of at most 1.024, 2.048, 4.096 µs and of more; the page has the second edge and +Inf.
constexpr HistogramShape kShape{.first_log2 = 10, .unit = 1e-9, .first = 1, .last = 1, .step = 2};

TEST(Histogram, IsCumulativeAndEndsWithInfinity) {
  Family family{.info = &kTimes, .samples = {}};
  const std::array<std::uint64_t, 4> counts = {1, 2, 4, 8};
  AddHistogram(family, MakeHistogramLabels({{"device", "sda"}}, kShape), kShape, counts, 0.5);
  EXPECT_EQ(Render(std::array{family}, Format::kText, {.describe = false}),
            "limpet_x_seconds_bucket{device=\"sda\",le=\"2.048e-06\"} 3\n"
            "limpet_x_seconds_bucket{device=\"sda\",le=\"+Inf\"} 15\n"
            "limpet_x_seconds_sum{device=\"sda\"} 0.5\n"
            "limpet_x_seconds_count{device=\"sda\"} 15\n");
}

TEST(Histogram, OfBytesHasWholeEdges) {
  constexpr HistogramShape kSizes{.first_log2 = 9, .unit = 1, .first = 0, .last = 2, .step = 1};
  const auto labels = MakeHistogramLabels({}, kSizes);
  ASSERT_EQ(labels.buckets.size(), 4U);
  EXPECT_EQ(labels.buckets[0]->Rendered(), "le=\"512\"");
  EXPECT_EQ(labels.buckets[2]->Rendered(), "le=\"2048\"");
}

}  // namespace
}  // namespace limpet::histograms_test
