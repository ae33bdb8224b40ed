#include "diagnoser/evidence/profiles/profile_findings.h"

#include <gmock/gmock.h>

#include <cmath>

namespace limpet::profile_findings_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

ProfileModel Model() {
  return {.metrics = {HostMetric::kSystem, HostMetric::kUser},
          .sigma = {1, 0.5},
          .profiles = {},
          .threshold = 0.3,
          .trained = true};
}

HostSample Average(double user, double system) {
  auto sample = MissingHostSample();
  sample[Index(HostMetric::kUser)] = user;
  sample[Index(HostMetric::kSystem)] = system;
  return sample;
}

ProfileStatus Indicting(const std::string& node) {
  return {.nodes = {{.node = node, .label = 1, .distance = 0.6, .alarm = true, .indicted = true}}};
}

TEST(ProfileFindings, NameTheMetricThatDiffersMostFirst) {
  const std::vector<NodeAverage> averages = {
      {"a", Average(10, 5)}, {"b", Average(14, 5)}, {"c", Average(70, 9)}, {"d", Average(12, 5)}};
  const auto findings = ProfileFindings(Model(), Indicting("c"), averages);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].node, "c");
  EXPECT_EQ(findings[0].cause, Cause::kBehaviour);
  EXPECT_DOUBLE_EQ(findings[0].degree, 2);
  // ln(10 / 6) of system is half a standard deviation: not of note beside user.
  ASSERT_THAT(findings[0].evidence, SizeIs(2));
  EXPECT_EQ(findings[0].evidence[0].metric, "profile");
  EXPECT_EQ(findings[0].evidence[0].s, 0.6);
  EXPECT_EQ(findings[0].evidence[0].peers, 3U);
  const auto& user = findings[0].evidence[1];
  EXPECT_EQ(user.metric, "user");
  EXPECT_EQ(user.mean, 70);
  EXPECT_EQ(user.peer_median, 12);
  EXPECT_EQ(user.direction, Direction::kHigh);
  EXPECT_DOUBLE_EQ(user.degree, std::log(71.0 / 13.0) / 0.5);
}

TEST(ProfileFindings, TheMedianOfAnEvenNumberOfPeersLiesBetweenTwo) {
  const std::vector<NodeAverage> averages = {
      {"a", Average(10, 5)}, {"b", Average(20, 5)}, {"c", Average(0, 5)}};
  const auto findings = ProfileFindings(Model(), Indicting("c"), averages);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].evidence[1].peer_median, 15);
  EXPECT_EQ(findings[0].evidence[1].direction, Direction::kLow);
}

TEST(ProfileFindings, AMetricThatHardlyVariedInTrainingIsNoAstronomy) {
  auto model = Model();
  model.sigma[0] = 1e-13;
  const std::vector<NodeAverage> averages = {
      {"a", Average(10, 5)}, {"b", Average(10, 5)}, {"c", Average(10, 9)}};
  const auto findings = ProfileFindings(model, Indicting("c"), averages);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].evidence[1].metric, "system");
  EXPECT_EQ(findings[0].evidence[1].degree, 1000);
}

TEST(ProfileFindings, LeaveOutWhoIsNotIndictedAndWhatIsMissing) {
  auto status = Indicting("c");
  const std::vector<NodeAverage> averages = {{"a", MissingHostSample()}, {"c", Average(70, 9)}};
  const auto findings = ProfileFindings(Model(), status, averages);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].evidence, SizeIs(1));  // nobody to compare its metrics with
  status.nodes[0].indicted = false;
  EXPECT_THAT(ProfileFindings(Model(), status, averages), IsEmpty());
}

}  // namespace
}  // namespace limpet::profile_findings_test
