#include "diagnoser/sources/sorted_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/diagnoser/sources/converter_texts.h"

namespace limpet::sorted_text_test {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kDump =
    "# TYPE a counter\n"
    "a{instance=\"x}\"} 1 5.000\n"
    "a{instance=\"x}\"} 2 6.000\n"
    "a{instance=\"x}\"} 3 7.000\n"
    "b{instance=\"y\"} 1 4.500\n"
    "b{instance=\"y\"} 2 6.000\n"
    "b{instance=\"y\"} 3 6.500\n"
    "# EOF\n";

TEST(SortedText, OrdersSamplesByTimeAndKeepsTheFilesOrderWithinAnInstant) {
  for (const std::size_t piece : {1U, 7U, 1000U}) {
    const auto made = ConvertText<SortedText>(kDump, piece);
    EXPECT_EQ(made.problem, "");
    EXPECT_EQ(made.lines,
              "# TYPE a counter\n"
              "b{instance=\"y\"} 1 4.500\n"
              "a{instance=\"x}\"} 1 5.000\n"
              "a{instance=\"x}\"} 2 6.000\n"
              "b{instance=\"y\"} 2 6.000\n"
              "b{instance=\"y\"} 3 6.500\n"
              "a{instance=\"x}\"} 3 7.000\n");
  }
}

TEST(SortedText, IsForTextThatRepeatsASeries) {
  EXPECT_TRUE(IsOrderedBySeries(kDump));
  EXPECT_FALSE(IsOrderedBySeries("a 1 5.0\nb 1 5.0\na 2 6.0\nb 2 6.0\n"));
  EXPECT_TRUE(IsOrderedBySeries("a{x=\"1\"} 1 5.0\na{x=\"2\"} 1 5.1\na{x=\"1\"} 2 6.0\n"));
  EXPECT_FALSE(IsOrderedBySeries("a{x=\"1\"} 1 5.0\na{x=\"2\"} 1 5.0\nb 1 5.0\n"));
  EXPECT_FALSE(IsOrderedBySeries(""));
}

TEST(SortedText, RefusesMoreThanItMayKeep) {
  InputNotes notes("dump.om", [](LogLevel, std::string_view) {});
  SortedText sorted(notes, 100);
  ASSERT_TRUE(sorted.Feed(kDump.substr(0, 60)));
  const auto more = sorted.Feed(kDump.substr(60));
  ASSERT_FALSE(more);
  EXPECT_THAT(more.error().Text(), HasSubstr("dump.om: is ordered by series, not by time"));
}

}  // namespace
}  // namespace limpet::sorted_text_test
