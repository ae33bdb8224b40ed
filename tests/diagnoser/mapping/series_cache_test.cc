#include "diagnoser/mapping/series_cache.h"

#include <gmock/gmock.h>

namespace limpet {
namespace {

SeriesTarget Target(std::uint32_t thing) {
  return {.field = {ThingKind::kDisk, 0}, .thing = thing};
}

TEST(SeriesCache, FindsWhatWasAddedInAnyOrder) {
  SeriesCache cache;
  cache.Rewind();
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(cache.Find("series" + std::to_string(i)), nullptr);
    cache.Add("series" + std::to_string(i), Target(i));
  }
  for (int round = 0; round < 3; ++round) {
    cache.Rewind();
    for (std::uint32_t i = 0; i < 100; ++i) {
      const auto wanted = round == 1 ? 99 - i : i;
      const auto* found = cache.Find("series" + std::to_string(wanted));
      ASSERT_NE(found, nullptr);
      EXPECT_EQ(found->thing, wanted);
    }
  }
  EXPECT_EQ(cache.Find("other"), nullptr);
  EXPECT_EQ(cache.size(), 100U);
}

TEST(SeriesCache, ASeriesInTheMiddleDoesNotLoseTheRest) {
  SeriesCache cache;
  cache.Rewind();
  cache.Add("a", Target(1));
  cache.Add("b", Target(2));
  cache.Rewind();
  EXPECT_EQ(cache.Find("a")->thing, 1U);
  cache.Add("new", Target(3));
  EXPECT_EQ(cache.Find("b")->thing, 2U);
}

}  // namespace
}  // namespace limpet
