#include "exporter/common/yaml_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace limpet::yaml::yaml_tree_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Message(std::string_view text) {
  const auto parsed = Parse(text, "c.yml");
  return parsed ? "accepted" : parsed.error().Text();
}

TEST(YamlTree, KeepsOrderLinesAndQuotes) {
  const auto root = Parse("b: 1\na:\n  - \"2\"\n  - ~\n", "c.yml");
  ASSERT_TRUE(root);
  EXPECT_THAT(root->keys, ElementsAre("b", "a"));
  EXPECT_FALSE(root->Find("b")->quoted);
  const auto* list = root->Find("a");
  ASSERT_EQ(list->items.size(), 2U);
  EXPECT_EQ(list->items[0].line, 3);
  EXPECT_TRUE(list->items[0].quoted);
  EXPECT_EQ(list->items[1].kind, Node::Kind::kNull);
  EXPECT_EQ(root->Find("c"), nullptr);
}

// Prometheus' own files have them.
TEST(YamlTree, AnAliasIsACopyAndAMergeKeyAddsWhatIsNotThere) {
  const auto root = Parse(
      "a: &x {role: oss, rack: r1}\n"
      "b: *x\n"
      "c:\n  <<: *x\n  rack: r2\n"
      "d: {<<: [{rack: r3}, *x]}\n"
      "e: [&n 5, *n]\n",
      "c.yml");
  ASSERT_TRUE(root) << root.error().Text();
  EXPECT_EQ(root->Find("b")->Find("role")->scalar, "oss");
  EXPECT_THAT(root->Find("c")->keys, ElementsAre("rack", "role"));
  EXPECT_EQ(root->Find("c")->Find("rack")->scalar, "r2");
  EXPECT_EQ(root->Find("d")->Find("rack")->scalar, "r3");
  EXPECT_EQ(root->Find("d")->Find("role")->scalar, "oss");
  EXPECT_EQ(root->Find("e")->items[1].scalar, "5");
}

TEST(YamlTree, RefusesAliasesThatGrowOrHoldThemselves) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const auto above = std::to_string(i);
    const auto alias = "*a" + std::to_string(i - 1);
    bomb += "a" + above + ": &a" + above + " [" + alias;
    for (int copy = 1; copy < 10; ++copy) {
      bomb += ", " + alias;
    }
    bomb += "]\n";
  }
  EXPECT_THAT(Message(bomb), HasSubstr("add more than 100000 values"));
  EXPECT_THAT(Message("a: &x [*x]\n"), HasSubstr("c.yml:1: an alias (*name) stands inside"));
  std::string deep = "a: &a0 [x]\n";
  for (int i = 1; i < 40; ++i) {
    deep += "b" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
            "]\n";
  }
  EXPECT_THAT(Message(deep), HasSubstr("nested deeper"));
  EXPECT_THAT(Message("a: {<<: 1}\n"), HasSubstr("expected a map, or a list of maps"));
}

TEST(YamlTree, RefusesDuplicatesDepthAndSecondDocuments) {
  EXPECT_THAT(Message("a: *x\n"), HasSubstr("c.yml:1"));
  EXPECT_THAT(Message("a: 1\na: 2\n"), HasSubstr("c.yml:2: a: key given twice"));
  EXPECT_THAT(Message("? [a]\n: 1\n"), HasSubstr("expected a plain text as key"));
  EXPECT_THAT(Message(std::string(100, '[')), HasSubstr("c.yml:1"));
  EXPECT_THAT(Message("a: 1\n---\nb: 1\n"), HasSubstr("second"));
  EXPECT_THAT(Message("a: [1\n"), HasSubstr("not YAML"));
}

TEST(YamlTree, RefusesControlCharactersThatAreNotWritten) {
  for (const char c : {'\0', '\x04', '\x1b', '\x7f'}) {
    EXPECT_THAT(Message(std::string("a: 1\nb: x") + c + "y\n"),
                HasSubstr("c.yml:2: expected text, found the control character 0x"));
  }
  EXPECT_EQ(Message("a: \"x\\x1b\"\r\nb: x\ty\n"), "accepted");
}

TEST(YamlTree, RefusesAFileThatIsTooLong) {
  const auto parsed = Parse("a: 12345", "c.yml", 5);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace limpet::yaml::yaml_tree_test
