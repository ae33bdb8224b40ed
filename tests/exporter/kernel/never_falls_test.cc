#include "exporter/kernel/never_falls.h"

#include "tests/support/property.h"

namespace limpet::never_falls_test {
namespace {

TEST(NeverFalls, StandsStillUntilTheReadingsHaveCaughtUp) {
  NeverFalls ticks;
  EXPECT_EQ(ticks.Update(20050), 20050U);
  EXPECT_EQ(ticks.Update(20040), 20050U);
  EXPECT_EQ(ticks.Update(20049), 20050U);
  EXPECT_EQ(ticks.Update(20060), 20060U);
}

TEST(NeverFalls, GoesOnFromWhereItWasAfterALargeFall) {
  NeverFalls ticks;
  ticks.Update(1'000'000);
  EXPECT_EQ(ticks.Update(100), 1'000'000U);
  EXPECT_EQ(ticks.Update(150), 1'000'050U);
}

RC_GTEST_PROP(NeverFalls, WhateverIsRead, (const std::vector<std::uint32_t>& readings)) {
  NeverFalls ticks;
  std::uint64_t before = 0;
  for (const auto reading : readings) {
    const auto now = ticks.Update(reading);
    RC_ASSERT(now >= before);
    RC_ASSERT(now >= reading);
    before = now;
  }
}

}  // namespace
}  // namespace limpet::never_falls_test
