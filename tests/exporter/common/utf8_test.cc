#include "exporter/common/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace limpet::utf8_test {
namespace {

TEST(Utf8, AcceptsEveryLengthAndTheLimits) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("plain ASCII over eight bytes"));
  EXPECT_TRUE(IsUtf8("h\xC3\xA9t\xC3\xA9rog\xC3\xA8ne"));
  EXPECT_TRUE(IsUtf8("\xE0\xA0\x80\xED\x9F\xBF\xEF\xBF\xBF"));
  EXPECT_TRUE(IsUtf8("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"));
}

TEST(Utf8, RefusesStrayCutOverlongAndSurrogateBytes) {
  for (const auto* text : {"\x80", "\xC3", "long enough \xC3", "\xC0\x80", "\xC1\xBF",
                           "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                           "\xF5\x80\x80\x80", "\xE2\x82", "\xE2\x82x", "\xFF"}) {
    EXPECT_FALSE(IsUtf8(text)) << text;
  }
}

TEST(Printable, KeepsValidUtf8) { EXPECT_EQ(Printable("sda1 Plätze €𝄞"), "sda1 Plätze €𝄞"); }

TEST(Printable, SpellsOutBytesThatAreNotText) {
  EXPECT_EQ(Printable("a\xff"
                      "b"),
            "a\\xffb");
  EXPECT_EQ(Printable("cut \xe2\x82"), "cut \\xe2\\x82");
  EXPECT_EQ(Printable("\xc0\x80"), "\\xc0\\x80") << "overlong";
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(Printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "above U+10FFFF";
  EXPECT_EQ(Printable("a\nb\x7f"), "a\\x0ab\\x7f");
}

TEST(PrintableLines, LeavesLinesAndTakesWhatMisleads) {
  EXPECT_EQ(PrintableLines("a: \u00e9\u20ac\tb\n"), "a: \u00e9\u20ac\tb\n");
  EXPECT_EQ(PrintableLines("\x1b[31m\r\x7f"), "\\x1b[31m\\x0d\\x7f");
  EXPECT_EQ(PrintableLines("io\u202e10"), "io\\xe2\\x80\\xae10");
  EXPECT_EQ(PrintableLines("\u200f\u2066\u061c\u009b"),
            "\\xe2\\x80\\x8f\\xe2\\x81\\xa6\\xd8\\x9c\\xc2\\x9b");
  EXPECT_EQ(PrintableLines("\u200d\u2065\xff"), "\u200d\u2065\\xff");
}

}  // namespace
}  // namespace limpet::utf8_test
