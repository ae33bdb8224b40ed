#include "diagnoser/pipeline/component_records.h"

#include <gmock/gmock.h>

namespace limpet {
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

}  // namespace
}  // namespace limpet
