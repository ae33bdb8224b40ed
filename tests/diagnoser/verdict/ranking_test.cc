#include "diagnoser/verdict/ranking.h"

#include <gmock/gmock.h>

namespace limpet {
namespace {

using ::testing::ElementsAre;

VerdictEvent Verdict(std::string node, double degree) {
  VerdictEvent verdict;
  verdict.node = std::move(node);
  verdict.degree = degree;
  return verdict;
}

std::vector<std::string> Names(const std::vector<VerdictEvent>& verdicts) {
  std::vector<std::string> names;
  for (const auto& verdict : verdicts) {
    names.push_back(verdict.node + (verdict.secondary ? "?" : ""));
  }
  return names;
}

TEST(Ranking, TheWorstComesFirstAndTheFarWeakerIsSecondary) {
  const auto ranked = Ranked({Verdict("c", 2.9), Verdict("a", 9), Verdict("b", 3)}, 3, true);
  EXPECT_THAT(Names(ranked), ElementsAre("a", "b", "c?"));
  EXPECT_EQ(ranked[2].rank, 3U);
}

TEST(Ranking, EqualDegreesGoByName) {
  EXPECT_THAT(Names(Ranked({Verdict("b", 2), Verdict("a", 2)}, 3, true)), ElementsAre("a", "b"));
}

TEST(Ranking, CanLeaveEverybodyIndicted) {
  EXPECT_THAT(Names(Ranked({Verdict("b", 1), Verdict("a", 9)}, 3, false)), ElementsAre("a", "b"));
  EXPECT_TRUE(Ranked({}, 3, true).empty());
}

TEST(Ranking, WithinSetsEachHasItsWorst) {
  const auto set_of = [](const std::string& node) { return std::size_t{node < "m" ? 0U : 1U}; };
  const auto ranked = RankedWithin(
      {Verdict("c", 2.9), Verdict("x", 2), Verdict("a", 9), Verdict("y", 0.5)}, 3, true, set_of);
  EXPECT_THAT(Names(ranked), ElementsAre("a", "c?", "x", "y?"));
  EXPECT_EQ(ranked[2].rank, 1U);
  EXPECT_EQ(ranked[3].rank, 2U);
}

}  // namespace
}  // namespace limpet
