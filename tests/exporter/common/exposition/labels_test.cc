#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "exporter/common/exposition/parser.h"

namespace limpet::labels_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string Problem(std::string_view labels) {
  const auto parsed = ParseLabels(labels);
  return parsed ? "ok" : parsed.error().Text();
}

TEST(ParseLabels, GivesLabelsInTheOrderWritten) {
  EXPECT_THAT(*ParseLabels("z=\"1\",a=\"2\""), ElementsAre(Pair("z", "1"), Pair("a", "2")));
  EXPECT_THAT(*ParseLabels(""), IsEmpty());
  EXPECT_THAT(*ParseLabels(" \t"), IsEmpty());
}

TEST(ParseLabels, BlanksAndALastCommaChangeNothing) {
  EXPECT_THAT(*ParseLabels(" z = \"1\" ,\ta=\"2\" , "),
              ElementsAre(Pair("z", "1"), Pair("a", "2")));
}

TEST(ParseLabels, UnescapesQuotesBackslashesAndNewlinesOnly) {
  EXPECT_THAT(*ParseLabels(R"(a="q\"b\\n\nx")"), ElementsAre(Pair("a", "q\"b\\n\nx")));
  EXPECT_THAT(Problem(R"(a="\t")"), HasSubstr("escaped and quoted"));
}

TEST(ParseLabels, WhatLooksLikeSyntaxInsideAValueIsText) {
  EXPECT_THAT(*ParseLabels("a=\"b=c,d}\",e=\"{#\""),
              ElementsAre(Pair("a", "b=c,d}"), Pair("e", "{#")));
}

TEST(ParseLabels, ValuesAreUtf8) {
  EXPECT_THAT(*ParseLabels("a=\"\u00fc\""), ElementsAre(Pair("a", "\u00fc")));
  EXPECT_EQ(Problem("a=\"\xFF\""),
            "labels, column 6: expected a label value in UTF-8, escaped and quoted");
}

TEST(ParseLabels, RefusesANameThatStandsTwice) {
  EXPECT_EQ(Problem("a=\"1\",b=\"2\",a=\"3\""),
            "labels, column 13: expected each label once, found a twice");
  EXPECT_EQ(Problem("a=\"1\",b=\"1\",A=\"1\""), "ok");  // names differ by case, values need not
}

TEST(ParseLabels, SaysAtWhichColumnWhatIsMissing) {
  EXPECT_EQ(Problem("a=\"1\", 2=\"b\""), "labels, column 8: expected a label name");
  EXPECT_EQ(Problem("a"), "labels, column 2: expected =\"value\" after the label name a");
  EXPECT_EQ(Problem("a=b"), "labels, column 3: expected =\"value\" after the label name a");
  EXPECT_EQ(Problem("a=\"b\" c=\"d\""), "labels, column 7: expected , after a label");
}

TEST(ParseLabels, RefusesWhatAParserWouldNotHandOut) {
  for (const auto* text : {"a=", "a=\"b", "a=\"b\\", "a=\"b\nc\"", "=\"b\"", ",", "a=\"b\",,",
                           "a:b=\"c\"", "a=\"b\"}"}) {
    EXPECT_FALSE(ParseLabels(text)) << text;
  }
}

TEST(SniffFormat, AnEndMarkIsOpenMetrics) {
  EXPECT_EQ(SniffFormat("a 1\n# EOF\n"), Format::kOpenMetrics);
  EXPECT_EQ(SniffFormat("a 1\n# EOF"), Format::kOpenMetrics);
  EXPECT_EQ(SniffFormat("# EOF\na 1\n"), Format::kText);  // a comment, as it is not the end
}

TEST(SniffFormat, AUnitIsOpenMetrics) {
  EXPECT_EQ(SniffFormat("# UNIT a_seconds seconds\na_seconds 1\n"), Format::kOpenMetrics);
  EXPECT_EQ(SniffFormat("# TYPE a_seconds counter\na_seconds 1\n"), Format::kText);
}

TEST(SniffFormat, TheFirstTimestampTellsByItsDecimalPoint) {
  EXPECT_EQ(SniffFormat("a 1 1700000000.000\n"), Format::kOpenMetrics);
  EXPECT_EQ(SniffFormat("a 1 1700000000000\n"), Format::kText);
  EXPECT_EQ(SniffFormat("a 1\nb 1 1700000000.000\n"), Format::kOpenMetrics);
  EXPECT_EQ(SniffFormat("a 1 1700000000\nb 1 1700000000.000\n"), Format::kText);
}

TEST(SniffFormat, APointInALabelOrAValueIsNone) {
  EXPECT_EQ(SniffFormat("a{b=\"x.y\"} 1.5 1700000000000\n"), Format::kText);
  EXPECT_EQ(SniffFormat("a{b=\"x y\"} 1 1700000000.5\n"), Format::kOpenMetrics);
  EXPECT_EQ(SniffFormat("a 1.5\n"), Format::kText);
}

TEST(SniffFormat, BadLinesAndACutEndDoNotMatter) {
  EXPECT_EQ(SniffFormat("!\na 1 1700000000.000\nb 1"), Format::kOpenMetrics);
  EXPECT_EQ(SniffFormat("a 1 17000"), Format::kText);
  EXPECT_EQ(SniffFormat(""), Format::kText);
}

TEST(SniffFormat, LooksAtTheFirst64KibibytesOnly) {
  std::string page;
  while (page.size() < (std::size_t{64} << 10)) {
    page += "a 1\n";
  }
  EXPECT_EQ(SniffFormat(page + "a 1 1700000000.000\n"), Format::kText);
  EXPECT_EQ(SniffFormat(page.substr(4'000) + "a 1 1700000000.000\n"), Format::kOpenMetrics);
}

}  // namespace
}  // namespace limpet::labels_test
