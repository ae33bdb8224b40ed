#include "exporter/common/yaml_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace limpet::yaml {
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

TEST(YamlTree, RefusesAliasesDuplicatesDepthAndSecondDocuments) {
  EXPECT_THAT(Message("a: &x 1\nb: *x\n"), HasSubstr("c.yml:1: anchors"));
  EXPECT_THAT(Message("a: *x\n"), HasSubstr("c.yml:1"));
  EXPECT_THAT(Message("a: 1\na: 2\n"), HasSubstr("c.yml:2: a: key given twice"));
  EXPECT_THAT(Message("? [a]\n: 1\n"), HasSubstr("expected a plain text as key"));
  EXPECT_THAT(Message(std::string(100, '[')), HasSubstr("c.yml:1"));
  EXPECT_THAT(Message("a: 1\n---\nb: 1\n"), HasSubstr("second"));
  EXPECT_THAT(Message("a: [1\n"), HasSubstr("not YAML"));
}

TEST(YamlTree, RefusesAFileThatIsTooLong) {
  const auto parsed = Parse("a: 12345", "c.yml", 5);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace limpet::yaml
