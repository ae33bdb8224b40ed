#include "exporter/common/expression.h"

#include <gmock/gmock.h>

#include <string>

namespace limpet::expression_test {
namespace {

using ::testing::HasSubstr;

bool Compiles(std::string_view text) { return Expression::Compile(text).has_value(); }

TEST(Expression, MatchesAllAndFindsAPart) {
  const auto expression = Expression::Compile("sd[a-c]");
  ASSERT_TRUE(expression);
  EXPECT_TRUE(expression->Matches("sdb"));
  EXPECT_FALSE(expression->Matches("sdb1"));
  EXPECT_TRUE(expression->Finds("sdb1"));
  EXPECT_FALSE(expression->Finds("sdx"));
}

TEST(Expression, SaysWhatIsWrong) {
  const auto expression = Expression::Compile("(a");
  ASSERT_FALSE(expression);
  EXPECT_EQ(expression.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(expression.error().message, HasSubstr("parenthesis"));
}

// Found by the fuzzer of rules: Boost 1.74 did not come back from the first two.
TEST(Expression, CommentsAreRefused) {
  for (const auto* text : {"a*+(?#b)c", "(?x)a* + \f (?#b)c", "a(?#b)c", "(?#b)"}) {
    EXPECT_FALSE(Compiles(text)) << text;
  }
  for (const auto* text : {"a*+c", "a*+(b)c", "a#(?:b)"}) {
    EXPECT_TRUE(Compiles(text)) << text;
  }
}

TEST(Expression, TooManyStepsAreNoMatch) {
  const auto expression = Expression::Compile("(a*)*(a*)*(a*)*b");
  ASSERT_TRUE(expression);
  EXPECT_FALSE(expression->Matches(std::string(5000, 'a')));
  EXPECT_FALSE(expression->Finds(std::string(5000, 'a')));
}

}  // namespace
}  // namespace limpet::expression_test
