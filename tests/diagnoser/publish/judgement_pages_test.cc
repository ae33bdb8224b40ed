#include "diagnoser/publish/judgement_pages.h"

#include <gmock/gmock.h>

#include "tests/support/families.h"

namespace limpet::judgement_pages_test {
namespace {

using ::testing::ElementsAre;

Judgements TwoServers() {
  return {.servers = {{.node = "io01", .standing = Standing::kLikePeers, .text = "like its peers"},
                      {.node = "io02",
                       .reason = NotJudged::kTooEarly,
                       .text = "not judged: first verdict possible at …",
                       .possible = UnixFromSeconds(100)}},
          .like_peers = 1,
          .not_judged = 1,
          .text = "1 of 2 servers are judged; 1 not: too early (io02)"};
}

TEST(JudgementPages, ListsThoseThatAreNotJudgedOrAllOrOne) {
  const auto nodes = [](std::string_view node, JudgedList list) {
    std::vector<std::string> names;
    const auto json = ApiJson::parse(JudgedJson(TwoServers(), node, list));
    for (const auto& one : json["servers"]) {
      names.push_back(one["node"]);
    }
    return names;
  };
  EXPECT_THAT(nodes("", JudgedList::kNotJudged), ElementsAre("io02"));
  EXPECT_THAT(nodes("", JudgedList::kAll), ElementsAre("io01", "io02"));
  EXPECT_THAT(nodes("io01", JudgedList::kNotJudged), ElementsAre("io01"));
  EXPECT_THAT(nodes("io09", JudgedList::kAll), ElementsAre());
}

TEST(JudgementPages, SaysStateReasonAndWhen) {
  const auto json = ApiJson::parse(JudgedJson(TwoServers(), "io02", JudgedList::kAll));
  EXPECT_EQ(json["like_peers"], 1);
  EXPECT_EQ(json["not_judged"], 1);
  EXPECT_EQ(json["text"], TwoServers().text);
  const auto& server = json["servers"][0];
  EXPECT_EQ(server["state"], "not-judged");
  EXPECT_EQ(server["reason"], "too-early");
  EXPECT_EQ(server["first_verdict"], 100);
  EXPECT_TRUE(server["compared"].is_null());
}

TEST(JudgementPages, EveryServerHasASeriesAndAReasonWhileItIsZero) {
  const auto families = JudgementFamilies(TwoServers());
  EXPECT_EQ(testing::Value(families, "node_judged", R"(node="io01")"), 1);
  EXPECT_EQ(testing::Value(families, "node_judged", R"(node="io02")"), 0);
  EXPECT_EQ(testing::Value(families, "node_not_judged", R"(node="io02",reason="too-early")"), 1);
  EXPECT_EQ(families[1].samples.size(), 1U);
}

}  // namespace
}  // namespace limpet::judgement_pages_test
