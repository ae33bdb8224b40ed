#include "diagnoser/detect/onset.h"

#include <gmock/gmock.h>

#include <random>

namespace limpet::onset_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<double> Steps(std::size_t low, std::size_t high, double from, double to) {
  std::vector<double> steps(low, from);
  steps.insert(steps.end(), high, to);
  return steps;
}

TEST(Onset, IsWhereTheStepIs) {
  const std::vector<double> peers(10, 5);
  EXPECT_EQ(FindOnset(Steps(6, 4, 5, 50), peers, Direction::kHigh), 6U);
  EXPECT_EQ(FindOnset(Steps(6, 4, 5, 1), peers, Direction::kLow), 6U);
  EXPECT_EQ(FindOnset(Steps(9, 1, 5, 50), peers, Direction::kHigh), 9U);
}

TEST(Onset, OfADifferenceThatWasThereAllTheTimeIsTheBegin) {
  const std::vector<double> peers(10, 5);
  EXPECT_EQ(FindOnset(Steps(0, 10, 5, 50), peers, Direction::kHigh), 0U);
  EXPECT_EQ(FindOnset(Steps(5, 5, 45, 50), peers, Direction::kHigh), 0U);
  EXPECT_EQ(FindOnset({}, {}, Direction::kHigh), 0U);
}

TEST(Onset, WhatThePeersDoAtTheSameTimeIsNoStep) {
  EXPECT_EQ(FindOnset(Steps(6, 4, 25, 125), Steps(6, 4, 5, 105), Direction::kHigh), 0U);
}

// A step of ten times the noise is found within two samples, wherever it is.
TEST(Onset, IsFoundUnderNoise) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 1);
    const std::size_t at = 4 + seed % 56;
    std::vector<double> own(64);
    std::vector<double> peers(64);
    for (std::size_t i = 0; i < own.size(); ++i) {
      peers[i] = 20 + noise(random);
      own[i] = 20 + noise(random) + (i < at ? 0 : 10);
    }
    const auto found = FindOnset(own, peers, Direction::kHigh);
    EXPECT_LE(found, at + 2) << "seed " << seed;
    EXPECT_GE(found + 2, at) << "seed " << seed;
  }
}

MemberSamples Samples(const std::vector<double>& values) {
  MemberSamples samples;
  (void)samples.metrics.Add(values);
  return samples;
}

TEST(MedianSteps, AreOfThoseWithoutHoles) {
  const std::vector<MemberSamples> samples = {Samples({1, 10}), Samples({2, 20}), Samples({9}),
                                              Samples({3, 30})};
  const std::vector<std::size_t> all = {0, 1, 2, 3};
  EXPECT_THAT(MedianSteps(samples, 0, all, 2), ElementsAre(2, 20));
  const std::vector<std::size_t> two = {0, 2};
  EXPECT_THAT(MedianSteps(samples, 0, two, 2), IsEmpty());
}

}  // namespace
}  // namespace limpet::onset_test
