#include "diagnoser/verdict/bimodality.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <random>

namespace limpet::bimodality_test {
namespace {

using ::testing::ElementsAre;

std::vector<PeerMedian> Peers(const std::vector<double>& medians) {
  std::vector<PeerMedian> peers;
  for (std::size_t i = 0; i < medians.size(); ++i) {
    peers.push_back({.component = fmt::format("io{:02}/sda", i), .median = medians[i]});
  }
  return peers;
}

bool AreTwo(const std::vector<double>& medians, double floor = 0) {
  return FindTwoKinds(Peers(medians), floor).has_value();
}

TEST(BimodalityCheck, FlashAndSpinningDisksAreTwoKinds) {
  const auto found = FindTwoKinds(Peers({0.41, 8.2, 0.40, 8.0, 0.42, 8.3, 0.39, 8.1}), 0);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->low, ElementsAre("io00/sda", "io02/sda", "io04/sda", "io06/sda"));
  EXPECT_THAT(found->high, ElementsAre("io01/sda", "io03/sda", "io05/sda", "io07/sda"));
  EXPECT_DOUBLE_EQ(found->low_median, 0.405);
  EXPECT_DOUBLE_EQ(found->high_median, 8.15);
  EXPECT_GT(found->separation, 4);
  EXPECT_FALSE(found->label);
}

TEST(BimodalityCheck, TheKindsMayBeOfUnequalSize) {
  EXPECT_TRUE(AreTwo({1, 1.02, 0.98, 4, 4.1, 3.9, 4.05, 3.95, 4.02, 4.01, 3.99, 4.03}));
  EXPECT_TRUE(AreTwo({5, 5.1, 4.9, 9.9, 10, 10.1}));
}

TEST(BimodalityCheck, OneOrFewLimpingServersAreNoKind) {
  EXPECT_FALSE(AreTwo({8, 8.1, 7.9, 8.05, 7.95, 80}));
  EXPECT_FALSE(AreTwo({8, 8.1, 7.9, 8.05, 7.95, 80, 90}));
  EXPECT_FALSE(AreTwo({8, 8.1, 7.9, 8.05, 7.95, 8.02, 7.98, 8.01, 80, 90, 85, 8.03, 7.97}));
  EXPECT_FALSE(AreTwo({8, 8.1, 7.9, 8.05, 7.95, 8.02, 0}));
}

TEST(BimodalityCheck, ALimpingServerDoesNotHideTheKinds) {
  EXPECT_TRUE(AreTwo({0.41, 0.4, 0.42, 0.39, 0.405, 0.4,  0.41, 0.395, 0.4, 0.4,
                      8.2,  8.0, 8.3,  8.1,  8.15,  8.05, 8.2,  8.1,   8.0, 60}));
}

TEST(BimodalityCheck, AnUnimportantDifferenceIsNone) {
  EXPECT_FALSE(AreTwo({10, 10.1, 10.05, 11, 11.1, 11.05}));     // a tenth
  EXPECT_FALSE(AreTwo({0.4, 0.41, 0.39, 2.0, 2.1, 1.9}, 5.0));  // under the metric's floor
  EXPECT_TRUE(AreTwo({0.4, 0.41, 0.39, 2.0, 2.1, 1.9}, 0.5));
}

TEST(BimodalityCheck, TooFewOrAllEqualIsNothing) {
  EXPECT_FALSE(AreTwo({}));
  EXPECT_FALSE(AreTwo({1, 1, 9, 9, 9}));
  EXPECT_FALSE(AreTwo({0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(AreTwo({7, 7, 7, 7, 7, 7}));
}

TEST(BimodalityCheck, AnIdleHalfIsAKindToo) {
  EXPECT_TRUE(AreTwo({0, 0, 0, 0, 900, 950, 910, 940}));
}

TEST(BimodalityCheck, OnePopulationIsHardlyEverTwo) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(1, 3);
  std::normal_distribution<double> normal(10, 2);
  std::lognormal_distribution<double> lognormal(0, 1);
  std::exponential_distribution<double> exponential(1);
  const std::vector<std::pair<const char*, std::function<double()>>> populations = {
      {"uniform", [&] { return uniform(random); }},
      {"normal", [&] { return std::max(0.1, normal(random)); }},
      {"lognormal", [&] { return lognormal(random); }},
      {"exponential", [&] { return exponential(random); }},
      {"pareto", [&] { return std::exp(exponential(random) / 2); }}};
  for (const auto& [name, draw] : populations) {
    for (const std::size_t n : {6U, 8U, 12U, 16U, 30U, 100U}) {
      constexpr int kDraws = 600;
      int two = 0;
      for (int i = 0; i < kDraws; ++i) {
        std::vector<double> medians(n);
        for (auto& median : medians) {
          median = draw();
        }
        two += AreTwo(medians) ? 1 : 0;
      }
      EXPECT_LE(two, kDraws / 50) << name << ", " << n;
    }
  }
}

std::vector<PeerMedian> Labelled(
    const std::vector<std::pair<double, std::map<std::string, std::string>>>& all) {
  std::vector<PeerMedian> peers;
  for (const auto& [median, labels] : all) {
    peers.push_back({.component = fmt::format("n{}", peers.size()),
                     .median = median,
                     .labels = {labels.begin(), labels.end()}});
  }
  return peers;
}

TEST(BimodalityCheck, NamesTheLabelThatTellsThemApart) {
  const auto found = FindTwoKinds(
      Labelled({{0.4, {{"rotational", "0"}, {"rack", "a"}, {"serial", "1"}, {"model", "fast"}}},
                {0.5, {{"rotational", "0"}, {"rack", "b"}, {"serial", "2"}, {"model", "fast"}}},
                {0.45, {{"rotational", "0"}, {"rack", "a"}, {"serial", "3"}, {"model", "fast 2"}}},
                {8.2, {{"rotational", "1"}, {"rack", "b"}, {"serial", "4"}, {"model", "slow"}}},
                {8.0, {{"rotational", "1"}, {"rack", "a"}, {"serial", "5"}, {"model", "slow"}}},
                {8.4, {{"rotational", "1"}, {"rack", "b"}, {"serial", "6"}, {"model", "slow"}}}}),
      0);
  ASSERT_TRUE(found);
  ASSERT_TRUE(found->label);
  EXPECT_EQ(found->label->name, "rotational");
  EXPECT_THAT(found->label->low, ElementsAre("0"));
  EXPECT_THAT(found->label->high, ElementsAre("1"));
  EXPECT_EQ(found->label->agreement, 1);
}

TEST(BimodalityCheck, ALabelThatOneSideLacksTellsThemApart) {
  const auto found = FindTwoKinds(Labelled({{1, {}},
                                            {1.01, {}},
                                            {0.99, {}},
                                            {4, {{"controller", "old"}}},
                                            {4.1, {{"controller", "old"}}},
                                            {3.9, {{"controller", "old"}}}}),
                                  0);
  ASSERT_TRUE(found && found->label);
  EXPECT_EQ(found->label->name, "controller");
  EXPECT_THAT(found->label->low, ElementsAre(""));
  EXPECT_THAT(found->label->high, ElementsAre("old"));
}

TEST(BimodalityCheck, LabelsThatHaveNothingToDoWithItAreNotNamed) {
  const auto found = FindTwoKinds(Labelled({{1, {{"rack", "a"}, {"serial", "1"}}},
                                            {1.01, {{"rack", "b"}, {"serial", "2"}}},
                                            {0.99, {{"rack", "a"}, {"serial", "3"}}},
                                            {4, {{"rack", "b"}, {"serial", "4"}}},
                                            {4.1, {{"rack", "a"}, {"serial", "5"}}},
                                            {3.9, {{"rack", "b"}, {"serial", "6"}}}}),
                                  0);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->label);
}

}  // namespace
}  // namespace limpet::bimodality_test
