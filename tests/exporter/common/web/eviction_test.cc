#include "exporter/common/web/eviction.h"

#include <vector>

namespace limpet::web::eviction_test {
namespace {

constexpr SteadyTime kNow{std::chrono::hours(1)};

Usage Stuck(int seconds_ago) { return {kNow - std::chrono::seconds(seconds_ago), false}; }
Usage IdleScraper(int seconds_ago) { return {kNow - std::chrono::seconds(seconds_ago), true}; }
Usage Pipelining() { return {.since = kNow, .is_pipelining = true}; }
Usage Among(std::size_t connections, Usage usage) {
  usage.of_same_client = connections;
  return usage;
}

std::size_t Least(const std::vector<Usage>& usages) { return LeastUseful(usages, kNow); }

TEST(LeastUseful, TheOldestOfThoseHalfWayThroughSomething) {
  EXPECT_EQ(Least({Stuck(5), Stuck(9), Stuck(2)}), 1U);
}

TEST(LeastUseful, AStuckOneBeforeAnIdleScraperHoweverLongThatIsIdle) {
  EXPECT_EQ(Least({IdleScraper(60), Stuck(2), IdleScraper(1)}), 1U);
}

TEST(LeastUseful, AnIdleScraperBeforeOneThatHasJustCome) {
  EXPECT_EQ(Least({Stuck(0), IdleScraper(15), IdleScraper(30), Stuck(0)}), 2U);
}

TEST(LeastUseful, WhenAllHaveJustComeTheFirstOfThem) {
  EXPECT_EQ(Least({Stuck(0), Stuck(0)}), 0U);
  EXPECT_EQ(Least({Stuck(0)}), 0U);
}

TEST(LeastUseful, AClientThatPipelinesGetsNoGrace) {
  EXPECT_EQ(Least({Stuck(0), IdleScraper(30), Pipelining()}), 2U);
}

TEST(LeastUseful, OfTheClientWithTheMostConnections) {
  EXPECT_EQ(Least({IdleScraper(60), Among(300, Stuck(0)), Among(300, IdleScraper(1))}), 2U);
  EXPECT_EQ(Least({Stuck(9), Among(2, Stuck(5)), Among(3, Stuck(2))}), 2U);
}

TEST(LeastUseful, AStuckOneBeforeTheManyScrapersBehindOneProxy) {
  EXPECT_EQ(Least({Among(100, IdleScraper(15)), Stuck(2), Among(100, IdleScraper(5))}), 1U);
}

}  // namespace
}  // namespace limpet::web::eviction_test
