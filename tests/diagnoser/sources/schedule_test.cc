#include "diagnoser/sources/schedule.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace limpet::schedule_test {
namespace {

using namespace std::chrono_literals;

TEST(Schedule, TheNextInstantIsInThisIntervalOrTheNext) {
  const auto at = [](std::int64_t ms) { return UnixFromMilliseconds(1'700'000'000'000 + ms); };
  EXPECT_EQ(UntilNext(at(0), 1s, 300ms), 300ms);
  EXPECT_EQ(UntilNext(at(299), 1s, 300ms), 1ms);
  EXPECT_EQ(UntilNext(at(300), 1s, 300ms), 1s);
  EXPECT_EQ(UntilNext(at(900), 1s, 300ms), 400ms);
}

TEST(Schedule, APhaseKeepsClearOfTheWholeSecond) {
  for (int i = 0; i < 1000; ++i) {
    const auto node = "io" + std::to_string(i);
    EXPECT_GE(FindPhase(node, 1s), 150ms);
    EXPECT_LT(FindPhase(node, 1s), 850ms);
    EXPECT_LT(FindPhase(node, 15s), 15s);
    EXPECT_GE(FindPhase(node, 15s) % 1s, 150ms);
    EXPECT_LT(FindPhase(node, 700ms), 700ms);
  }
}

TEST(Schedule, AThousandTargetsAreSpreadEvenly) {
  std::array<int, 15> per_second{};
  std::array<int, 7> per_tenth{};
  for (int i = 0; i < 1000; ++i) {
    const auto node = "oss" + std::to_string(i);
    ++per_second.at(static_cast<std::size_t>(FindPhase(node, 15s) / 1s));
    ++per_tenth.at(static_cast<std::size_t>((FindPhase(node, 1s) - 150ms) / 100ms));
  }
  for (const int count : per_second) {  // 67 expected
    EXPECT_GT(count, 30);
    EXPECT_LT(count, 110);
  }
  for (const int count : per_tenth) {  // 143 expected
    EXPECT_GT(count, 90);
    EXPECT_LT(count, 200);
  }
}

}  // namespace
}  // namespace limpet::schedule_test
