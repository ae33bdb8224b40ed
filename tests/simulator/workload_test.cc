#include "tests/simulator/workload.h"

#include <gtest/gtest.h>

#include <set>

namespace limpet::simulator::workload_test {
namespace {

TEST(Client, StripesRecordsOverAllServers) {
  Client client({.workload = Workload::kDdr}, 1);
  const auto step = client.Next(Seconds(0));
  EXPECT_TRUE(step.all);
  EXPECT_EQ(step.kind, Step::Kind::kRead);
  EXPECT_EQ(step.bytes, 4 << 20);
  EXPECT_GE(step.think, Seconds(15));
  EXPECT_LT(client.Next(Seconds(20)).think, Seconds(5));
}

TEST(Client, WritesAllocateOnlyTheFirstTimeWithIozone) {
  Client client({.workload = Workload::kIozonew, .half = Seconds(100)}, 1);
  EXPECT_TRUE(client.Next(Seconds(0)).allocates);
  EXPECT_TRUE(client.Next(Seconds(50)).allocates);
  const auto turn = client.Next(Seconds(150));
  EXPECT_GE(turn.think, Seconds(2));  // fsync
  const auto rewrite = client.Next(Seconds(151));
  EXPECT_EQ(rewrite.kind, Step::Kind::kWrite);
  EXPECT_FALSE(rewrite.allocates);
}

TEST(Client, PostmarkUsesEveryServerAndAsksTheDirectories) {
  Client client({.workload = Workload::kPostmark, .servers = 5}, 2);
  std::set<std::size_t> data;
  std::size_t transactions = 0;
  std::size_t everywhere = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto step = client.Next(Seconds(i));
    transactions += step.look_ups > 0 ? 1 : 0;
    everywhere += step.all ? 1 : 0;
    if (step.data) {
      EXPECT_FALSE(step.all);
      EXPECT_LE(step.bytes, 12288);  // PostMark's largest file in blocks of 4 KiB
      data.insert(step.server);
    }
  }
  EXPECT_EQ(data.size(), 5U);
  EXPECT_NEAR(static_cast<double>(everywhere) / static_cast<double>(transactions), 0.5, 0.1);
  EXPECT_NE(client.DirectoryServer(0), client.DirectoryServer(1));
}

TEST(Workload, HasThePapersNames) {
  EXPECT_EQ(Name(Workload::kIozoner), "iozoner");
  EXPECT_EQ(Name(Workload::kPostmark), "postmark");
}

}  // namespace
}  // namespace limpet::simulator::workload_test
