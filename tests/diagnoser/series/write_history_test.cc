#include "diagnoser/series/write_history.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/support/property.h"

namespace limpet::write_history_test {
namespace {

using ::testing::DoubleEq;
using ::testing::Optional;

constexpr double kSeconds = 4;
constexpr double kLeast = 25;

// The end of so many stretches.
UnixTime At(std::size_t stretches) {
  return UnixFromSeconds(1'700'000'000 + 4 * static_cast<std::int64_t>(stretches));
}

// What is written of 100 B/s that come in, stretch by stretch; the last `window` are the window's.
WriteHistory Receiving100(const std::vector<double>& written, std::size_t window) {
  WriteHistory history;
  for (const double rate : written) {
    history.stretches.push_back({.end = At(history.stretches.size() + 1),
                                 .seconds = kSeconds,
                                 .written = rate,
                                 .received = 100});
  }
  history.window_begin = At(written.size() - window);
  return history;
}

TEST(WriteHistory, WhatWasHeldBackForMinutesAndIsWrittenNowIsPaid) {
  std::vector<double> written(40, 0);
  written.insert(written.end(), 36, 200);
  EXPECT_DOUBLE_EQ(PartHeldBack(Receiving100(written, 4), 1, kLeast), 1);
}

TEST(WriteHistory, WhatNeverCameInWasNotHeldBack) {
  std::vector<double> written(40, 100);
  written.insert(written.end(), 4, 200);
  EXPECT_EQ(PartHeldBack(Receiving100(written, 4), 1, kLeast), 0);
}

TEST(WriteHistory, ADebtIsPaidOnce) {
  std::vector<double> written(10, 0);
  written.insert(written.end(), 10, 200);
  EXPECT_DOUBLE_EQ(PartHeldBack(Receiving100(written, 4), 1, kLeast), 1);
  written.insert(written.end(), 4, 200);
  EXPECT_EQ(PartHeldBack(Receiving100(written, 4), 1, kLeast), 0)
      << "a hog that began in the burst";
  EXPECT_DOUBLE_EQ(PartHeldBack(Receiving100(written, 8), 1, kLeast), 0.5);
}

TEST(WriteHistory, WhoAlwaysWritesALittleLessOwesNothing) {
  std::vector<double> written(40, 80);
  written.insert(written.end(), 4, 200);
  EXPECT_EQ(PartHeldBack(Receiving100(written, 4), 1, kLeast), 0);
}

TEST(WriteHistory, WhereAllCompressTheShareOfAllIsWhatIsOwed) {
  std::vector<double> written(40, 50);
  written.insert(written.end(), 4, 200);
  EXPECT_EQ(PartHeldBack(Receiving100(written, 4), 0.5, kLeast), 0);
}

TEST(WriteHistory, TheShareIsThatOfAllItsTime) {
  const auto history = Receiving100({0, 0, 200, 120}, 1);
  EXPECT_THAT(WrittenShare(history.stretches, 1), Optional(DoubleEq(0.8)));
  EXPECT_EQ(WrittenShare(history.stretches, 100), std::nullopt);
  EXPECT_EQ(WrittenShare({}, 1), std::nullopt);
}

// However long a server holds writes back and however fast it writes then: until all is written,
// everything beyond what comes in had come in before.
RC_GTEST_PROP(WriteHistory, ABurstIsPaidToItsEnd, ()) {
  const auto silent = *rc::gen::inRange<std::size_t>(4, 60);
  const auto coming = *rc::gen::container<std::vector<int>>(120, rc::gen::inRange(50, 150));
  const double faster = *rc::gen::inRange(15, 40) / 10.0;
  WriteHistory history;
  double owed = 0;
  for (std::size_t i = 0; i < coming.size(); ++i) {
    const double received = coming[i];
    const bool burst = i >= silent;
    const double written = burst ? std::min(faster * 150, received + owed / kSeconds) : 0;
    owed += kSeconds * (received - written);
    history.stretches.push_back(
        {.end = At(i + 1), .seconds = kSeconds, .written = written, .received = received});
    history.window_begin = At(i - 3);
    if (burst && owed > 1) {
      RC_ASSERT(PartHeldBack(history, 1, kLeast) > 0.999);
    }
  }
}

// A server whose kernel writes once in a while owes as much each time, with more load more.
RC_GTEST_PROP(WriteHistory, WhoPaidBeforeOwesAsUsual, ()) {
  const auto every = *rc::gen::inRange<std::size_t>(4, 30);
  const auto coming = *rc::gen::container<std::vector<int>>(120, rc::gen::inRange(70, 130));
  WriteHistory history;
  double owed = 0;
  for (std::size_t i = 0; i < coming.size(); ++i) {
    const double received = coming[i];
    owed += kSeconds * received;
    const double written = i % every == every - 1 ? owed / kSeconds : 0;
    owed -= kSeconds * written;
    history.stretches.push_back(
        {.end = At(i + 1), .seconds = kSeconds, .written = written, .received = received});
    RC_ASSERT(IsUsualDebt(history, 1, kLeast) == (i >= every - 1));
  }
}

// What a stranger sends is never written: it is as much as was ever held back after a while.
RC_GTEST_PROP(WriteHistory, WhatIsNeverWrittenIsNoUsualDebtForLong, ()) {
  const auto every = *rc::gen::inRange<std::size_t>(2, 20);
  const double stranger = *rc::gen::inRange(100, 2000);
  WriteHistory history;
  double owed = 0;
  const auto add = [&](double received) {
    const auto i = history.stretches.size();
    owed += kSeconds * 100;
    const double written = i % every == every - 1 ? owed / kSeconds : 0;
    owed -= kSeconds * written;
    history.stretches.push_back(
        {.end = At(i + 1), .seconds = kSeconds, .written = written, .received = received});
  };
  while (history.stretches.size() < 60) {
    add(100);
  }
  const double usual = 100.0 * static_cast<double>(every);
  for (double sent = 0; sent <= 2 * usual; sent += stranger) {
    add(100 + stranger);
  }
  RC_ASSERT(!IsUsualDebt(history, 1, kLeast));
}

TEST(WriteHistory, WhoNeverHeldBackHasNoUsualDebt) {
  std::vector<double> written(40, 100);
  EXPECT_FALSE(IsUsualDebt(Receiving100(written, 4), 1, kLeast));
  written.insert(written.end(), 4, 0);
  EXPECT_FALSE(IsUsualDebt(Receiving100(written, 4), 1, kLeast));
  EXPECT_FALSE(IsUsualDebt({}, 1, kLeast));
}

// A stranger's bytes never came in: as soon as what is owed is paid, they are its own.
RC_GTEST_PROP(WriteHistory, AStrangersBytesAreNotPaidForLong, ()) {
  const auto before = *rc::gen::container<std::vector<int>>(60, rc::gen::inRange(80, 121));
  const double stranger = *rc::gen::inRange(60, 300);
  auto history = Receiving100({}, 0);
  for (std::size_t i = 0; i < before.size() + 8; ++i) {
    const double own = i < before.size() ? before[i] : 100 + stranger;
    history.stretches.push_back(
        {.end = At(i + 1), .seconds = kSeconds, .written = own, .received = 100});
  }
  history.window_begin = At(before.size() + 4);
  RC_ASSERT(PartHeldBack(history, 1, kLeast) == 0);
}

}  // namespace
}  // namespace limpet::write_history_test
