#include "diagnoser/verdict/past_flags.h"

#include <gmock/gmock.h>

#include <string_view>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/verdict/root_cause.h"

namespace limpet::past_flags_test {
namespace {

using std::chrono::minutes;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kPeers = 10;  // ms

UnixTime At(int minute) { return UnixTime(minutes(1'000'000 + minute)); }

// A fast scale with windows of 2 minutes and a slow one with windows of 30, k = 2.
class PastFlagsTest : public ::testing::Test {
 protected:
  // The ends of anomalous windows by which each flags io1; none: it does not.
  void Judge(int now, const std::vector<int>& fast, const std::vector<int>& slow,
             std::string_view fast_metric = "await") {
    auto fast_flags = Make(fast);
    for (auto& [node, flags] : fast_flags) {
      flags.front().metric = fast_metric;
    }
    const auto slow_flags = Make(slow);
    selected_ = flags_.Select(std::vector<PastFlags::Scale>{
        {.window = minutes(30), .k = 2, .end = At(now), .flags = &slow_flags},
        {.window = minutes(2), .k = 2, .end = At(now), .flags = &fast_flags}});
  }
  static PastFlags::Flags Make(const std::vector<int>& windows) {
    PastFlags::Flags flags;
    if (!windows.empty()) {
      Evidence evidence;
      evidence.component = "io1/sda";
      evidence.group = "disks";
      evidence.metric = "await";
      evidence.threshold = 2;
      evidence.direction = Direction::kHigh;
      evidence.mean = 2 * kPeers;
      evidence.peer_median = kPeers;
      for (const auto end : windows) {
        evidence.windows.push_back(At(end));
      }
      flags["io1"] = {evidence};
    }
    return flags;
  }

  // What the fast scale's window says of io1: its await, and its degree, of 2 that the slow one
  // wants.
  void Look(int now, double await, double degree, double peers = kPeers) {
    ComponentWindow window;
    window.component = "io1/sda";
    window.direction = await > peers ? Direction::kHigh : Direction::kLow;
    window.window_degree = degree;
    window.mean = await;
    window.peer_median = peers;
    const std::vector<Event> events = {WindowEvent{.end = At(now),
                                                   .preset = {},
                                                   .group = "disks",
                                                   .metric = "await",
                                                   .domain = {},
                                                   .lo = {},
                                                   .hi = {},
                                                   .components = {window}}};
    flags_.Look(1, minutes(2), events);
  }
  // The fault is in all windows of both scales up to minute 40.
  void SeeFault() {
    Look(40, 2 * kPeers, 4);
    Judge(40, {39, 40}, {30, 40});
    ASSERT_THAT(selected_[0], SizeIs(1));
  }

  PastFlags flags_;
  std::vector<PastFlags::Flags> selected_;  // slow, fast
};

TEST_F(PastFlagsTest, SlowFlagsCountBesideFastOnesAndByThemselves) {
  Judge(40, {}, {30, 40});
  EXPECT_THAT(selected_[0], SizeIs(1)) << "a weak fault, which only long windows show";
  Judge(50, {49, 50}, {40, 50});
  EXPECT_THAT(selected_[0], SizeIs(1));
  EXPECT_THAT(selected_[1], SizeIs(1));
}

TEST_F(PastFlagsTest, ASlowFlagThatBeginsAfterTheFastOnesEndedIsOfThePast) {
  Judge(20, {19, 20}, {});
  Judge(21, {}, {});
  Judge(40, {}, {30, 40});
  EXPECT_THAT(selected_[0], IsEmpty()) << "its windows began before minute 20";
  Judge(52, {}, {40, 52});
  EXPECT_THAT(selected_[0], IsEmpty()) << "one window that began later makes no flag";
  Judge(62, {}, {40, 52, 62});
  EXPECT_THAT(selected_[0], SizeIs(1)) << "two do";
}

// A busy system disk is no fault, and put a slow data disk off by half a minute.
TEST_F(PastFlagsTest, WhatMakesNoVerdictPutsNoneOff) {
  for (const auto some : MetricTable()) {
    for (const auto& row : some) {
      flags_ = PastFlags();
      Judge(20, {19, 20}, {}, row.name);
      Judge(21, {}, {});
      Judge(40, {}, {30, 40});
      EXPECT_THAT(selected_[0], SizeIs(IsOnChecklist(row.name) ? 0 : 1)) << row.name;
    }
  }
}

TEST_F(PastFlagsTest, WhatCountedGoesOn) {
  Judge(20, {19, 20}, {10, 20});
  Judge(30, {}, {20, 30});
  EXPECT_THAT(selected_[0], SizeIs(1)) << "it has never stopped";
  Judge(40, {}, {});
  Judge(50, {}, {40, 50});
  EXPECT_THAT(selected_[0], IsEmpty());
}

TEST_F(PastFlagsTest, AFastFlagThatComesBackBringsTheSlowOneBack) {
  Judge(20, {19, 20}, {});
  Judge(30, {}, {20, 30});
  EXPECT_THAT(selected_[0], IsEmpty());
  Judge(31, {30, 31}, {20, 30});
  EXPECT_THAT(selected_[0], SizeIs(1));
}

TEST_F(PastFlagsTest, WhatWasSeenLongAgoIsForgotten) {
  Judge(20, {19, 20}, {});
  Judge(200, {}, {});
  Judge(210, {}, {41, 42});
  EXPECT_THAT(selected_[0], SizeIs(1));
}

TEST_F(PastFlagsTest, ASlowFlagEndsOnceTheFastScaleIsClear) {
  SeeFault();
  Look(42, kPeers, 0);
  Judge(42, {39, 40}, {30, 40});
  EXPECT_THAT(selected_[0], SizeIs(1)) << "one window may be chance";
  Look(43, 0.9 * kPeers, 0);
  Judge(43, {}, {30, 40});
  EXPECT_THAT(selected_[0], IsEmpty()) << "two are enough to name somebody, and to let go";
  Judge(50, {}, {40, 50});
  EXPECT_THAT(selected_[0], IsEmpty()) << "its windows began before";
  Judge(83, {}, {73, 83});
  EXPECT_THAT(selected_[0], SizeIs(1)) << "two that began afterwards";
}

TEST_F(PastFlagsTest, ASlowFlagHoldsWhereTheFastScaleShowsHalfOfIt) {
  SeeFault();
  for (int minute = 42; minute < 50; ++minute) {
    Look(minute, 1.6 * kPeers, 0);
    Judge(minute, {}, {30, 40});
    EXPECT_THAT(selected_[0], SizeIs(1)) << "further from its peers than half, gate closed";
  }
  for (int minute = 50; minute < 60; ++minute) {
    Look(minute, 1.1 * kPeers, 1.1);
    Judge(minute, {}, {40, 50});
    EXPECT_THAT(selected_[0], SizeIs(1)) << "more than half of what the flag needs";
  }
}

TEST_F(PastFlagsTest, WhoIsIdleIsNotWell) {
  SeeFault();
  for (int minute = 42; minute < 50; ++minute) {
    Look(minute, 0.1 * kPeers, 0, 0.1 * kPeers);
    Judge(minute, {}, {30, 40});
    EXPECT_THAT(selected_[0], SizeIs(1)) << "all are";
  }
  for (int minute = 50; minute < 60; ++minute) {
    Look(minute, 0, 0);
    Judge(minute, {}, {40, 50});
    EXPECT_THAT(selected_[0], SizeIs(1)) << "it alone is";
  }
}

TEST_F(PastFlagsTest, AFaultThatComesAndGoesEndsOnlyOnce) {
  SeeFault();
  Look(42, kPeers, 0);
  Look(43, kPeers, 0);
  Judge(43, {}, {30, 40});
  ASSERT_THAT(selected_[0], IsEmpty());
  Look(50, 2 * kPeers, 4);
  Judge(50, {49, 50}, {40, 50});
  ASSERT_THAT(selected_[0], SizeIs(1));
  for (int minute = 52; minute < 60; ++minute) {
    Look(minute, kPeers, 0);
    Judge(minute, {}, {40, 50});
    EXPECT_THAT(selected_[0], SizeIs(1));
  }
}

}  // namespace
}  // namespace limpet::past_flags_test
