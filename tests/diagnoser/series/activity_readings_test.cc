#include "diagnoser/series/activity_readings.h"

#include <gtest/gtest.h>

#include <string>

namespace limpet::activity_readings_test {
namespace {

using std::chrono::seconds;

class Activity : public ::testing::Test {
 protected:
  static UnixTime At(int second) { return UnixFromSeconds(1'700'000'000 + second); }
  std::optional<std::uint32_t> Resolve(const std::string& name, const LabelPairs& labels,
                                       const std::string& node = "io1") {
    return activity_.Resolve({.field = FindField(name).value(),
                              .labels = labels,
                              .source = {.node = node, .role = "io", .labels = {}}});
  }
  // Readings a second apart.
  void Feed(const std::string& name, const LabelPairs& labels, std::vector<double> values,
            const std::string& node = "io1") {
    const auto series = Resolve(name, labels, node);
    ASSERT_TRUE(series) << name;
    for (std::size_t i = 0; i < values.size(); ++i) {
      activity_.Add(*series, At(static_cast<int>(i)), values[i]);
    }
  }
  ActivityTotals Of(const std::string& node = "io1") { return activity_.Totals().at(node); }

  ActivityReadings activity_;
};

constexpr auto kRequests = "limpet_block_requests_total";
constexpr auto kBuckets = "limpet_block_request_bytes_bucket";
constexpr auto kCalls = "limpet_syscall_operation_seconds_count";

TEST_F(Activity, AddsUpTheDisksOfANode) {
  Feed(kRequests, {{"device", "sda"}, {"operation", "write"}, {"size", "small"}}, {10, 13});
  Feed(kRequests, {{"device", "sdb"}, {"operation", "write"}, {"size", "small"}}, {7, 8});
  Feed(kRequests, {{"device", "sda"}, {"operation", "write"}, {"size", "large"}}, {0, 5});
  Feed("limpet_block_request_seconds_total",
       {{"device", "sda"}, {"operation", "read"}, {"size", "large"}}, {1, 1.5});
  EXPECT_EQ(Of().writes.small.count, 4);
  EXPECT_EQ(Of().writes.large.count, 5);
  EXPECT_EQ(Of().reads.large.seconds, 0.5);
  EXPECT_TRUE(Of().has_disks);
  EXPECT_EQ(Of().at, At(1));
}

TEST_F(Activity, KnowsTheEdgesOfSizesAndNoOthers) {
  const auto labels = [](const char* edge) {
    return LabelPairs{{"device", "sda"}, {"le", edge}, {"operation", "read"}};
  };
  Feed(kBuckets, labels("512"), {0, 1});
  Feed(kBuckets, labels("4096"), {0, 3});
  Feed(kBuckets, labels("+Inf"), {0, 9});
  EXPECT_FALSE(Resolve(kBuckets, labels("5000")));
  EXPECT_FALSE(Resolve(kBuckets, labels("many")));
  EXPECT_EQ(Of().reads.at_most[0], 1);
  EXPECT_EQ(Of().reads.at_most[3], 3);
  EXPECT_EQ(Of().reads.at_most[kActivityBuckets - 1], 9);
}

TEST_F(Activity, CountsCallsByRoleAndOperation) {
  const auto labels = [](const char* process, const char* role) {
    return LabelPairs{{"operation", "open"}, {"process", process}, {"process_role", role}};
  };
  Feed(kCalls, labels("a", "server"), {0, 2});
  Feed(kCalls, labels("b", "server"), {0, 3});
  Feed(kCalls, labels("c", "client"), {0, 7});
  Feed("limpet_syscall_operation_seconds_sum", labels("a", "server"), {0, 0.5});
  const auto operations = Of().operations;
  ASSERT_EQ(operations.size(), 2U);
  EXPECT_EQ(operations.at({"server", "open"}).count, 5);
  EXPECT_EQ(operations.at({"server", "open"}).seconds, 0.5);
  EXPECT_FALSE(Of().has_disks);
}

TEST_F(Activity, ACounterThatFallsAddsNothingAndAnOldReadingIsNone) {
  const LabelPairs labels = {{"device", "sda"}, {"operation", "read"}, {"size", "small"}};
  Feed(kRequests, labels, {100, 110, 4, 112});
  EXPECT_EQ(Of().reads.small.count, 12);
  activity_.Add(*Resolve(kRequests, labels), At(1), 500);
  EXPECT_EQ(Of().reads.small.count, 12);
}

TEST_F(Activity, LeavesOutWhatNobodyShowsOrOwns) {
  EXPECT_FALSE(Resolve(kRequests, {{"device", "sda"}, {"operation", "flush"}, {"size", "small"}}));
  EXPECT_FALSE(Resolve(kCalls, {{"process", "a"}}));
  EXPECT_FALSE(
      Resolve(kRequests, {{"device", "sda"}, {"operation", "read"}, {"size", "small"}}, ""));
  EXPECT_TRUE(activity_.Totals().empty());
}

TEST_F(Activity, IsBoundedForEachNode) {
  std::size_t known = 0;
  for (std::size_t i = 0; i < ActivityReadings::kMaxPerNode + 5; ++i) {
    known += Resolve(kCalls, {{"operation", std::to_string(i)}}).has_value() ? 1U : 0U;
  }
  EXPECT_EQ(known, ActivityReadings::kMaxPerNode);
  EXPECT_TRUE(Resolve(kCalls, {{"operation", "open"}}, "io2"));
}

TEST_F(Activity, ForgetsNodesAndWhatIsSilent) {
  const LabelPairs labels = {{"operation", "open"}, {"process_role", "server"}};
  Feed(kCalls, labels, {1, 2}, "io1");
  Feed(kCalls, labels, {1, 2, 3}, "io2");
  activity_.Forget("stranger");
  activity_.Tidy(At(2));
  EXPECT_EQ(activity_.Totals().count("io1"), 0U);
  Feed(kCalls, labels, {1, 2, 3, 10}, "io2");
  EXPECT_EQ(Of("io2").operations.begin()->second.count, 9);
  activity_.Forget("io2");
  EXPECT_TRUE(activity_.Totals().empty());
  Feed(kCalls, labels, {5, 6}, "io2");
  EXPECT_EQ(Of("io2").operations.begin()->second.count, 1);
}

}  // namespace
}  // namespace limpet::activity_readings_test
