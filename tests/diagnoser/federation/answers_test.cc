#include "diagnoser/federation/answers.h"

#include <gtest/gtest.h>

namespace limpet::answers_test {
namespace {

// As they come: numbers that are read are unsigned, those of C++ are not.
ApiJson Read(const ApiJson& json) { return ApiJson::parse(json.dump()); }

TEST(Answers, WhoDoesNotAnswerIsNotJudged) {
  const auto north = Read({{"limps", 1},
                           {"like_peers", 5},
                           {"not_judged", 0},
                           {"in_no_group", 2},
                           {"first_verdict", nullptr},
                           {"servers", {{{"node", "north/io01"}}}}});
  const auto joined =
      JoinJudged({{"north", north, 8}, {"south", nullptr, 6}, {"west", nullptr, 0}});
  EXPECT_EQ(joined["limps"], 1);
  EXPECT_EQ(joined["like_peers"], 5);
  EXPECT_EQ(joined["not_judged"], 7);  // of west nothing is known
  EXPECT_EQ(joined["text"],
            "1 limp, 5 are like their peers, 7 are not judged; no answer from south, west");
  EXPECT_EQ(joined["servers"].size(), 1U);
}

TEST(Answers, HeatIsMovedToTheStepsOfTheLatest) {
  const auto strip = [](double begin, const char* node, const ApiJson& runs) {
    return Read({{"begin", begin},
                 {"step_seconds", 300},
                 {"steps", 24},
                 {"nodes", {{{"node", node}, {"runs", runs}}}}});
  };
  const auto joined = JoinHeat({{"a", strip(3000, "a/io01", {{0, 2, 9}, {5, 1, 7}}), 1},
                                {"b", strip(3600, "b/io01", {{3, 1, 8}}), 1},
                                {"c", nullptr, 1}});
  EXPECT_EQ(joined["begin"], 3600);
  EXPECT_EQ(joined["nodes"][0]["runs"], ApiJson::parse("[[3,1,7]]"));  // the first run is too old
  EXPECT_EQ(joined["nodes"][1]["runs"], ApiJson::parse("[[3,1,8]]"));
}

TEST(Answers, HeatOfGarbageIsLeftOut) {
  const auto joined = JoinHeat(
      {{"a",
        ApiJson::parse(
            R"({"begin":0,"step_seconds":300,"nodes":[{"node":"a/x","runs":[[0,1e9,-1],"x",[1]]}, 3]})"),
        1}});
  EXPECT_EQ(joined["nodes"][0]["runs"], ApiJson::array());
  EXPECT_EQ(joined["nodes"].size(), 1U);
  EXPECT_TRUE(JoinHeat({{"a", ApiJson(nullptr), 1}}).is_null());
}

TEST(Answers, ListsStandOneBehindTheOther) {
  const auto joined =
      JoinLists({{"a", ApiJson::parse(R"({"complete":true,"incidents":[1,2]})"), 1},
                 {"b", nullptr, 1},
                 {"c", ApiJson::parse(R"({"complete":false,"incidents":[3]})"), 1}});
  EXPECT_EQ(joined["incidents"], ApiJson::parse("[1,2,3]"));
  EXPECT_EQ(joined["complete"], false);
}

}  // namespace
}  // namespace limpet::answers_test
