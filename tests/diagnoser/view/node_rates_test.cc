#include "diagnoser/view/node_rates.h"

#include <gmock/gmock.h>

#include <cmath>

#include "diagnoser/mapping/members.h"

namespace limpet::node_rates_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class NodeRatesTest : public ::testing::Test {
 protected:
  NodeRatesTest() {
    std::vector<Rule> rules;
    rules.push_back(*Rule::Compile({.name = "disks", .kind = GroupKind::kStorage}));
    rules.push_back(*Rule::Compile({.name = "network", .kind = GroupKind::kNetwork}));
    directory_ = Directory(std::move(rules));
  }

  // Rises by `each` a second until second `last`.
  template <class Counter>
  void Count(Counter counter, const std::string& device, double each, int last = 10) {
    const Field field{Whose(counter), FieldNumber(counter)};
    const auto entity = directory_.Resolve(field, {{"device", device}},
                                           {.node = "io01", .role = "io", .labels = {}});
    ASSERT_TRUE(entity);
    for (int second = 0; second <= last; ++second) {
      (void)readings_.Add(field, *entity, UnixFromSeconds(second), each * second);
    }
  }
  [[nodiscard]] std::vector<NodeRates> Collect(const Counted& counted = {}) const {
    return CollectNodeRates(directory_, readings_, counted, 0,
                            {.oldest = UnixFromSeconds(5), .latest = UnixFromSeconds(10)});
  }

  Directory directory_{{}};
  Readings readings_{{GridSpec{}}};
};

TEST_F(NodeRatesTest, DevicesOfANodeAreAddedUp) {
  EXPECT_THAT(Collect(), IsEmpty());
  Count(DiskCounter::kReadBytes, "sda", 100);
  Count(DiskCounter::kReadBytes, "sdb", 10);
  Count(DiskCounter::kBusySeconds, "sda", 0.5);
  Count(DiskCounter::kBusySeconds, "sdb", 0.25);
  Count(NetCounter::kTxBytes, "eth0", 7);
  const auto rates = Collect();
  ASSERT_THAT(rates, SizeIs(1));
  EXPECT_EQ(rates[0].node, "io01");
  EXPECT_EQ(rates[0].read, 110);
  EXPECT_EQ(rates[0].busy, 0.5) << "of the busiest";
  EXPECT_EQ(rates[0].sent, 7);
  EXPECT_TRUE(std::isnan(rates[0].received));
}

TEST_F(NodeRatesTest, LayersCountOnce) {
  Count(NetCounter::kTxBytes, "eth0", 7);
  Count(NetCounter::kTxBytes, "eth0.5", 7);
  EXPECT_EQ(Collect().at(0).sent, 14) << "before anybody has looked";
  Counted counted;
  counted[Index(EntityKind::kInterface)] = FindAllCounted(directory_, EntityKind::kInterface);
  EXPECT_EQ(Collect(counted).at(0).sent, 7);
}

TEST_F(NodeRatesTest, WhoIsSilentSaysNothing) {
  Count(NetCounter::kTxBytes, "eth0", 7, 3);
  EXPECT_TRUE(std::isnan(Collect().at(0).sent));
}

}  // namespace
}  // namespace limpet::node_rates_test
