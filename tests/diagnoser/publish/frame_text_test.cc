#include "diagnoser/publish/frame_text.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace limpet::frame_text_test {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;

std::shared_ptr<const Cluster> ThreeNodes() {
  auto cluster = std::make_shared<Cluster>();
  cluster->version = 7;
  cluster->groups = {{.group = "disks"}, {.group = "lan"}};
  cluster->nodes = {{.node = "a", .components = {{.component = "a/sda", .group = 0}}},
                    {.node = "b", .components = {{.component = "b", .group = 1}}},
                    {.node = "c"}};
  return cluster;
}

Frame MakeOne(const std::shared_ptr<const Cluster>& cluster, std::int16_t value) {
  auto frame = MakeFrame(cluster, {}, {}, {});
  frame.id = 5;
  frame.time = UnixFromMilliseconds(1'700'000'000'500);
  frame.values[0] = value;
  return frame;
}

TEST(FrameJson, TheFirstIsWholeAndSaysWhatItsColumnsMean) {
  const auto frame = MakeOne(ThreeNodes(), 9);
  const FrameFilter filter{.columns = *ParseColumns("util,load")};
  const auto parsed = json::parse(FrameJson(nullptr, frame, filter, filter.Pick(*frame.cluster)));
  EXPECT_EQ(parsed["time"], 1'700'000'000.5);
  EXPECT_EQ(parsed["base"], true);
  EXPECT_EQ(parsed["version"], 7);
  EXPECT_EQ(parsed["columns"][0]["name"], "load");
  EXPECT_EQ(parsed["columns"][1]["scale"]["kind"], "linear");
  EXPECT_EQ(parsed["rows"], json::parse("[[0,9,null],[1,null,null],[2,null,null]]"));
}

TEST(FrameJson, LaterOnesHaveOnlyWhatChanged) {
  const auto cluster = ThreeNodes();
  const auto before = MakeOne(cluster, 9);
  const auto now = MakeOne(cluster, 10);
  const FrameFilter load{.columns = {0}};
  const std::vector<bool> all(3, true);
  EXPECT_EQ(json::parse(FrameJson(&before, now, load, all))["rows"], json::parse("[[0,10]]"));
  const FrameFilter other{.columns = {1}};
  EXPECT_EQ(json::parse(FrameJson(&before, now, other, all))["rows"], json::array());
}

TEST(FrameFilter, PicksTheNodesOfItsGroups) {
  const auto cluster = ThreeNodes();
  FrameFilter filter{.columns = {0}, .groups = {}};
  EXPECT_THAT(filter.Pick(*cluster), ElementsAre(true, true, true));
  filter.groups = {"lan"};
  EXPECT_THAT(filter.Pick(*cluster), ElementsAre(false, true, false));
  EXPECT_NE(filter.Key(), (FrameFilter{.columns = {0}}).Key());
}

TEST(FrameFilter, PicksPlacesOfTheVersionThatTheyAreOf) {
  const auto cluster = ThreeNodes();
  FrameFilter filter{.columns = {0}, .groups = {}, .places = ParsePlaces("7:1-99")};
  EXPECT_THAT(filter.Pick(*cluster), ElementsAre(false, true, true));
  filter.groups = {"lan", "disks"};
  EXPECT_THAT(filter.Pick(*cluster), ElementsAre(false, true, false));
  filter = {.columns = {0}, .groups = {}, .places = ParsePlaces("6:1")};
  EXPECT_THAT(filter.Pick(*cluster), ElementsAre(true, true, true));
  filter.places = ParsePlaces("7:18446744073709551615");
  EXPECT_THAT(filter.Pick(*cluster), ElementsAre(false, false, false));
}

TEST(ParsePlaces, TakesRangesAndNothingElse) {
  const auto places = ParsePlaces("7:0-79,200");
  ASSERT_TRUE(places);
  EXPECT_EQ(places->version, 7U);
  EXPECT_THAT(places->ranges, ElementsAre(FramePlaces::Range{.first = 0, .last = 79},
                                          FramePlaces::Range{.first = 200, .last = 200}));
  for (const auto* const wrong : {"", "7", "7:a", "7:3-1", "7:-1", "7:1-", "7:,1", ":1", "x:1"}) {
    EXPECT_FALSE(ParsePlaces(wrong)) << wrong;
  }
  std::string many = "7:0";
  for (std::size_t i = 1; i < kMaxPlaceRanges; ++i) {
    many += ",0";
  }
  EXPECT_TRUE(ParsePlaces(many));
  EXPECT_FALSE(ParsePlaces(many + ",0"));
}

TEST(ParseColumns, KnowsItsNames) {
  EXPECT_EQ(ParseColumns("")->size(), kColumns);
  EXPECT_THAT(*ParseColumns("up,load,load"),
              ElementsAre(std::size_t(Column::kLoad), std::size_t(Column::kUp)));
  EXPECT_EQ(ParseColumns("load,nothing"), std::nullopt);
}

TEST(SentEvent, HasAnIdOnlyWhereItIsOne) {
  EXPECT_EQ(SentEvent("frame", 5, "{}"), "id: 5\nevent: frame\ndata: {}\n\n");
  EXPECT_EQ(SentEvent("end", 0, "{}"), "event: end\ndata: {}\n\n");
}

}  // namespace
}  // namespace limpet::frame_text_test
