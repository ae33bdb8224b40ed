#include "diagnoser/sources/target_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace limpet::target_groups_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

TargetGroups Json(std::string_view text) {
  return *ParseTargetGroups(text, ListFormat::kJson, "fleet.json");
}
TargetGroups Yaml(std::string_view text) {
  return *ParseTargetGroups(text, ListFormat::kYaml, "fleet.yml");
}
std::string Refusal(std::string_view text, ListFormat format = ListFormat::kJson) {
  const auto list = ParseTargetGroups(text, format, "fleet");
  return list ? "taken" : list.error().Text();
}

TEST(TargetGroups, JsonAsPrometheusHasIt) {
  const auto list =
      Json(R"([{"targets": ["io01:9100", "io02"], "labels": {"role": "server", "rack": "r1"}},)"
           R"( {"targets": ["c01:9100"]}, {"targets": [], "labels": {}}])");
  EXPECT_THAT(list.problems, IsEmpty());
  ASSERT_THAT(list.groups, SizeIs(2));
  EXPECT_THAT(list.groups[0].targets, ElementsAre("io01:9100", "io02"));
  EXPECT_THAT(list.groups[0].labels, ElementsAre(Pair("rack", "r1"), Pair("role", "server")));
  EXPECT_EQ(list.groups[0].where, "fleet.json: [0]");
}

TEST(TargetGroups, TheSameInYaml) {
  const auto list = Yaml(
      "- targets: [io01:9100, 'io02']\n"
      "  labels:\n"
      "    rack: r1\n"
      "    shelf: 7\n"
      "- targets:\n"
      "    - c01:9100\n"
      "  labels:\n");
  EXPECT_THAT(list.problems, IsEmpty());
  ASSERT_THAT(list.groups, SizeIs(2));
  EXPECT_THAT(list.groups[0].labels, ElementsAre(Pair("rack", "r1"), Pair("shelf", "7")));
  EXPECT_THAT(list.groups[1].targets, ElementsAre("c01:9100"));
  EXPECT_EQ(list.groups[1].where, "fleet.yml:5: [1]");
}

// What `promtool check config` accepts: null for nothing, anchors, merge keys.
TEST(TargetGroups, NothingAndAnchorsAsPrometheusTakesThem) {
  const auto json = Json(
      R"([{"targets": ["io01:9100"], "labels": null}, {"targets": null, "labels": {"role": "server"}},)"
      R"( {"targets": ["io02:9100"], "labels": {"zone": null, "role": "server"}}])");
  EXPECT_THAT(json.problems, IsEmpty());
  ASSERT_THAT(json.groups, SizeIs(2));
  EXPECT_THAT(json.groups[1].labels, ElementsAre(Pair("role", "server")));
  const auto yaml = Yaml(
      "- &a\n  targets: [io01:9100]\n  labels: &l {role: server}\n"
      "- targets: [io02:9100]\n  labels: *l\n"
      "- targets: [io03:9100]\n  labels:\n    <<: *l\n    rack: r2\n"
      "- targets: [io04:9100]\n  labels: {rack: 3, prod: yes, zone: ~}\n");
  EXPECT_THAT(yaml.problems, IsEmpty());
  ASSERT_THAT(yaml.groups, SizeIs(4));
  EXPECT_THAT(yaml.groups[1].labels, ElementsAre(Pair("role", "server")));
  EXPECT_THAT(yaml.groups[2].labels, ElementsAre(Pair("rack", "r2"), Pair("role", "server")));
  EXPECT_THAT(yaml.groups[3].labels, ElementsAre(Pair("prod", "yes"), Pair("rack", "3")));
}

TEST(TargetGroups, ABadGroupIsLeftOutWholeAndTheOthersAreTaken) {
  const auto list = Json(
      R"(["io01", {"targets": "io02"}, {"targets": ["io03", 4]}, {"targets": ["io04"], "lables": {}},)"
      R"( {"targets": ["io05"], "labels": {"rack": 5}}, {"targets": ["io06"], "labels": {"a-b": "c"}},)"
      R"( {"targets": ["io07"]}])");
  ASSERT_THAT(list.groups, SizeIs(1));
  EXPECT_THAT(list.groups[0].targets, ElementsAre("io07"));
  EXPECT_THAT(list.problems,
              ElementsAre(AllOf(HasSubstr("fleet.json: [0]: expected a group such as"),
                                HasSubstr("got string")),
                          "fleet.json: [1].targets: expected a list of addresses, got string",
                          "fleet.json: [2].targets: expected texts, got number",
                          "fleet.json: [3]: unknown key \"lables\"; expected targets and labels",
                          "fleet.json: [4].labels.rack: expected a text in quotes, got number",
                          "fleet.json: [5].labels: expected label names of letters, digits and _, "
                          "got \"a-b\""));
}

TEST(TargetGroups, BadGroupsOfYamlNameTheirLine) {
  const auto list = Yaml("- targets: [a]\n- b\n- targets: {c: d}\n- targets: [e]\n  job: x\n");
  EXPECT_THAT(list.groups, SizeIs(1));
  EXPECT_THAT(list.problems,
              ElementsAre(HasSubstr("fleet.yml:2: [1]: expected a group"),
                          "fleet.yml:3: [2].targets: expected a list of addresses",
                          "fleet.yml:4: [3]: unknown key \"job\"; expected targets and labels"));
}

TEST(TargetGroups, WhatIsNoListIsAnError) {
  EXPECT_THAT(Refusal("{\"targets\": []}"), HasSubstr("fleet: expected a list of target groups"));
  EXPECT_THAT(Refusal("[{\"targets\": [\"io01\"]"), HasSubstr("fleet: expected JSON: parse error"));
  EXPECT_THAT(Refusal(""), HasSubstr("fleet: is empty; write []"));
  EXPECT_THAT(Refusal("\n", ListFormat::kYaml), HasSubstr("fleet: is empty; write []"));
  EXPECT_THAT(Refusal("targets: []\n", ListFormat::kYaml), HasSubstr("expected a list"));
  EXPECT_THAT(Refusal("- &a [*a]\n", ListFormat::kYaml), HasSubstr("fleet:1"));
  EXPECT_EQ(Refusal("[]"), "taken");
}

TEST(TargetGroups, IsBounded) {
  EXPECT_THAT(Refusal(std::string(kMaxListBytes + 1, ' ')), HasSubstr("expected at most"));
  EXPECT_THAT(Refusal(std::string(1'000'000, '[')), HasSubstr("expected JSON"));
  std::string many = "[";
  for (int i = 0; i < 80; ++i) {
    many += R"({"targets": ["x"], "labels": {)";
    for (int label = 0; label <= i; ++label) {
      many += (label > 0 ? "," : "") + ("\"l" + std::to_string(label)) + "\": \"v\"";
    }
    many += i == 79 ? "}}" : "}},";
  }
  const auto list = Json(many + "]");
  EXPECT_THAT(list.groups, SizeIs(64));
  ASSERT_THAT(list.problems, SizeIs(16));
  EXPECT_THAT(list.problems[0], HasSubstr("[64].labels: more than 64 labels"));
}

}  // namespace
}  // namespace limpet::target_groups_test
