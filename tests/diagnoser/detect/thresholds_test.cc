#include "diagnoser/detect/thresholds.h"

#include <gmock/gmock.h>

namespace limpet {
namespace {

using ::testing::HasSubstr;

constexpr auto kFile = R"(version: 1
preset: testbench
trained: {from: 2023-11-14, to: 2023-11-15}
thresholds:
  io:
    await: {a/sda: 0.8, b/sda: 1.2, c/sda: 3}
cwnd:
  io-cwnd: {cwnd_client: 0.91}
)";

TEST(Thresholds, AreFoundByGroupMetricAndComponent) {
  const auto thresholds = ParseThresholds(kFile, "t.yml");
  ASSERT_TRUE(thresholds) << thresholds.error().Text();
  EXPECT_EQ(thresholds->preset, "testbench");
  EXPECT_EQ(thresholds->Find("io", "await", "b/sda"), 1.2);
  EXPECT_EQ(thresholds->FindCwnd("io-cwnd", "cwnd_client"), 0.91);
  EXPECT_FALSE(thresholds->FindCwnd("io-cwnd", "cwnd_server"));
}

TEST(Thresholds, AComponentWithoutTrainingHasTheMedian) {
  const auto thresholds = ParseThresholds(kFile, "t.yml");
  EXPECT_EQ(thresholds->Find("io", "await", "new/sda"), 1.2);
  EXPECT_FALSE(thresholds->Find("io", "tps", "a/sda"));
  EXPECT_FALSE(thresholds->Find("other", "await", "a/sda"));
}

std::string Problem(const std::string& text) {
  const auto thresholds = ParseThresholds(text, "t.yml");
  return thresholds ? "accepted" : thresholds.error().Text();
}

TEST(Thresholds, RefuseWhatCannotBeMeant) {
  EXPECT_THAT(Problem("preset: a\n"), HasSubstr("version"));
  EXPECT_THAT(Problem("version: 2\npreset: a\n"), HasSubstr("version"));
  EXPECT_THAT(Problem("version: 1\n"), HasSubstr("preset"));
  EXPECT_THAT(Problem("version: 1\npreset: a\nthresholds: {g: {await: {x: 0}}}\n"),
              HasSubstr("t.yml:3: thresholds.g.await.x: expected a number over 0"));
  EXPECT_THAT(Problem("version: 1\npreset: a\nthresholds: {g: {await: {x: nan}}}\n"),
              HasSubstr("number over 0"));
  EXPECT_THAT(Problem("version: 1\npreset: a\nthresholds: {g: 3}\n"), HasSubstr("expected a map"));
  EXPECT_THAT(Problem("version: 1\npreset: a\ncwnd: {g: {cwnd_client: 0.99}}\n"),
              HasSubstr("0.05 to 0.95"));
  EXPECT_EQ(Problem("version: 1\npreset: a\nthresholds:\ncwnd:\n"), "accepted");
}

}  // namespace
}  // namespace limpet
