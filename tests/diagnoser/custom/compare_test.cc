#include "diagnoser/custom/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "diagnoser/detect/default_presets.h"

namespace limpet::compare_test {
namespace {

CustomMetric Latency() {
  CustomMetric metric;
  metric.name = "fsync";
  metric.text = "time to sync";
  metric.unit = "s";
  metric.noise_floor = 0.001;
  return metric;
}

// Requests with exponential service times around `mean`, a share `slow` of them 20 times as slow.
BucketCounts Draw(std::mt19937& random, double mean, int requests, double slow = 0) {
  BucketCounts counts;
  for (double bound = 0.001; bound < 9; bound *= 2) {
    counts.bounds.push_back(bound);
  }
  counts.at_most.assign(counts.bounds.size(), 0);
  counts.total = requests;
  std::exponential_distribution<double> time(1 / mean);
  std::bernoulli_distribution is_slow(slow);
  for (int i = 0; i < requests; ++i) {
    const double took = time(random) * (is_slow(random) ? 20 : 1);
    for (std::size_t b = 0; b < counts.bounds.size(); ++b) {
      counts.at_most[b] += took <= counts.bounds[b] ? 1 : 0;
    }
  }
  return counts;
}

TEST(CustomCompareTest, SlowOneIsFarFromItsPeers) {
  std::mt19937 random(1);
  std::vector<BucketCounts> counts;
  for (int i = 0; i < 5; ++i) {
    counts.push_back(Draw(random, i == 3 ? 0.08 : 0.01, 2000));
  }
  const auto compared = CompareCounts(Latency(), counts);
  ASSERT_FALSE(compared.undetermined);
  EXPECT_GT(compared.degree[3], 5);
  EXPECT_EQ(compared.direction[3], Direction::kHigh);
  EXPECT_LT(compared.degree[0], 1);
  EXPECT_FALSE(compared.reading[3].quantile.empty());
  EXPECT_GT(compared.reading[3].own, 3 * compared.reading[3].peers_high);
  EXPECT_LE(compared.reading[3].peers_low, compared.reading[3].peers_high);
}

TEST(CustomCompareTest, TailIsSeenWhereTheMeanIsNot) {
  std::mt19937 random(2);
  std::vector<BucketCounts> counts;
  for (int i = 0; i < 6; ++i) {
    counts.push_back(Draw(random, 0.01, 20'000, i == 2 ? 0.01 : 0));
  }
  const auto compared = CompareCounts(Latency(), counts);
  EXPECT_LT(compared.mean[2] / compared.median_mean, 1.25);  // what a mean would have to be
  EXPECT_GT(compared.degree[2], 1);
  EXPECT_EQ(compared.reading[2].quantile, "p99.9");
  for (const std::size_t healthy : {0U, 1U, 3U, 4U, 5U}) {
    EXPECT_LT(compared.degree[healthy], 1);
  }
}

TEST(CustomCompareTest, HealthyPeersAreNearEachOther) {
  std::mt19937 random(3);
  int anomalous = 0;
  for (int window = 0; window < 200; ++window) {
    std::vector<BucketCounts> counts;
    for (int i = 0; i < 5; ++i) {
      counts.push_back(Draw(random, 0.01, 400));
    }
    for (const double degree : CompareCounts(Latency(), counts).degree) {
      anomalous += degree > 1 ? 1 : 0;
    }
  }
  EXPECT_LE(anomalous, 20);  // of 1,000; a flag wants three of five windows
}

TEST(CustomCompareTest, DifferenceBelowTheFloorCountsForNothing) {
  std::mt19937 random(4);
  auto metric = Latency();
  metric.noise_floor = 1;
  std::vector<BucketCounts> counts;
  for (int i = 0; i < 5; ++i) {
    counts.push_back(Draw(random, i == 3 ? 0.08 : 0.01, 2000));
  }
  EXPECT_EQ(CompareCounts(metric, counts).degree[3], 0);
}

TEST(CustomCompareTest, DirectionDecidesWhichSideCounts) {
  std::mt19937 random(5);
  auto metric = Latency();
  std::vector<BucketCounts> counts;
  for (int i = 0; i < 5; ++i) {
    counts.push_back(Draw(random, i == 3 ? 0.002 : 0.05, 2000));
  }
  EXPECT_EQ(CompareCounts(metric, counts).degree[3], 0);
  metric.direction = Direction::kNone;
  EXPECT_GT(CompareCounts(metric, counts).degree[3], 1);
  metric.direction = Direction::kLow;
  EXPECT_GT(CompareCounts(metric, counts).degree[3], 1);
}

// The mean of 10 exponential times is twice that of its peers' in one window of 300.
TEST(CustomCompareTest, WhatFewRequestsMayShowByChanceCountsForNothing) {
  SampleSet samples;
  for (const double mean : {0.02, 0.04, 0.02, 0.02, 0.1}) {
    (void)samples.Add(std::vector<double>(64, mean));
  }
  const auto degrees = [&](double requests) {
    return CompareSamples(Latency(), samples, std::vector<double>(5, requests), DefaultPreset())
        .degree;
  };
  EXPECT_EQ(degrees(10)[1], 0);
  EXPECT_GT(degrees(10)[4], 1);
  EXPECT_GT(degrees(100)[1], 1);
  EXPECT_GT(degrees(kManyRequests)[1], 1);
}

// A healthy OSD had 30 % more to do than its peers, and took 36 % longer.
TEST(CustomCompareTest, WhoHasMoreToDoMayTakeLonger) {
  SampleSet samples;
  for (const double mean : {0.17, 0.17, 0.17, 0.17, 0.23, 0.6}) {
    (void)samples.Add(std::vector<double>(64, mean));
  }
  const auto degrees = [&](double requests) {
    return CompareSamples(Latency(), samples,
                          std::vector<double>{4000, 4100, 3900, 4000, requests, requests},
                          DefaultPreset())
        .degree;
  };
  EXPECT_GT(degrees(4000)[4], 1);
  EXPECT_LT(degrees(5200)[4], 0.5);
  EXPECT_GT(degrees(5200)[5], 3);  // more than its load explains
  EXPECT_GT(degrees(2000)[4], 1);
}

TEST(CustomCompareTest, ManyMoreRequestsExplainSlowHistograms) {
  std::mt19937 random(8);
  std::vector<BucketCounts> counts;
  for (int i = 0; i < 6; ++i) {
    counts.push_back(Draw(random, i == 3 ? 0.015 : 0.01, i == 3 ? 6000 : 4000));
  }
  EXPECT_LT(CompareCounts(Latency(), counts).degree[3], 0.5);
  counts[3] = Draw(random, 0.015, 4000);
  EXPECT_GT(CompareCounts(Latency(), counts).degree[3], 1);
}

TEST(CustomCompareTest, TwoPeersOrNoCommonBoundsAreUndetermined) {
  std::mt19937 random(6);
  std::vector<BucketCounts> counts = {Draw(random, 0.01, 100), Draw(random, 0.01, 100)};
  EXPECT_TRUE(CompareCounts(Latency(), counts).undetermined);
  counts.push_back({.bounds = {3, 5}, .at_most = {1, 2}, .total = 50});
  EXPECT_TRUE(CompareCounts(Latency(), counts).undetermined);
}

TEST(CustomCompareTest, SamplesAreComparedAsThoseOfDisks) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0.02, 0.001);
  SampleSet samples;
  for (int component = 0; component < 5; ++component) {
    std::vector<double> values;
    for (int i = 0; i < 64; ++i) {
      values.push_back(noise(random) * (component == 1 ? 3 : 1));
    }
    (void)samples.Add(values);
  }
  const auto compared =
      CompareSamples(Latency(), samples, std::vector<double>(5, 640), DefaultPreset());
  ASSERT_FALSE(compared.undetermined);
  EXPECT_GT(compared.degree[1], 1);
  EXPECT_NEAR(compared.effect[1], 2, 0.2);
  EXPECT_LT(compared.degree[0], 1);
  EXPECT_NEAR(compared.reading[1].own, 0.06, 0.005);
  EXPECT_NEAR(compared.reading[1].peers_high, 0.02, 0.002);
  EXPECT_TRUE(compared.reading[1].quantile.empty());
}

}  // namespace
}  // namespace limpet::compare_test
