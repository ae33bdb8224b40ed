#include "diagnoser/custom/askers.h"

#include <gtest/gtest.h>

namespace limpet::askers_test {
namespace {

using std::chrono::seconds;
const UnixTime kStart = UnixTime(std::chrono::hours(500'000));

// Each rises by its amount every 15 s, so many times.
void Feed(Askers& askers, const std::vector<std::pair<std::uint32_t, double>>& each, int times) {
  for (int i = 0; i <= times; ++i) {
    for (const auto& [place, rise] : each) {
      askers.Came(place, kStart + i * Askers::kTick, i == 0 ? 0 : rise);
    }
  }
}

TEST(AskersTest, TheOneThatAsksForMostHasARateAndAShare) {
  Askers askers;
  const auto one = askers.Add("4711", 0);
  const auto other = askers.Add("4712", 0);
  Feed(askers, {{one, 300}, {other, 100}}, 20);
  const auto ranked = askers.Rank(kStart + 20 * Askers::kTick);
  ASSERT_EQ(ranked.size(), 2U);
  EXPECT_EQ(ranked[0].name, "4711");
  EXPECT_DOUBLE_EQ(ranked[0].rate, 20);
  EXPECT_DOUBLE_EQ(ranked[0].share, 0.75);
  EXPECT_EQ(ranked[1].name, "4712");
}

TEST(AskersTest, RatesBeginWithTheFirstReading) {
  Askers askers;
  const auto one = askers.Add("4711", 0);
  Feed(askers, {{one, 300}}, 2);
  EXPECT_DOUBLE_EQ(askers.Rank(kStart + 2 * Askers::kTick).at(0).rate, 20);
}

TEST(AskersTest, WhoHasStoppedAsksForNothing) {
  Askers askers;
  const auto one = askers.Add("4711", 0);
  Feed(askers, {{one, 300}}, 8);
  EXPECT_TRUE(askers.Rank(kStart + 17 * Askers::kTick).empty());
  EXPECT_TRUE(Askers().Rank(kStart).empty());
}

TEST(AskersTest, PlacesOfThoseWhoAreGoneAreTakenAnew) {
  Askers askers;
  const auto one = askers.Add("4711", 3);
  const auto other = askers.Add("4712", 5);
  askers.Came(one, kStart, 0);
  askers.Came(other, kStart + seconds(60), 0);
  EXPECT_EQ(askers.Tidy(kStart + seconds(1)), std::vector<std::uint32_t>{3});
  EXPECT_FALSE(askers.Find("4711"));
  EXPECT_EQ(askers.Find("4712"), other);
  EXPECT_EQ(askers.Add("4713", 3), one);
  EXPECT_EQ(askers.All().size(), 2U);
}

TEST(AskersTest, NamesAreCutOff) {
  Askers askers;
  const auto place = askers.Add(std::string(1000, 'x'), 0);
  EXPECT_EQ(askers.Find(std::string(1000, 'x')), place);
  EXPECT_EQ(askers.All()[place].name.size(), Askers::kMaxNameBytes);
}

}  // namespace
}  // namespace limpet::askers_test
