#include "diagnoser/custom/joins.h"

#include <gtest/gtest.h>

namespace limpet::joins_test {
namespace {

using std::chrono::seconds;
const UnixTime kStart = UnixTime(std::chrono::hours(500'000));
const CustomJoin kOsds = {.series = "ceph_osd_metadata", .on = {"ceph_daemon"}};

class JoinsTest : public ::testing::Test {
 protected:
  JoinsTest() { joins_.Expect(kOsds); }
  std::uint32_t Add(const std::string& osd, const std::string& host, std::uint32_t source = 0) {
    return joins_.Add("ceph_osd_metadata", {{"ceph_daemon", osd}, {"hostname", host}}, source)
        .value();
  }
  [[nodiscard]] JoinedLabels Find(const std::string& osd) const {
    return joins_.Find(kOsds, {osd}, {"hostname"});
  }

  CustomJoins joins_;
};

TEST_F(JoinsTest, FindsTheLabelOfTheSameComponent) {
  joins_.Came(Add("osd.1", "io01"), kStart, 1);
  joins_.Came(Add("osd.2", "io02"), kStart, 1);
  EXPECT_EQ(Find("osd.2").values, std::vector<std::string>{"io02"});
  EXPECT_EQ(Find("osd.3").outcome, JoinOutcome::kNone);
}

TEST_F(JoinsTest, SeriesWithoutAReadingOrWithZeroSaysNothing) {
  const auto info = Add("osd.1", "io01");
  EXPECT_EQ(Find("osd.1").outcome, JoinOutcome::kNone);
  joins_.Came(info, kStart, 0);
  EXPECT_EQ(Find("osd.1").outcome, JoinOutcome::kNone);
}

TEST_F(JoinsTest, ComponentThatMovedIsWhereTheNewestSaysSo) {
  const auto before = Add("osd.1", "io01");
  const auto after = Add("osd.1", "io02");
  joins_.Came(before, kStart, 1);
  joins_.Came(after, kStart + seconds(15), 1);
  EXPECT_EQ(Find("osd.1").values, std::vector<std::string>{"io02"});
}

TEST_F(JoinsTest, TwoNodesOnOnePageDecideNothing) {
  joins_.Came(Add("osd.1", "io01"), kStart, 1);
  joins_.Came(Add("osd.1", "io02"), kStart, 1);
  EXPECT_EQ(Find("osd.1").outcome, JoinOutcome::kTwo);
}

TEST_F(JoinsTest, TwoTargetsThatAgreeAreOne) {
  joins_.Came(Add("osd.1", "io01", 1), kStart, 1);
  joins_.Came(Add("osd.1", "io01", 2), kStart + seconds(1), 1);
  EXPECT_EQ(Find("osd.1").values, std::vector<std::string>{"io01"});
}

TEST_F(JoinsTest, TwoTargetsAtOddsDecideNothingUntilOneIsSilent) {
  joins_.Came(Add("osd.1", "io01", 1), kStart, 1);
  const auto other = Add("osd.1", "io02", 2);
  joins_.Came(other, kStart + seconds(1), 1);
  EXPECT_EQ(Find("osd.1").outcome, JoinOutcome::kTwo);
  joins_.Came(other, kStart + seconds(200), 1);
  EXPECT_EQ(Find("osd.1").values, std::vector<std::string>{"io02"});
}

TEST_F(JoinsTest, SeriesWithoutTheLabelSaysNothing) {
  const auto info = joins_.Add("ceph_osd_metadata", {{"ceph_daemon", "osd.1"}}, 0);
  joins_.Came(info.value(), kStart, 1);
  EXPECT_EQ(Find("osd.1").outcome, JoinOutcome::kNone);
}

TEST_F(JoinsTest, OneTargetHasHalfOfTheRoom) {
  for (std::size_t i = 0; i < CustomJoins::kMaxInfos / 2; ++i) {
    ASSERT_TRUE(joins_.Add("ceph_osd_metadata", {{"ceph_daemon", std::to_string(i)}}, 0));
  }
  EXPECT_FALSE(joins_.Add("ceph_osd_metadata", {{"ceph_daemon", "x"}}, 0));
  EXPECT_TRUE(joins_.Add("ceph_osd_metadata", {{"ceph_daemon", "x"}}, 1));
}

TEST_F(JoinsTest, WhatIsSilentIsForgotten) {
  joins_.Came(Add("osd.1", "io01"), kStart, 1);
  joins_.Came(Add("osd.2", "io02"), kStart + seconds(100), 1);
  joins_.Tidy(kStart + seconds(50));
  EXPECT_EQ(joins_.Size(), 1U);
  EXPECT_EQ(Find("osd.1").outcome, JoinOutcome::kNone);
  EXPECT_EQ(Find("osd.2").outcome, JoinOutcome::kFound);
  joins_.Came(Add("osd.3", "io03"), kStart + seconds(100), 1);  // in the place of the first
  EXPECT_EQ(Find("osd.3").values, std::vector<std::string>{"io03"});
}

}  // namespace
}  // namespace limpet::joins_test
