#include "diagnoser/verdict/ranking.h"

#include <gmock/gmock.h>

namespace limpet::ranking_test {
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

VerdictEvent With(std::string node, bool local,
                  const std::vector<std::pair<std::string, double>>& evidence) {
  auto verdict = Verdict(std::move(node), 0);
  verdict.local = local;
  for (const auto& [metric, degree] : evidence) {
    verdict.evidence.push_back({.metric = metric, .degree = degree});
    verdict.degree = std::max(verdict.degree, degree);
  }
  return verdict;
}

TEST(Ranking, LocalEvidenceIsNeverSecondary) {
  const auto ranked =
      Ranked({With("a", true, {{"unsent", 154}}), With("b", true, {{"await", 1.5}})}, 3, true);
  EXPECT_THAT(Names(ranked), ElementsAre("a", "b"));
}

TEST(Ranking, OnlyWhoIsWorseInTheSameMetricsExplainsAnother) {
  const auto hog = With("a", true, {{"await", 9}, {"unsent", 154}});
  // It waits, as everybody does who shares files with the hog.
  EXPECT_THAT(Names(Ranked({hog, With("b", false, {{"rd_sec", 2}})}, 3, true)),
              ElementsAre("a", "b?"));
  // Nothing that the hog does makes another server lose packets.
  EXPECT_THAT(Names(Ranked({hog, With("b", false, {{"cwnd_client", 2}})}, 3, true)),
              ElementsAre("a", "b"));
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

TEST(Ranking, ANodeWithACauseKeepsItAndPeersThatBehaveOddlyAreSecondary) {
  const auto joined = WithBehaviour(
      {Verdict("a", 5)},
      {.peers = {"a", "b", "c"}, .verdicts = {Verdict("a", 9), Verdict("b", 8), Verdict("c", 2)}},
      3, true);
  EXPECT_THAT(Names(joined), ElementsAre("a", "b?", "c?"));
  EXPECT_EQ(joined[0].degree, 5);
  EXPECT_EQ(joined[1].rank, 2U);
}

TEST(Ranking, ACauseElsewhereExplainsNoBehaviour) {
  EXPECT_THAT(Names(WithBehaviour({Verdict("client", 5)},
                                  {.peers = {"a", "b"}, .verdicts = {Verdict("b", 8)}}, 3, true)),
              ElementsAre("client", "b"));
}

TEST(Ranking, WithoutAnotherCauseBehaviourIndicts) {
  const Behaviour two{.peers = {"b", "c"}, .verdicts = {Verdict("c", 2), Verdict("b", 8)}};
  EXPECT_THAT(Names(WithBehaviour({}, two, 3, true)), ElementsAre("b", "c?"));
  EXPECT_THAT(Names(WithBehaviour({Verdict("b", 1)}, two, 3, false)), ElementsAre("b", "c"));
}

}  // namespace
}  // namespace limpet::ranking_test
