#include "exporter/record/facts_due.h"

#include <gtest/gtest.h>

#include "exporter/collectors/catalog/disk.h"
#include "exporter/collectors/catalog/facts.h"

namespace limpet::facts_due_test {
namespace {

UnixTime At(int second) { return UnixTime(std::chrono::seconds(1'700'000'000 + second)); }

Families Read(double degraded, double reads, const Families& before = {}) {
  auto all = Keep({{&catalog::kMdDegraded, {{nullptr, degraded}}}}, before);
  all.push_back({&catalog::kDiskReadsCompleted, {{nullptr, reads}}});
  return all;
}

TEST(FactsDue, WhenTheyWereReadAnewAndEveryMinute) {
  FactsDue due;
  const auto first = Read(0, 1);
  EXPECT_TRUE(due.IsDue(first, At(0), true));
  EXPECT_FALSE(due.IsDue(Read(0, 2, first), At(1), false)) << "only what is no fact has changed";
  const auto second = Read(1, 2, first);
  EXPECT_TRUE(due.IsDue(second, At(20), false));
  EXPECT_FALSE(due.IsDue(second, At(79), false));
  EXPECT_TRUE(due.IsDue(second, At(80), false));
}

TEST(FactsDue, AFileThatBeginsHasThem) {
  FactsDue due;
  const auto facts = Read(0, 1);
  EXPECT_TRUE(due.IsDue(facts, At(0), true));
  EXPECT_TRUE(due.IsDue(facts, At(1), true));
}

TEST(FactsDue, AFactThatIsGoneIsAChange) {
  FactsDue due;
  EXPECT_TRUE(due.IsDue(Read(0, 1), At(0), true));
  EXPECT_TRUE(due.IsDue({}, At(1), false));
  EXPECT_FALSE(due.IsDue({}, At(2), false));
}

}  // namespace
}  // namespace limpet::facts_due_test
