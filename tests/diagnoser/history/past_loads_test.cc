#include "diagnoser/history/past_loads.h"

#include <gmock/gmock.h>

namespace limpet::past_loads_test {
namespace {

using namespace std::chrono_literals;

constexpr UnixTime kBegin = UnixFromSeconds(1'700'000'040);  // a whole minute

const ColumnRow& RowOf(Column column) { return ColumnRows()[static_cast<std::size_t>(column)]; }

std::shared_ptr<const Cluster> Nodes(const std::vector<std::string>& names) {
  auto cluster = std::make_shared<Cluster>();
  for (const auto& name : names) {
    cluster->nodes.push_back({.node = name});
  }
  return cluster;
}

// All nodes do the same.
Frame At(UnixTime at, const std::shared_ptr<const Cluster>& cluster, double requests,
         double degree = kMissing) {
  std::vector<NodeRates> rates;
  NodeStates states;
  for (const auto& node : cluster->nodes) {
    rates.push_back({.node = node.node, .requests = requests});
    states[node.node].degree = degree;
  }
  auto frame = MakeFrame(cluster, rates, states, {});
  frame.time = at;
  return frame;
}

double Value(const Frame& frame, std::size_t node, Column column) {
  const auto byte = frame.Row(node)[static_cast<std::size_t>(column)];
  return byte == kUnknown ? kMissing : Dequantised(RowOf(column), byte);
}

TEST(PastLoads, AStepIsTheMeanOfAMinuteAndItsLargestDegree) {
  const auto cluster = Nodes({"a", "b"});
  PastLoads past(6h, 1U << 20U);
  EXPECT_FALSE(past.Record(At(kBegin + 1s, cluster, 100, 0.1)));
  EXPECT_FALSE(past.Record(At(kBegin + 30s, cluster, 100, 5)));
  EXPECT_FALSE(past.Record(At(kBegin + 59s, cluster, 400, 0.1)));
  EXPECT_TRUE(past.Steps().empty());
  EXPECT_TRUE(past.Record(At(kBegin + 60s, cluster, 9000, 0.1)));
  const auto* const step = FindStep(past.Steps(), kBegin + 45s);
  ASSERT_NE(step, nullptr);
  EXPECT_EQ(step->begin, kBegin);
  EXPECT_EQ(step->end, kBegin + 60s);
  const auto frame = FrameOf(*step, cluster);
  EXPECT_EQ(frame.time, step->end);
  EXPECT_NEAR(Value(frame, 1, Column::kLoad), 200, 8);  // a byte's step is 6 %
  EXPECT_NEAR(Value(frame, 1, Column::kDegree), 5, 0.2);
  EXPECT_TRUE(IsMissing(Value(frame, 0, Column::kNetIn)));
  EXPECT_TRUE(IsMissing(Value(frame, 0, Column::kCause)));
}

TEST(PastLoads, NothingIsKeptOfAGapOrOfBefore) {
  const auto cluster = Nodes({"a"});
  PastLoads past(6h, 1U << 20U);
  (void)past.Record(At(kBegin, cluster, 1));
  (void)past.Record(At(kBegin + 10min, cluster, 1));
  (void)past.Record(At(kBegin + 11min, cluster, 1));
  EXPECT_EQ(FindStep(past.Steps(), kBegin - 1s), nullptr);
  EXPECT_NE(FindStep(past.Steps(), kBegin + 59s), nullptr);
  EXPECT_EQ(FindStep(past.Steps(), kBegin + 60s), nullptr);
  // The minute that goes on shows the one before, and no later one does.
  EXPECT_EQ(FindStep(past.Steps(), kBegin + 11min + 30s), past.Steps().back().get());
  EXPECT_EQ(FindStep(past.Steps(), kBegin + 12min), nullptr);
  EXPECT_EQ(FindStep({}, kBegin), nullptr);
}

TEST(PastLoads, NodesThatComeAndGoAreThemselvesEverywhere) {
  PastLoads past(6h, 1U << 20U);
  (void)past.Record(At(kBegin, Nodes({"b", "gone"}), 100));
  (void)past.Record(At(kBegin + 30s, Nodes({"a", "b"}), 300));
  (void)past.Record(At(kBegin + 60s, Nodes({"a", "b"}), 300));
  const auto frame = FrameOf(*past.Steps().front(), Nodes({"a", "b", "new"}));
  EXPECT_NEAR(Value(frame, 0, Column::kLoad), 300, 12);
  EXPECT_NEAR(Value(frame, 1, Column::kLoad), 200, 8);
  EXPECT_TRUE(IsMissing(Value(frame, 2, Column::kLoad)));
}

TEST(PastLoads, StepsGetLongerWhereBytesWouldNotDo) {
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) {
    names.push_back("node" + std::to_string(1000 + i));
  }
  const auto cluster = Nodes(names);
  const auto bytes_of = [&](std::size_t max_bytes) {
    PastLoads past(1h, max_bytes);
    for (int minute = 0; minute < 150; ++minute) {
      (void)past.Record(At(kBegin + minute * 1min, cluster, 100, 0.5));
    }
    const auto& steps = past.Steps();
    // An hour all the same, but for the first step and the one that goes on.
    EXPECT_GT(steps.back()->end - steps.front()->begin, 40min) << max_bytes;
    EXPECT_LE(steps.back()->end - steps.front()->begin, 70min) << max_bytes;
    std::size_t sum = 0;
    for (const auto& step : steps) {
      sum += step->Bytes();
    }
    EXPECT_LE(sum, max_bytes);
    return steps.back()->end - steps.back()->begin;
  };
  EXPECT_EQ(bytes_of(1U << 20U), 1min);
  EXPECT_EQ(bytes_of(60'000), 4min);
}

TEST(PastLoads, ABoundOfNothingKeepsNothing) {
  const auto cluster = Nodes({"a"});
  PastLoads past(0s, 0);
  for (int minute = 0; minute < 20; ++minute) {
    (void)past.Record(At(kBegin + minute * 1min, cluster, 100));
  }
  EXPECT_TRUE(past.Steps().empty());
  past.SetBounds(1h, 1U << 20U);
  (void)past.Record(At(kBegin + 3h, cluster, 100));
  (void)past.Record(At(kBegin + 4h, cluster, 100));
  EXPECT_FALSE(past.Steps().empty());
}

TEST(PastLoads, AClockThatWasSetBackForgetsWhatHasNotBeenYet) {
  const auto cluster = Nodes({"a"});
  PastLoads past(6h, 1U << 20U);
  for (int minute = 0; minute < 10; ++minute) {
    (void)past.Record(At(kBegin + minute * 1min, cluster, 100));
  }
  (void)past.Record(At(kBegin + 5min, cluster, 300));
  EXPECT_EQ(past.Steps().back()->end, kBegin + 5min);
  EXPECT_TRUE(past.Record(At(kBegin + 6min, cluster, 300)));
  EXPECT_NEAR(Value(FrameOf(*past.Steps().back(), cluster), 0, Column::kLoad), 300, 12);
}

TEST(PastLoads, BytesAreCounted) {
  const auto cluster = Nodes({"a", "b", "c"});
  PastLoads past(6h, 1U << 20U);
  EXPECT_EQ(past.Bytes(), 0U);
  (void)past.Record(At(kBegin, cluster, 100));
  const auto sums = past.Bytes();
  EXPECT_GT(sums, 3 * kColumns);
  (void)past.Record(At(kBegin + 60s, cluster, 100));
  EXPECT_EQ(past.Bytes(), sums + past.Steps().front()->Bytes());
}

}  // namespace
}  // namespace limpet::past_loads_test
