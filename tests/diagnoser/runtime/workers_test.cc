#include "diagnoser/runtime/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace limpet::workers_test {
namespace {

TEST(Workers, EveryNumberComesOnceOnWhicheverThread) {
  for (const std::size_t threads : {0U, 1U, 3U}) {
    Workers workers(threads);
    for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
      std::vector<int> came(count);
      workers.ForEach(count, [&](std::size_t i) { ++came[i]; });
      EXPECT_EQ(came, std::vector<int>(count, 1)) << threads << " threads";
    }
  }
}

TEST(Workers, PartsMayHavePartsThemselves) {
  for (const std::size_t threads : {0U, 1U, 3U}) {
    Workers workers(threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::vector<int>> came(5, std::vector<int>(7));
      workers.ForEach(came.size(), [&](std::size_t i) {
        workers.ForEach(came[i].size(), [&, i](std::size_t j) { ++came[i][j]; });
      });
      EXPECT_EQ(came, std::vector(5, std::vector(7, 1))) << threads << " threads";
    }
  }
}

TEST(Workers, WhatWasStartedIsThereWhenItIsAskedFor) {
  for (const std::size_t threads : {0U, 2U}) {
    Workers workers(threads);
    std::vector<std::future<int>> results;
    for (int i = 0; i < 50; ++i) {
      results.push_back(workers.Start<int>([i] { return i * i; }));
    }
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(results[static_cast<std::size_t>(i)].get(), i * i);
    }
  }
}

// A round must not wait for what was started before it, and does not disturb it.
TEST(Workers, ARoundGoesOnWhileWorkIsWaiting) {
  Workers workers(1);
  std::atomic<bool> go{false};
  auto slow = workers.Start<int>([&] {
    while (!go) {
      std::this_thread::yield();
    }
    return 7;
  });
  std::atomic<int> sum{0};
  workers.ForEach(100, [&](std::size_t i) { sum += static_cast<int>(i); });
  EXPECT_EQ(sum, 4950);
  go = true;
  EXPECT_EQ(slow.get(), 7);
}

// The only thread is busy, so whoever waits does the rest.
TEST(Workers, WhoeverAwaitsDoesWhatWaits) {
  Workers workers(1);
  std::atomic<bool> go{false};
  std::atomic<bool> begun{false};
  auto slow = workers.Start<int>([&] {
    begun = true;
    while (!go) {
      std::this_thread::yield();
    }
    return 7;
  });
  while (!begun) {
    std::this_thread::yield();
  }
  const auto caller = std::this_thread::get_id();
  auto own = workers.Start<std::thread::id>([] { return std::this_thread::get_id(); });
  auto later = workers.Start<std::thread::id>([] { return std::this_thread::get_id(); });
  workers.Await(own);
  EXPECT_EQ(own.get(), caller);
  workers.Await(slow);  // does what is left, and comes back
  EXPECT_EQ(later.get(), caller);
  go = true;
  EXPECT_EQ(slow.get(), 7);
  Workers nobody(0);
  auto alone = nobody.Start<int>([] { return 3; });
  nobody.Await(alone);
  EXPECT_EQ(alone.get(), 3);
}

TEST(Workers, AnExceptionReachesTheCaller) {
  for (const std::size_t threads : {0U, 2U}) {
    Workers workers(threads);
    EXPECT_THROW(workers.ForEach(10,
                                 [](std::size_t i) {
                                   if (i == 3) {
                                     throw std::runtime_error("no memory");
                                   }
                                 }),
                 std::runtime_error);
    auto failing = workers.Start<int>([]() -> int { throw std::runtime_error("x"); });
    EXPECT_THROW((void)failing.get(), std::runtime_error);
  }
}

TEST(Workers, TheEndWaitsForWhatWasStarted) {
  std::atomic<int> done{0};
  {
    Workers workers(2);
    for (int i = 0; i < 20; ++i) {
      (void)workers.Start<int>([&] { return ++done; });
    }
  }
  EXPECT_EQ(done, 20);
}

}  // namespace
}  // namespace limpet::workers_test
