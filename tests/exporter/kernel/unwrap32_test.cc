#include "exporter/kernel/unwrap32.h"

#include <gtest/gtest.h>

#include <random>

namespace limpet::unwrap32_test {
namespace {

TEST(Unwrap32, GoesOnOverTheWrap) {
  Unwrap32 counter(4294967290U);
  EXPECT_TRUE(counter.Update(4));
  EXPECT_EQ(counter.Total(), 4294967300U);
  EXPECT_TRUE(counter.Update(4));
  EXPECT_EQ(counter.Total(), 4294967300U);
}

TEST(Unwrap32, ASmallStepBackIsNoWrap) {
  Unwrap32 counter(1000);
  EXPECT_FALSE(counter.Update(990));
  EXPECT_EQ(counter.Total(), 1000U) << "a total never falls";
  EXPECT_TRUE(counter.Update(1010));
  EXPECT_EQ(counter.Total(), 1020U) << "and goes on from the new reading";
}

TEST(Unwrap32, TakesWiderCountersAsTheyAre) {
  Unwrap32 counter(4294967290U);
  EXPECT_TRUE(counter.Update(4294967300U));
  EXPECT_EQ(counter.Total(), 4294967300U);
  EXPECT_FALSE(counter.Update(4294967299U));
  EXPECT_EQ(counter.Total(), 4294967300U);
}

TEST(Unwrap32, ATotalAtItsEndDoesNotBeginAgain) {
  Unwrap32 counter(UINT64_MAX);
  EXPECT_FALSE(counter.Update(9));
  EXPECT_EQ(counter.Total(), UINT64_MAX);
}

// Whatever the steps, as long as each is under 2^31: the increase equals the truth.
TEST(Unwrap32, IncreaseEqualsTheTruthOverAnyNumberOfWraps) {
  std::mt19937_64 random(20250102);
  for (int run = 0; run < 200; ++run) {
    std::uint64_t truth = random() % (std::uint64_t{1} << 40U);
    const std::uint64_t first = truth;
    Unwrap32 counter(truth & UINT32_MAX);
    const std::uint64_t start = counter.Total();
    for (int step = 0; step < 100; ++step) {
      truth += random() % (std::uint64_t{1} << (1 + random() % 31));
      ASSERT_TRUE(counter.Update(truth & UINT32_MAX));
      ASSERT_EQ(counter.Total() - start, truth - first);
    }
  }
}

}  // namespace
}  // namespace limpet::unwrap32_test
