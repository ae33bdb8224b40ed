#include "diagnoser/verdict/causes.h"

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace limpet::causes_test {
namespace {

std::string ReadText(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(CauseRows, EachHasANumberANameAndALetterOfItsOwn) {
  std::set<Cause> numbers;
  std::set<std::string> names;
  std::set<char> letters;
  for (const auto& row : CauseRows()) {
    EXPECT_NE(row.cause, Cause::kNone) << row.name;
    numbers.insert(row.cause);
    names.insert(row.name);
    letters.insert(row.letter);
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(row.letter))) << row.name;
  }
  EXPECT_EQ(numbers.size(), CauseRows().size());
  EXPECT_EQ(names.size(), CauseRows().size());
  EXPECT_EQ(letters.size(), CauseRows().size());
}

TEST(CauseRows, SayAllThatAnOperatorReads) {
  for (const auto& row : CauseRows()) {
    for (const auto text : {row.meaning, row.differs, row.look, row.reasons}) {
      EXPECT_FALSE(text.empty()) << row.name;
      EXPECT_FALSE(text.ends_with('.')) << row.name << ": the texts around it end it: " << text;
    }
    EXPECT_TRUE(row.next_step.ends_with('.')) << row.name;
    EXPECT_NE(row.next_step.find("{node}"), std::string_view::npos) << row.name;
  }
}

TEST(CauseRows, HaveAQuestionEach) {
  for (const auto& row : CauseRows()) {
    if (row.source != CauseSource::kChecklist && row.source != CauseSource::kRoundTrips) {
      EXPECT_TRUE(row.question.ends_with('?')) << row.name;
      continue;
    }
    for (const bool by_balance : {false, true}) {
      std::size_t asked = 0;
      for (const auto& step : CauseSteps(by_balance)) {
        asked += step.cause == row.cause ? 1 : 0;
        EXPECT_TRUE(step.question.ends_with('?')) << step.question;
      }
      EXPECT_GE(asked, 1U) << row.name << (by_balance ? ": by balance" : "");
    }
  }
}

TEST(CauseRows, KeepTheNumbersOfStateFiles) {
  const std::pair<std::uint64_t, const char*> kNumbers[] = {
      {1, "disk-hog"},      {2, "disk-busy"},      {3, "network-hog"},  {4, "packet-loss"},
      {5, "behaviour"},     {6, "server-crash"},   {7, "server-hang"},  {8, "propagated-error"},
      {9, "slow-syscalls"}, {10, "slow-requests"}, {11, "slow-network"}};
  for (const auto& [number, name] : kNumbers) {
    ASSERT_NE(FindCause(number), nullptr) << number;
    EXPECT_STREQ(FindCause(number)->name, name);
  }
  EXPECT_EQ(FindCause(0), nullptr);
  EXPECT_EQ(FindCause(1000), nullptr);
  EXPECT_STREQ(Name(Cause::kNone), "none");
}

TEST(CauseRows, AreExplained) {
  const auto page = ReadText("docs/how-it-decides.md");
  for (const auto& row : CauseRows()) {
    EXPECT_NE(page.find('`' + std::string(row.name) + '`'), std::string::npos)
        << "docs/how-it-decides.md does not say what decides on " << row.name;
  }
}

TEST(FillIn, TakesNamesAsTheyAre) {
  EXPECT_EQ(FillIn("On {node}: {disk}.", "io03", "sda"), "On io03: sda.");
  EXPECT_EQ(FillIn("On {node}: {disk}.", "{disk}", "{node}"), "On {disk}: {node}.");
  EXPECT_EQ(FillIn("{other} {", "io03", "sda"), "{other} {");
}

}  // namespace
}  // namespace limpet::causes_test
