#include "exporter/common/abandoned.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace limpet::abandoned_test {
namespace {

using namespace std::chrono_literals;
using Numbers = AbandonableWork<int>;

// Work that sleeps until it is let go, as a read of a dead drive does.
struct Hang {
  std::promise<void> gate;
  std::shared_future<void> open = gate.get_future().share();
  Numbers::Work Work() {
    return [open = open](WorkPlace& place) {
      place.Enter("sdb", "/sys/block/sdb/stat");
      open.wait();
      return 0;
    };
  }
};

TEST(AbandonableWork, GivesItsOutcomeOnce) {
  Numbers work;
  EXPECT_FALSE(work.Take(0s));
  ASSERT_TRUE(work.Start([](WorkPlace&) { return 7; }));
  EXPECT_TRUE(work.IsRunning());
  EXPECT_EQ(work.Take(10s), 7);
  EXPECT_FALSE(work.IsRunning());
  EXPECT_FALSE(work.Take(0s));
}

TEST(AbandonableWork, KeepsItsThreadForTheNextPieceOfWork) {
  AbandonableWork<std::thread::id> work;
  const auto run = [&] {
    EXPECT_TRUE(work.Start([](WorkPlace&) { return std::this_thread::get_id(); }));
    return work.Take(10s);
  };
  const auto first = run();
  ASSERT_TRUE(first);
  EXPECT_NE(*first, std::this_thread::get_id());
  EXPECT_EQ(run(), first);
}

TEST(AbandonableWork, ThrowsWhatTheWorkThrewAndGoesOn) {
  Numbers work;
  ASSERT_TRUE(work.Start([](WorkPlace&) -> int { throw std::runtime_error("bad sector"); }));
  EXPECT_THROW((void)work.Take(10s), std::runtime_error);
  ASSERT_TRUE(work.Start([](WorkPlace&) { return 1; }));
  EXPECT_EQ(work.Take(10s), 1);
}

TEST(AbandonableWork, HoldsNothingOfTheWorkOnceItIsTaken) {
  Numbers work;
  auto held = std::make_shared<int>(3);
  const std::weak_ptr<int> seen = held;
  ASSERT_TRUE(work.Start([held = std::move(held)](WorkPlace&) { return *held; }));
  EXPECT_EQ(work.Take(10s), 3);
  EXPECT_TRUE(seen.expired());
}

TEST(AbandonableWork, LeavesBehindWhatHangs) {
  Numbers work;
  Hang hang;
  ASSERT_TRUE(work.Start(hang.Work(), "sdb"));
  EXPECT_FALSE(work.Take(1ms));
  EXPECT_EQ(work.Abandon().unit, "sdb");
  EXPECT_FALSE(work.IsRunning());
  ASSERT_EQ(work.Hanging().size(), 1U);
  ASSERT_TRUE(work.Start([](WorkPlace&) { return 2; }));
  EXPECT_EQ(work.Take(10s), 2);
  hang.gate.set_value();
  while (!work.Hanging().empty()) {
    std::this_thread::yield();
  }
}

TEST(AbandonableWork, HasRoomForSoManyThatHang) {
  Numbers work;
  std::vector<Hang> hangs(Numbers::kMaxHanging);
  for (auto& hang : hangs) {
    EXPECT_TRUE(work.HasRoom());
    ASSERT_TRUE(work.Start(hang.Work()));
    (void)work.Abandon();
  }
  EXPECT_FALSE(work.HasRoom());
  for (auto& hang : hangs) {
    hang.gate.set_value();
  }
  while (!work.Hanging().empty()) {
    std::this_thread::yield();
  }
  EXPECT_TRUE(work.HasRoom());
}

TEST(AbandonableWork, CountsWhatHangsOfTheOneBefore) {
  Numbers before;
  std::vector<Hang> hangs(2);
  ASSERT_TRUE(before.Start(hangs[0].Work()));
  (void)before.Abandon();
  ASSERT_TRUE(before.Start(hangs[1].Work()));
  Numbers work;
  work.Inherit(before);
  EXPECT_EQ(work.Hanging().size(), 2U);
  EXPECT_TRUE(before.Hanging().empty());
  for (auto& hang : hangs) {
    hang.gate.set_value();
  }
  while (!work.Hanging().empty()) {
    std::this_thread::yield();
  }
}

// A read that the kernel begins again and again would take a processor.
TEST(AbandonableWork, WhatIsLeftBehindHasTheLowestPriority) {
  AbandonableWork<int> work;
  std::promise<void> gate;
  std::promise<int> priority;
  std::promise<void> begun;
  ASSERT_TRUE(work.Start([&, open = gate.get_future().share()](WorkPlace&) {
    begun.set_value();
    open.wait();
    priority.set_value(::getpriority(PRIO_PROCESS, 0));
    return 0;
  }));
  begun.get_future().wait();
  (void)work.Abandon();
  gate.set_value();
  EXPECT_EQ(priority.get_future().get(), 19);
  while (!work.Hanging().empty()) {
    std::this_thread::yield();
  }
}

TEST(AbandonableWork, EndsWithoutWaitingForWhatRuns) {
  Hang hang;
  {
    Numbers work;
    ASSERT_TRUE(work.Start(hang.Work()));
  }
  hang.gate.set_value();
}

}  // namespace
}  // namespace limpet::abandoned_test
