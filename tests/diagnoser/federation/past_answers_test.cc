#include "diagnoser/federation/past_answers.h"

#include <gtest/gtest.h>

#include "tests/diagnoser/federation/answers_said.h"

namespace limpet::past_answers_test {
namespace {

// What a diagnoser of two nodes has kept of the minute from `begin`; its frame is of `version`.
ApiJson PastSaid(double begin, int version = 7, std::string_view row = "[0,1,null]") {
  const auto frame = ApiJson::parse(FrameSaid(begin, begin + 60, version, row))["frame"];
  return ApiJson::parse(
      PrintOneLine({{"since", 400}, {"begin", begin}, {"end", begin + 60}, {"frame", frame}}));
}

class PastAnswersTest : public testing::Test {
 protected:
  ApiJson Join(const ApiJson& north, const ApiJson& south) const {
    const auto text = JoinPast(*view_, {{"north", north, 2}, {"south", south, 2}});
    return text.empty() ? ApiJson() : ApiJson::parse(text);
  }
  // Of the column `up`, by node.
  static ApiJson Up(const ApiJson& past) {
    const auto& columns = past["frame"]["columns"];
    std::size_t place = 0;
    while (columns.at(place)["name"] != "up") {
      ++place;
    }
    auto values = ApiJson::array();
    for (const auto& row : past["frame"]["rows"]) {
      values.push_back(row.at(place + 1));
    }
    return values;
  }

  Merger merger_{"0.1.0"};
  std::vector<MemberState> states_ = {StateOf("north"), StateOf("south")};
  std::shared_ptr<const MergedView> view_ = merger_.Merge(states_, UnixFromSeconds(1001));
};

TEST_F(PastAnswersTest, ReadingsOfAllInThePlacesOfTheMergedCluster) {
  const auto past = Join(PastSaid(600, 7, "[0,0,null]"), PastSaid(610));
  EXPECT_EQ(Up(past), ApiJson::parse("[0,1,1,1]"));
  EXPECT_EQ(past["begin"], 600);  // the second one's clock is ahead
  EXPECT_EQ(past["end"], 670);
  EXPECT_EQ(past["since"], 400);
  EXPECT_EQ(past["frame"]["version"], view_->cluster->version);
  EXPECT_EQ(past["missing"], ApiJson::array());
}

TEST_F(PastAnswersTest, WhoHasNoneOfThenIsUnknownAndNamed) {
  for (const auto& south :
       {ApiJson(), ApiJson::parse(R"({"since":900})"), ApiJson::parse(R"({"since":null})"),
        PastSaid(600, 8), ApiJson::parse(R"({"since":1,"begin":1,"end":2,"frame":[]})")}) {
    const auto past = Join(PastSaid(600), south);
    EXPECT_EQ(Up(past), ApiJson::parse("[1,1,null,null]")) << south;
    EXPECT_EQ(past["missing"], ApiJson::parse(R"(["south"])")) << south;
  }
}

TEST_F(PastAnswersTest, WithoutAnyOfThenItSaysSinceWhenTheyAreKept) {
  const auto past = Join(ApiJson::parse(R"({"since":900})"), ApiJson::parse(R"({"since":null})"));
  EXPECT_EQ(past["since"], 900);
  EXPECT_FALSE(past.contains("frame"));
  EXPECT_EQ(past["missing"], ApiJson::parse(R"(["north","south"])"));
  EXPECT_TRUE(Join(nullptr, nullptr).is_null());
}

TEST_F(PastAnswersTest, InstantsThatAreNoneAreNoReadings) {
  for (const double bad : {-1.0, 1e300, 8.9e9}) {
    auto north = PastSaid(600);
    north["begin"] = bad;
    north["since"] = bad;
    const auto past = Join(north, PastSaid(600));
    EXPECT_EQ(past["missing"], ApiJson::parse(R"(["north"])")) << bad;
    EXPECT_EQ(past["since"], 400) << bad;
  }
}

}  // namespace
}  // namespace limpet::past_answers_test
