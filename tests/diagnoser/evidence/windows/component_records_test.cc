#include "diagnoser/evidence/windows/component_records.h"

#include <gmock/gmock.h>

#include <cmath>

namespace limpet::component_records_test {
namespace {

using namespace std::chrono_literals;

constexpr UnixTime kEnd = UnixFromSeconds(1'700'000'000);

ComponentState Judged(const std::string& component, UnixTime end) {
  return {.preset = "p",
          .group = "g",
          .metric = "await",
          .component = component,
          .accumulator = 3,
          .recent = {{.end = end, .degree = 1, .anomalous = true}},
          .episodes = {}};
}

TEST(ComponentRecords, ForgetsThoseThatAreGoneAndWereJudgedLongAgo) {
  const auto preset = DefaultPreset();
  ComponentRecords records(preset);
  records.Restore(Judged("a/gone", kEnd - 1h), true);
  records.Restore(Judged("a/just-gone", kEnd), true);
  records.Restore(Judged("a/masked", kEnd - 1h), true);
  records.ForgetGone(
      [](const std::string& node, const std::string& component) {
        EXPECT_EQ(node, "a");
        return component != "a/masked";
      },
      kEnd - 1min);
  EXPECT_FALSE(records.All().contains("a/gone"));
  EXPECT_TRUE(records.All().contains("a/just-gone"));
  EXPECT_TRUE(records.All().contains("a/masked"));
}

// Anomalous windows of a metric whose two sides mean different things, low ones first.
MetricRecord FilterSides(const std::vector<double>& degrees) {
  static const auto kPreset = DefaultPreset();
  ComponentRecords records(kPreset);
  auto& component = records.Find({.name = "a", .node = "a", .device = "", .entities = {}});
  MetricRecord last;
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    last = records.Filter(component, "unsent", JudgeMode::kJudge,
                          {.end = kEnd + kPreset.Shift() * static_cast<std::int64_t>(i),
                           .degree = degrees[i],
                           .anomalous = std::abs(degrees[i]) > 1},
                          1, Sides::kTwo);
  }
  return last;
}

TEST(ComponentRecords, MakeAFlagOfWindowsOfOneSideOnly) {
  EXPECT_FALSE(FilterSides({-4, -4, 3, 3, 0}).flagged);
  const auto low = FilterSides({-4, -3, -5, 2, 0});
  EXPECT_TRUE(low.flagged);
  EXPECT_TRUE(low.low);
  EXPECT_EQ(low.degree, 3);
  const auto high = FilterSides({-4, -4, 2, 3, 4});
  EXPECT_TRUE(high.flagged);
  EXPECT_FALSE(high.low);
  EXPECT_EQ(high.degree, 2);
}

}  // namespace
}  // namespace limpet::component_records_test
