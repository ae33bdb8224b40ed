#include "diagnoser/facts/catalog.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace limpet::catalog_test {
namespace {

std::string ReadText(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(FactRows, HaveASentenceAndAStep) {
  for (const auto& row : FactRows()) {
    EXPECT_FALSE(row.name.empty());
    EXPECT_FALSE(row.sentence.empty()) << row.name;
    EXPECT_TRUE(row.next.ends_with('.')) << row.name;
    EXPECT_FALSE(row.sentence.ends_with('.')) << row.name << ": texts end it themselves";
  }
}

TEST(FactRows, AreInThePlaybook) {
  const auto playbook = ReadText("docs/playbooks.md");
  for (const auto& row : FactRows()) {
    EXPECT_NE(playbook.find("| `" + std::string(row.name) + "` |"), std::string::npos) << row.name;
    EXPECT_NE(playbook.find("| " + std::string(row.next) + " |"), std::string::npos)
        << "docs/playbooks.md: expected the step of " << row.name << ": " << row.next;
  }
}

TEST(FactRows, CompareWhatTheirRuleNeeds) {
  for (const auto& row : FactRows()) {
    const bool pair = row.rule == FactRule::kBelow || row.rule == FactRule::kShareBelow;
    EXPECT_EQ(pair, row.other != FactSeries{}) << row.name;
    if (row.rule == FactRule::kUnlikeLabel || !row.only.empty()) {
      EXPECT_FALSE(row.label.empty()) << row.name;
    }
  }
}

}  // namespace
}  // namespace limpet::catalog_test
