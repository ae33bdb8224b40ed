#include "diagnoser/mapping/rules.h"

#include <gmock/gmock.h>

namespace limpet::rules_test {
namespace {

using ::testing::HasSubstr;

Rule Compiled(const PeerGroupRule& rule) {
  auto compiled = Rule::Compile(rule);
  EXPECT_TRUE(compiled) << compiled.error().Text();
  return *compiled;
}

TEST(Rules, RolesAndDevices) {
  const auto rule = Compiled({.name = "g", .roles = {"io", "nsd"}, .device = "^dm-1[0-9]$"});
  EXPECT_TRUE(rule.TakesNode("nsd", {}));
  EXPECT_FALSE(rule.TakesNode("client", {}));
  EXPECT_TRUE(rule.TakesDevice("dm-10"));
  EXPECT_FALSE(rule.TakesDevice("dm-1"));
}

TEST(Rules, ADeviceExpressionIsSearchedNotMatched) {
  EXPECT_TRUE(Compiled({.name = "g", .device = "^sd"}).TakesDevice("sdb"));
  EXPECT_FALSE(Compiled({.name = "g", .device = "^sd"}).TakesDevice("xsdb"));
  EXPECT_TRUE(Compiled({.name = "g"}).TakesDevice("anything"));
}

TEST(Rules, LabelsMatchAsAWholeAndMayBeNegated) {
  const auto rule = Compiled({.name = "g",
                              .labels = {{.name = "rack", .regex = "r[12]"},
                                         {.name = "generation", .regex = "new", .negate = true}}});
  EXPECT_TRUE(rule.TakesNode("", {{"rack", "r1"}}));
  EXPECT_FALSE(rule.TakesNode("", {{"rack", "r12"}}));
  EXPECT_FALSE(rule.TakesNode("", {}));
  EXPECT_FALSE(rule.TakesNode("", {{"rack", "r1"}, {"generation", "new"}}));
}

TEST(Rules, Ports) {
  const auto rule = Compiled({.name = "g", .kind = GroupKind::kCwnd, .ports = {3334}});
  EXPECT_TRUE(rule.TakesPort("3334"));
  EXPECT_FALSE(rule.TakesPort("333"));
  EXPECT_FALSE(rule.TakesPort(""));
}

TEST(Rules, ABadExpressionIsNamed) {
  const auto rule = Rule::Compile({.name = "g", .device = "(["});
  ASSERT_FALSE(rule);
  EXPECT_THAT(rule.error().Text(), HasSubstr("groups.g.device"));
}

TEST(Rules, AnExpressionThatNeverEndsIsNoMatch) {
  const auto rule = Compiled({.name = "g", .device = "^(a+)+$"});
  std::string device(40, 'a');
  device.push_back('b');
  EXPECT_FALSE(rule.TakesDevice(device));
}

}  // namespace
}  // namespace limpet::rules_test
