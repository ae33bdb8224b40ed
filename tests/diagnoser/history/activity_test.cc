#include "diagnoser/history/activity.h"

#include <gtest/gtest.h>

namespace limpet::activity_test {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

UnixTime At(int second) { return UnixFromSeconds(1'700'000'000 + second); }

ActivityTotals Totals(int second, double small, double small_seconds, double opens) {
  ActivityTotals totals;
  totals.at = At(second);
  totals.has_disks = true;
  totals.writes.small = {small, small_seconds};
  for (std::size_t i = 3; i < kActivityBuckets; ++i) {
    totals.writes.at_most[i] = i < 8 ? small : 2 * small;
  }
  totals.operations[{"server", "open"}] = {opens, opens / 1000};
  totals.operations[{"server", "write"}] = {99 * opens, 0};
  totals.operations[{"client", "stat"}] = {77 * opens, 0};
  return totals;
}

TEST(ActivityLog, RatesAreThoseOfTheStep) {
  ActivityLog log(hours(1), 1 << 20);
  EXPECT_TRUE(log.IsDue(At(0)));
  log.Record(At(0), {{"io1", Totals(0, 100, 1, 10)}});
  EXPECT_EQ(log.Steps().back()->Find("io1"), nullptr) << "one reading is no rate";
  EXPECT_FALSE(log.IsDue(At(4)));
  EXPECT_TRUE(log.IsDue(At(5)));
  EXPECT_TRUE(log.IsDue(At(-1))) << "the clock was set back";
  log.Record(At(5), {{"io1", Totals(5, 150, 3, 60)}});
  const auto* const node = log.Steps().back()->Find("io1");
  ASSERT_NE(node, nullptr);
  EXPECT_FLOAT_EQ(node->writes.small.often, 10);
  EXPECT_FLOAT_EQ(node->writes.small.seconds, 0.04F);
  EXPECT_FLOAT_EQ(node->writes.sizes[3], 10);
  EXPECT_FLOAT_EQ(node->writes.sizes[4], 0);
  EXPECT_FLOAT_EQ(node->writes.sizes[8], 10);
  EXPECT_FLOAT_EQ(node->writes.large.often, 0);
  EXPECT_DOUBLE_EQ(node->MetadataOperations().value(), 10) << "opens of servers alone";
}

TEST(ActivityLog, WhoIsSilentSaysNothing) {
  ActivityLog log(hours(1), 1 << 20);
  log.Record(At(0), {{"io1", Totals(0, 1, 1, 1)}, {"io2", Totals(0, 1, 1, 1)}});
  log.Record(At(5), {{"io1", Totals(5, 1, 1, 1)}, {"io2", Totals(0, 1, 1, 1)}});
  EXPECT_NE(log.Steps().back()->Find("io1"), nullptr);
  EXPECT_EQ(log.Steps().back()->Find("io2"), nullptr);
  log.Restart();
  log.Record(At(10), {{"io1", Totals(10, 0, 0, 0)}});
  EXPECT_EQ(log.Steps().back()->Find("io1"), nullptr) << "counters of another pipeline";
}

// A node that was forgotten and comes back within a step has smaller sums.
TEST(ActivityLog, NoRateIsNegative) {
  ActivityLog log(hours(1), 1 << 20);
  log.Record(At(0), {{"io1", Totals(0, 100, 1, 10)}});
  log.Record(At(5), {{"io1", Totals(5, 3, 0.5, 1)}});
  const auto* const node = log.Steps().back()->Find("io1");
  ASSERT_NE(node, nullptr);
  EXPECT_FLOAT_EQ(node->writes.small.often, 0);
  EXPECT_FLOAT_EQ(node->writes.small.seconds, 0);
  EXPECT_DOUBLE_EQ(node->MetadataOperations().value(), 0);
}

TEST(ActivityLog, IsBoundedByBytesAndAge) {
  ActivityLog log(seconds(50), 1 << 20);
  for (int i = 0; i < 40; ++i) {
    log.Record(At(5 * i), {{"io1", Totals(5 * i, i, i, i)}});
  }
  EXPECT_EQ(log.Steps().size(), 11U);
  const auto bytes = log.Bytes();
  log.SetBounds(seconds(50), bytes / 2);
  log.Record(At(200), {{"io1", Totals(200, 40, 40, 40)}});
  EXPECT_LE(log.Bytes(), bytes / 2);
  EXPECT_GT(log.Steps().size(), 1U);
  log.SetBounds(seconds(50), 0);
  log.Record(At(205), {{"io1", Totals(205, 41, 41, 41)}});
  EXPECT_EQ(log.Steps().size(), 1U) << "the latest stays";
}

TEST(ActivityLog, NodesThatTellNothingCostNothing) {
  ActivityLog log(hours(1), 1 << 20);
  log.Record(At(0), {});
  log.Record(At(5), {});
  EXPECT_TRUE(log.Steps().empty());
  EXPECT_EQ(log.Bytes(), 0U);
}

TEST(ActivityLog, NamesOfOperationsAreShared) {
  ActivityLog log(hours(1), 1 << 20);
  for (int i = 0; i < 3; ++i) {
    log.Record(At(5 * i), {{"io1", Totals(5 * i, i, i, i)}});
  }
  EXPECT_EQ(log.Steps()[1]->Find("io1")->names, log.Steps()[2]->Find("io1")->names);
}

TEST(NodeActivity, WithoutServersNobodyKnowsOfMetadata) {
  ActivityLog log(hours(1), 1 << 20);
  for (const int second : {0, 5}) {
    auto totals = Totals(second, 1, 1, second);
    std::erase_if(totals.operations, [](const auto& one) { return one.first.first == "server"; });
    log.Record(At(second), {{"client", totals}});
  }
  EXPECT_FALSE(log.Steps().back()->Find("client")->MetadataOperations());
}

}  // namespace
}  // namespace limpet::activity_test
