#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/case_text.h"

namespace limpet::testing::text_cases_test {
namespace {

using ::testing::HasSubstr;

TEST(TextCases, AllHold) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/cases")) {
    if (entry.path().extension() == ".case") {
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      EXPECT_EQ(RunCaseText(text.str(), entry.path().filename().string()), "");
      ++count;
    }
  }
  EXPECT_GE(count, 10U);
}

TEST(TextCases, SayWhatDoesNotHold) {
  constexpr auto kCase = "group g: a b c\nload 1s await a,b,c 5x200\nexpect flagged a\n";
  EXPECT_THAT(RunCaseText(kCase, "x.case"), HasSubstr("x.case:3: does not hold"));
}

TEST(TextCases, SayWhatCannotBeRead) {
  EXPECT_THAT(RunCaseText("load 1s await\nexpect never a\n", "x"), HasSubstr("x:1: cannot read"));
  EXPECT_THAT(RunCaseText("preset fast\n", "x"), HasSubstr("x:1: cannot read"));
  EXPECT_THAT(RunCaseText("group g: a\nload 1s await a 5y3\nexpect never a\n", "x"),
              HasSubstr("x:2: cannot read"));
}

}  // namespace
}  // namespace limpet::testing::text_cases_test
