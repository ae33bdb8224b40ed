#include "diagnoser/verdict/past_flags.h"

#include <gmock/gmock.h>

namespace limpet {
namespace {

using std::chrono::minutes;
using ::testing::IsEmpty;
using ::testing::SizeIs;

UnixTime At(int minute) { return UnixTime(minutes(1'000'000 + minute)); }

// A fast scale with windows of 2 minutes and a slow one with windows of 30, k = 2.
class PastFlagsTest : public ::testing::Test {
 protected:
  // The ends of anomalous windows by which each flags io1; none: it does not.
  void Judge(int now, const std::vector<int>& fast, const std::vector<int>& slow) {
    const auto fast_flags = Make(fast);
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
      for (const auto end : windows) {
        evidence.windows.push_back(At(end));
      }
      flags["io1"] = {evidence};
    }
    return flags;
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

}  // namespace
}  // namespace limpet
