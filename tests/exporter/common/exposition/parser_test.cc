#include "exporter/common/exposition/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace limpet::parser_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr ParserOptions kOpenMetricsPage{.format = Format::kOpenMetrics};
constexpr ParserOptions kRecording{.format = Format::kOpenMetrics, .mode = ParseMode::kResume};

// One short line an item, so that a test can show a whole page's items.
std::string Show(const PageParser& parser, const PageItem& item) {
  const auto text = [](std::string_view view) { return std::string(view); };
  switch (item.kind) {
    case ItemKind::kSample: {
      auto line = text(item.series) + " = " + std::to_string(item.value);
      if (item.timestamp) {
        line += " @" + std::to_string(item.timestamp->time_since_epoch().count());
      }
      return line;
    }
    case ItemKind::kType:
      return "type " + text(item.name) + " " + text(item.text);
    case ItemKind::kHelp:
      return "help " + text(item.name) + " " + text(item.text);
    case ItemKind::kUnit:
      return "unit " + text(item.name) + " " + text(item.text);
    case ItemKind::kEof:
      return "eof";
    case ItemKind::kCut:
      return "cut " + text(item.text);
    case ItemKind::kError:
      return "error " + parser.error().Text();
    case ItemKind::kEnd:
      break;
  }
  return "end";
}

std::vector<std::string> Items(std::string_view page, const ParserOptions& options = {}) {
  std::vector<std::string> items;
  PageParser parser(page, options);
  for (auto item = parser.Next(); item.kind != ItemKind::kEnd; item = parser.Next()) {
    items.push_back(Show(parser, item));
  }
  return items;
}

std::string OnlyError(std::string_view page, const ParserOptions& options = {}) {
  const auto items = Items(page, options);
  return items.size() == 1 ? items[0] : std::to_string(items.size()) + " items";
}

TEST(PageParser, HandsOutTheItemsOfATextPage) {
  EXPECT_THAT(
      Items("# HELP a_total Things done.\n"
            "# TYPE a_total counter\n"
            "a_total{device=\"sda\"} 12\n"
            "a_total{device=\"sdb\"} 0.5 1700000000123\n"
            "\n"
            "# a comment for people\n"
            "b 3\n"),
      ElementsAre("help a_total Things done.", "type a_total counter",
                  "a_total{device=\"sda\"} = 12.000000",
                  "a_total{device=\"sdb\"} = 0.500000 @1700000000123000000", "b = 3.000000"));
}

TEST(PageParser, HandsOutTheItemsOfAnOpenMetricsPage) {
  EXPECT_THAT(Items("# TYPE a_seconds counter\n"
                    "# UNIT a_seconds seconds\n"
                    "a_seconds_total{le=\"1\"} 12 1700000000.125 # {id=\"x\"} 0.5 1700000000\n"
                    "a_seconds_total 7 # {} 1\n"
                    "# EOF\n",
                    kOpenMetricsPage),
              ElementsAre("type a_seconds counter", "unit a_seconds seconds",
                          "a_seconds_total{le=\"1\"} = 12.000000 @1700000000125000000",
                          "a_seconds_total = 7.000000", "eof"));
}

TEST(PageParser, GivesNameAndLabelsOfASampleAsWritten) {
  const std::string page = "a:b_c { x = \"1\" ,\ty=\"\\\"}{#\" , } -Inf\n";
  PageParser parser(page);
  const auto item = parser.Next();
  ASSERT_EQ(item.kind, ItemKind::kSample);
  EXPECT_EQ(item.name, "a:b_c");
  EXPECT_EQ(item.labels, " x = \"1\" ,\ty=\"\\\"}{#\" , ");
  EXPECT_EQ(item.series, page.substr(0, page.find(" -Inf")));
  EXPECT_TRUE(std::isinf(item.value));
}

TEST(PageParser, ReadsSamplesWithAndWithoutLabelsAndBlanks) {
  EXPECT_THAT(Items("  a 1\n"
                    "a\t\t2 \n"
                    "a{}3\n"
                    "ab 4\n"
                    "a_b{c=\"\"} 5\n"),
              ElementsAre("a = 1.000000", "a = 2.000000", "a{} = 3.000000", "ab = 4.000000",
                          "a_b{c=\"\"} = 5.000000"));
}

TEST(PageParser, AnEmptyPageHasNoItems) {
  EXPECT_THAT(Items(""), ElementsAre());
  EXPECT_THAT(Items("\n\n"), ElementsAre());
}

TEST(PageParser, SaysWhereAndWhatWasExpected) {
  EXPECT_EQ(OnlyError("1a 1\n"), "error line 1, column 1: expected a metric name, found \"1a 1\"");
  EXPECT_EQ(OnlyError("a{b=\"c\"} x\n"), "error line 1, column 10: expected a number, found \"x\"");
  EXPECT_EQ(OnlyError("a{b=\"c} 1\n"),
            "error line 1, column 10: expected a double quote at the end of the label value, found "
            "the end of the line");
  EXPECT_EQ(OnlyError("a{b=\"\\x\"} 1\n"),
            "error line 1, column 6: expected one of \\\\ \\\" \\n in a label value, found "
            "\"\\x\"} 1\"");
  EXPECT_EQ(OnlyError("<html>\n"),
            "error line 1, column 1: expected a metric name, found \"<html>\"");
  EXPECT_EQ(OnlyError("a 1 1.5\n"),
            "error line 1, column 5: expected a timestamp in whole milliseconds since 1970, found "
            "\"1.5\"");
  EXPECT_THAT(Items("a 1\nb 2\nc\n"),
              ElementsAre("a = 1.000000", "b = 2.000000",
                          "error line 3, column 2: expected a blank or { "
                          "after the metric name, found the end of the line"));
}

TEST(PageParser, RefusesBadLines) {
  for (const auto* line : {"a",
                           "a ",
                           "a{",
                           "a{b",
                           "a{b=",
                           "a{b=c} 1",
                           "a{b=\"c\"",
                           "a{b=\"c\" d=\"e\"} 1",
                           "a{1b=\"c\"} 1",
                           "a{,} 1",
                           "a{b=\"c\",,} 1",
                           "a{b:c=\"d\"} 1",
                           "a{b=\"\\",
                           "a{b=\"\xFF\"} 1",
                           "a 1 2 3",
                           "a 1 # {} 1",
                           "{b=\"c\"} 1",
                           "a{b=\"c\"} 1\r",
                           "\xEF\xBB\xBF"
                           "a 1",
                           "# TYPE a thing",
                           "# TYPE a",
                           "# TYPE",
                           "# HELP 1a x",
                           "# HELP a \xFF",
                           "-",
                           "a 1 99999999999999999999"}) {
    EXPECT_THAT(OnlyError(std::string(line) + "\n"), HasSubstr("error line 1, column ")) << line;
  }
}

TEST(PageParser, AStrictPageEndsWithTheFirstBadLine) {
  EXPECT_THAT(Items("a 1\n!\nb 2\n").size(), 2U);
}

TEST(PageParser, AStrictPageMustBeWhole) {
  EXPECT_THAT(OnlyError("a 12"), HasSubstr("expected a newline at the end of the last line"));
  EXPECT_THAT(Items("a 1\n", kOpenMetricsPage),
              ElementsAre("a = 1.000000",
                          "error line 2, column 1: expected # EOF, found the end of the page: it "
                          "was cut"));
  EXPECT_THAT(Items("a 1\n# EOF", kOpenMetricsPage), ElementsAre("a = 1.000000", "eof"));
}

TEST(PageParser, NothingMayFollowTheEndMark) {
  EXPECT_THAT(Items("# EOF\na 1\nb 1\n", kOpenMetricsPage),
              ElementsAre("eof", "error line 2, column 1: expected nothing after # EOF"));
  EXPECT_THAT(Items("# EOF\na 1\n"), ElementsAre("a = 1.000000"));  // a comment in text 0.0.4
}

TEST(PageParser, ARecordingCutAnywhereIsGoodUpToTheCut) {
  const std::string whole = "a{b=\"c\"} 1 1700000000.123\nd 22 1700000001.5\n# EOF\n";
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const auto items = Items(whole.substr(0, length), kRecording);
    const auto lines = std::count(whole.begin(), whole.begin() + static_cast<long>(length), '\n');
    const bool cut = length != 0 && whole[length - 1] != '\n';
    ASSERT_EQ(items.size(), static_cast<std::size_t>(lines) + (cut ? 1 : 0)) << length;
    for (std::size_t i = 0; i < items.size(); ++i) {
      EXPECT_EQ(items[i].starts_with("cut "), cut && i + 1 == items.size()) << length;
    }
  }
}

TEST(PageParser, ARecordingGoesOnAfterABadLine) {
  EXPECT_THAT(Items("a 1\nb\nc 2\nd", kRecording),
              ElementsAre("a = 1.000000",
                          "error line 2, column 2: expected a blank or { after the metric name, "
                          "found the end of the line",
                          "c = 2.000000", "cut d"));
}

TEST(PageParser, LineNumbersGoOnFromAnEarlierPiece) {
  EXPECT_THAT(OnlyError("!\n", {.first_line = 41}), HasSubstr("line 41, column 1"));
}

TEST(PageParser, LongLinesManyLabelsAndManySamplesAreRefused) {
  const std::string wide = "a{b=\"" + std::string(100, 'x') + "\"} 1\n";
  EXPECT_THAT(OnlyError(wide, {.max_line = 50}), HasSubstr("expected a shorter line"));
  EXPECT_THAT(Items("a 1\nb", {.mode = ParseMode::kResume, .max_line = 3}),
              ElementsAre("a = 1.000000", "cut b"));
  EXPECT_THAT(OnlyError("abcd", {.mode = ParseMode::kResume, .max_line = 3}),
              HasSubstr("at most 3 bytes"));
  EXPECT_EQ(Items("a{b=\"\",c=\"\"} 1\n", {.max_labels = 2}).size(), 1U);
  EXPECT_THAT(OnlyError("a{b=\"\",c=\"\",d=\"\"} 1\n", {.max_labels = 2}),
              HasSubstr("expected fewer labels"));
  EXPECT_THAT(Items("a 1\na 2\na 3\n", {.mode = ParseMode::kResume, .max_samples = 1}),
              ElementsAre("a = 1.000000", "error line 2, column 1: expected at most 1 samples"));
}

std::optional<UnixTime> TimestampOf(const ExpectedSample& sample) {
  return sample.stamped ? std::optional(sample.timestamp) : std::nullopt;
}

// Behind an expected line there must be room for a number and a timestamp.
const std::string kMore = "# " + std::string(100, '-') + "\n";

TEST(PageParser, AnExpectedLineIsReadAsNextReadsIt) {
  for (const auto* line :
       {"a{b=\"c\"} 1", "a{b=\"c\"} 12345678", "a{b=\"c\"} 123456789012345",
        "a{b=\"c\"} 1234567.891", "a{b=\"c\"} 0.12345678", "a{b=\"c\"} 12345678.1234567",
        "a{b=\"c\"} 5.", "a{b=\"c\"} .5", "a{b=\"c\"} 1.2345e+09", "a{b=\"c\"} -7",
        "a{b=\"c\"} +Inf", "a{b=\"c\"} 1234567890123456789", "a{b=\"c\"} 0.1234567890123456789",
        "a{b=\"c\"} 1 1700000000123", "a{b=\"c\"} 1.5 -5"}) {
    const auto page = std::string(line) + "\n" + kMore;
    PageParser plain(page);
    PageParser fast(page);
    const auto wanted = plain.Next();
    ASSERT_EQ(wanted.kind, ItemKind::kSample) << line;
    const auto sample = fast.NextIs("a{b=\"c\"}");
    ASSERT_TRUE(sample) << line;
    EXPECT_EQ(sample.value, wanted.value) << line;
    EXPECT_EQ(TimestampOf(sample), wanted.timestamp) << line;
    EXPECT_EQ(fast.Line(), 1U);
    EXPECT_EQ(fast.Next().kind, ItemKind::kEnd) << line;
  }
}

TEST(PageParser, AGuessAtTheShapeOfANumberChangesNothing) {
  const std::vector<std::string> numbers = {"1",
                                            "9",
                                            "12345678",
                                            "123456789",
                                            "123456789012345",
                                            "0",
                                            "1.5",
                                            "0.123",
                                            "12345678.9",
                                            "1234567890.12345",
                                            "0.12345678",
                                            "5.",
                                            ".5",
                                            "1e5",
                                            "-7",
                                            "12:4",
                                            "1/2",
                                            "12a",
                                            "1234567x9",
                                            "1.2.3",
                                            "1234567\x80"
                                            "9",
                                            "123456789.x",
                                            "",
                                            "12345 678",
                                            "00000001",
                                            "1.00000000",
                                            "99999999.9999999"};
  for (const auto& number : numbers) {
    const auto page = "a " + number + "\n" + kMore;
    PageParser plain(page);
    const auto wanted = plain.NextIs("a");
    for (unsigned whole = 0; whole <= 15; ++whole) {
      for (unsigned fraction = 0; fraction <= 8 && whole + fraction <= 15; ++fraction) {
        PageParser fast(page);
        const auto found = fast.NextIs("a", {whole, fraction});
        ASSERT_EQ(found.found, wanted.found) << number << " " << whole << " " << fraction;
        ASSERT_EQ(found.value, wanted.value) << number << " " << whole << " " << fraction;
        ASSERT_EQ(found.shape, wanted.shape) << number << " " << whole << " " << fraction;
      }
    }
  }
}

TEST(PageParser, WhatWasNotExpectedIsLeftToNext) {
  for (const auto* line :
       {"a{b=\"d\"} 1", "a{b=\"c\"}  1", "a{b=\"c\"}\t1", " a{b=\"c\"} 1", "a{b=\"c\"} 1 ",
        "a{b=\"c\"} 1  5", "a{b=\"c\"} x", "a{b=\"c\"} 1.2.3", "a{b=\"c\"} ", "a{b=\"c\"} 1 5 5",
        "a{b=\"c\"} 1e", "a{b=\"c\"} 1 1.5", "# HELP a b"}) {
    const auto page = std::string(line) + "\n" + kMore;
    PageParser fast(page);
    EXPECT_FALSE(fast.NextIs("a{b=\"c\"}")) << line;
    EXPECT_EQ(fast.Line(), 0U);
    PageParser plain(page);
    const auto left = fast.Next();
    const auto wanted = plain.Next();
    EXPECT_EQ(Show(fast, left), Show(plain, wanted));
  }
}

TEST(PageParser, ATimestampThatChangesIsReadAnew) {
  const auto page =
      "a 1 1700000000.123\na 2 1700000000.123\na 3 1700000001.5\na 4\na 5 1700000001.5\n" + kMore;
  PageParser parser(page, kRecording);
  for (const auto& wanted :
       {UnixFromMilliseconds(1'700'000'000'123), UnixFromMilliseconds(1'700'000'000'123),
        UnixFromMilliseconds(1'700'000'001'500)}) {
    EXPECT_EQ(TimestampOf(parser.NextIs("a")), wanted);
  }
  EXPECT_EQ(TimestampOf(parser.NextIs("a")), std::nullopt);
  EXPECT_EQ(TimestampOf(parser.NextIs("a")), UnixFromMilliseconds(1'700'000'001'500));
}

TEST(PageParser, AnExpectedCommentIsPassedOver) {
  const auto page = "# HELP a Text.\na 1\n" + kMore;
  PageParser parser(page);
  EXPECT_EQ(parser.Next().kind, ItemKind::kHelp);
  EXPECT_EQ(parser.LineText(), "# HELP a Text.");
  PageParser again(page);
  EXPECT_FALSE(again.Skip("# HELP a Text"));
  EXPECT_TRUE(again.Skip("# HELP a Text."));
  EXPECT_TRUE(again.NextIs("a"));
}

TEST(PageParser, TheEndOfAPageIsLeftToNext) {
  PageParser parser("a 1\na 2\n");
  EXPECT_FALSE(parser.NextIs("a"));
  EXPECT_FALSE(parser.Skip("a 1"));
  const std::string none;
  PageParser empty(none);
  EXPECT_FALSE(empty.NextIs("a"));
}

TEST(PageParser, ExpectedSamplesCountTowardsTheLimit) {
  const auto page = "a 1\na 2\n" + kMore;
  PageParser parser(page, {.max_samples = 1});
  EXPECT_TRUE(parser.NextIs("a"));
  EXPECT_FALSE(parser.NextIs("a"));
  EXPECT_EQ(parser.Next().kind, ItemKind::kError);
}

}  // namespace
}  // namespace limpet::parser_test
