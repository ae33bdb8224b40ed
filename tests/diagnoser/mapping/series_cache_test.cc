#include "diagnoser/mapping/series_cache.h"

#include <gmock/gmock.h>

#include <string>

namespace limpet::series_cache_test {
namespace {

using Kind = SeriesCache::LineKind;

SeriesTarget Target(std::uint32_t entity) {
  return {.field = {EntityKind::kDisk, 0}, .entity = entity};
}

TEST(SeriesCache, FindsWhatWasAddedInAnyOrder) {
  SeriesCache cache;
  cache.Rewind();
  for (std::uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(cache.Find("series" + std::to_string(i)), SeriesCache::kNone);
    cache.Add("series" + std::to_string(i), Kind::kSeries, Target(i));
  }
  for (int round = 0; round < 3; ++round) {
    cache.Rewind();
    for (std::uint32_t i = 0; i < 1000; ++i) {
      const auto wanted = round == 1 ? 999 - i : i;
      const auto found = cache.Find("series" + std::to_string(wanted));
      ASSERT_NE(found, SeriesCache::kNone);
      EXPECT_EQ(cache.At(found).target.entity, wanted);
    }
  }
  EXPECT_EQ(cache.Find("other"), SeriesCache::kNone);
  EXPECT_EQ(cache.Size(Kind::kSeries), 1000U);
}

TEST(SeriesCache, ExpectsThePageBefore) {
  SeriesCache cache;
  EXPECT_EQ(cache.Expected(), SeriesCache::kNone);
  cache.Rewind();
  const auto help = cache.Add("# HELP a b", Kind::kComment, {});
  const auto a = cache.Add("a", Kind::kSeries, Target(1));
  const auto b = cache.Add("b", Kind::kIgnored, {});
  EXPECT_EQ(cache.Expected(), SeriesCache::kNone);
  cache.Rewind();
  EXPECT_EQ(cache.Expected(), help);
  cache.Came(help);
  EXPECT_EQ(cache.Expected(), a);
  EXPECT_EQ(cache.At(a).Text(), "a");
  cache.Came(a);
  EXPECT_EQ(cache.Expected(), b);
  EXPECT_EQ(cache.OtherBytes(), 11U);
}

// One page a round: the lines that every page has, and one that no other has.
TEST(SeriesCache, WhatHasNotComeForAWhileIsForgotten) {
  SeriesCache cache;
  const auto see = [&](const std::string& text) {
    if (cache.Find(text) == SeriesCache::kNone) {
      cache.Add(text, text == "# HELP" ? Kind::kComment : Kind::kSeries, Target(7));
    }
  };
  for (int page = 0; page < 1000; ++page) {
    cache.ForgetUnseen(8);
    cache.Rewind();
    see("# HELP");
    see("a");
    see("only" + std::to_string(page));
    see("b");
    EXPECT_LE(cache.Size(Kind::kSeries), 2 + 16U);
    EXPECT_LE(cache.Bytes(), 200U);
  }
  cache.Rewind();
  EXPECT_EQ(cache.OtherBytes(), 6U);
  const auto a = cache.Find("a");
  ASSERT_NE(a, SeriesCache::kNone);
  EXPECT_EQ(cache.At(a).target.entity, 7U);
}

TEST(SeriesCache, APageThatAlternatesIsRememberedWhole) {
  SeriesCache cache;
  for (int page = 0; page < 100; ++page) {
    cache.ForgetUnseen(8);
    cache.Rewind();
    for (int line = 0; line < 10; ++line) {
      const auto text = std::to_string(page % 2) + "-" + std::to_string(line);
      if (cache.Find(text) == SeriesCache::kNone) {
        EXPECT_LT(page, 2) << "only the first of each is new";
        cache.Add(text, Kind::kSeries, Target(1));
      }
    }
  }
  EXPECT_EQ(cache.Size(Kind::kSeries), 20U);
}

TEST(SeriesCache, AnotherOrderIsLearntAtOnce) {
  SeriesCache cache;
  cache.Rewind();
  const auto a = cache.Add("a", Kind::kSeries, Target(1));
  const auto b = cache.Add("b", Kind::kSeries, Target(2));
  const auto c = cache.Add("c", Kind::kSeries, Target(3));
  cache.Rewind();
  EXPECT_EQ(cache.Find("c"), c);
  EXPECT_EQ(cache.Find("a"), a);
  EXPECT_EQ(cache.Find("b"), b);
  cache.Rewind();
  EXPECT_EQ(cache.Expected(), c);
  cache.Came(c);
  EXPECT_EQ(cache.Expected(), a);
}

TEST(SeriesCache, ASeriesInTheMiddleDoesNotLoseTheRest) {
  SeriesCache cache;
  cache.Rewind();
  const auto a = cache.Add("a", Kind::kSeries, Target(1));
  const auto b = cache.Add("b", Kind::kSeries, Target(2));
  cache.Rewind();
  EXPECT_EQ(cache.Find("a"), a);
  cache.Add("new", Kind::kSeries, Target(3));
  EXPECT_EQ(cache.Find("b"), b);
}

TEST(SeriesCache, TextsOfAnyLengthStayWhereTheyAre) {
  SeriesCache cache;
  std::vector<std::pair<std::uint32_t, std::string>> kept;
  for (std::size_t length : {0U, 1U, 1000U, 100'000U, 5U, 70'000U, 3U}) {
    const std::string text(length, static_cast<char>('a' + static_cast<int>(kept.size())));
    kept.emplace_back(cache.Add(text, Kind::kSeries, {}), text);
  }
  for (const auto& [number, text] : kept) {
    EXPECT_EQ(cache.At(number).Text(), text);
    EXPECT_EQ(cache.Find(text), number);
  }
}

}  // namespace
}  // namespace limpet::series_cache_test
