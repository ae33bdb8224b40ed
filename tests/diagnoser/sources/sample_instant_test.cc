#include "diagnoser/sources/sample_instant.h"

#include <gtest/gtest.h>

#include "exporter/common/instants.h"

namespace limpet::sample_instant_test {
namespace {

using namespace std::chrono_literals;

constexpr UnixTime kAsked = UnixFromMilliseconds(1'700'000'000'400);

TEST(SampleInstant, IsWhatThePageSays) {
  EXPECT_EQ(SampleInstant("# HELP limpet_sample_timestamp_seconds When.\n"
                          "# TYPE limpet_sample_timestamp_seconds gauge\n"
                          "limpet_sample_timestamp_seconds 1700000000.001\nother 1\n"),
            UnixFromMilliseconds(1'700'000'000'001));
  EXPECT_EQ(SampleInstant("limpet_sample_timestamp_seconds 1.7e+09"),
            UnixFromSeconds(1'700'000'000));
}

// Differences of such instants and ours would not fit 64 bits.
TEST(SampleInstant, OfAClockOutOfBoundsIsTheNearest) {
  EXPECT_EQ(SampleInstant("limpet_sample_timestamp_seconds -8000000000\n"), kEarliestInstant);
  EXPECT_EQ(SampleInstant("limpet_sample_timestamp_seconds 4733510400\n"), kLatestInstant);
}

TEST(SampleInstant, IsMissingOnOtherPages) {
  EXPECT_EQ(SampleInstant(""), std::nullopt);
  EXPECT_EQ(SampleInstant("node_time_seconds 1700000000\n"), std::nullopt);
  EXPECT_EQ(SampleInstant("# limpet_sample_timestamp_seconds 1700000000\n"), std::nullopt);
  EXPECT_EQ(SampleInstant("limpet_sample_timestamp_seconds never\n"), std::nullopt);
  EXPECT_EQ(SampleInstant("x{a=\"limpet_sample_timestamp_seconds 1\"} 1\n"), std::nullopt);
}

TEST(ClockSkew, IsZeroWhileTheSampleCouldBeTheLatestOne) {
  EXPECT_EQ(ClockSkew(kAsked, kAsked, kAsked, 1s), 0s);
  EXPECT_EQ(ClockSkew(kAsked - 1s, kAsked, kAsked, 1s), 0s);
  EXPECT_EQ(ClockSkew(kAsked + 3s, kAsked, kAsked + 4s, 1s), 0s) << "it took 4 s to answer";
}

TEST(ClockSkew, IsTheLeastThatExplainsTheSample) {
  EXPECT_EQ(ClockSkew(kAsked + 3s, kAsked, kAsked, 1s), 3s);
  EXPECT_EQ(ClockSkew(kAsked - 3s, kAsked, kAsked, 1s), -2s);
  EXPECT_EQ(ClockSkew(kAsked + 3s, kAsked, kAsked + 1s, 1s), 2s);
  EXPECT_EQ(ClockSkew(kAsked - 3s, kAsked, kAsked + 4s, 1s), -2s);
}

}  // namespace
}  // namespace limpet::sample_instant_test
