#include "diagnoser/publish/json_lines.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace limpet::json_lines_test {
namespace {

template <class T>
std::string Printed(const T& value) {
  JsonLine line;
  line.Field("x", value);
  const auto text = line.Finish();
  return text.substr(5, text.size() - 7);  // without {"x": and }\n
}

TEST(JsonLine, PutsCommasBetweenWhatFollowsOnOneLevel) {
  JsonLine line;
  line.Field("a", 1.0).Key("b").OpenList();
  line.OpenObject().Field("c", true).Field("d", "e").CloseObject();
  line.OpenObject().CloseObject().OpenList().CloseList();
  line.CloseList().Field("f", 2.5);
  EXPECT_EQ(line.Finish(), "{\"a\":1,\"b\":[{\"c\":true,\"d\":\"e\"},{},[]],\"f\":2.5}\n");
}

TEST(JsonLine, AnEmptyObjectIsALineToo) { EXPECT_EQ(JsonLine().Finish(), "{}\n"); }

TEST(JsonLine, PrintsNumbersInTheFewestDigitsThatReadBack) {
  EXPECT_EQ(Printed(0.1), "0.1");
  EXPECT_EQ(Printed(2.0), "2");
  EXPECT_EQ(Printed(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(Printed(1e300), "1e+300");
  EXPECT_EQ(Printed(-0.0), "-0");
  EXPECT_EQ(Printed(0.0), "0");
  EXPECT_EQ(Printed(-7.0), "-7");
  EXPECT_EQ(Printed(99999.0), "99999");
  EXPECT_EQ(Printed(1e5), "1e+05");
  EXPECT_EQ(Printed(123456.0), "123456");
  EXPECT_EQ(Printed(std::uint64_t{18446744073709551615U}), "18446744073709551615");
  EXPECT_EQ(Printed(std::uint32_t{7}), "7");
}

TEST(JsonLine, WhatIsNoNumberIsNull) {
  EXPECT_EQ(Printed(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(Printed(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(Printed(std::optional<double>()), "null");
  EXPECT_EQ(Printed(std::optional<double>(4)), "4");
}

TEST(JsonLine, PrintsInstantsExactly) {
  const auto at = UnixFromSeconds(1'700'000'064);
  EXPECT_EQ(Printed(at), "1700000064");
  EXPECT_EQ(Printed(at + std::chrono::milliseconds(250)), "1700000064.25");
  EXPECT_EQ(Printed(at + std::chrono::nanoseconds(1)), "1700000064.000000001");
  EXPECT_EQ(Printed(at - std::chrono::nanoseconds(1)), "1700000063.999999999");
}

TEST(JsonLine, EscapesWhatJsonForbids) {
  EXPECT_EQ(Printed("a\"b\\c\n\x01"), R"("a\"b\\c\u000a\u0001")");
  EXPECT_EQ(Printed("Müller/日"), "\"Müller/日\"");
  EXPECT_EQ(Printed(""), R"("")");
}

// An independent reader understands what was written.
// Text is looked at eight bytes at a time: what needs an escape may stand on any of them.
TEST(JsonLine, EscapesWhereverItStands) {
  for (std::size_t size = 1; size < 20; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (const char c : {'"', '\\', '\n', '\x1f', ' ', '\x7f', '\x80', '\xff'}) {
        std::string text(size, 'a');
        text[at] = c;
        std::string expected = text;
        if (c == '"' || c == '\\') {
          expected.insert(at, "\\");
        } else if (c == '\n' || c == '\x1f') {
          expected.replace(at, 1, c == '\n' ? "\\u000a" : "\\u001f");
        }
        EXPECT_EQ(Printed(text), '"' + expected + '"') << at << " of " << size;
      }
    }
  }
}

TEST(JsonLine, RoomIsNotWritten) {
  JsonLine line;
  line.Reserve(1000);
  line.Field("a", 1.0).Field("long", std::string(3000, 'x'));
  EXPECT_EQ(line.Finish(), "{\"a\":1,\"long\":\"" + std::string(3000, 'x') + "\"}\n");
}

TEST(JsonLine, IsReadBackByAnotherProgram) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto bits = random();
    double number = 0;
    static_assert(sizeof(number) == sizeof(bits));
    std::memcpy(&number, &bits, sizeof(number));
    std::string text;
    for (auto left = random() % 20; left > 0; --left) {
      text += static_cast<char>(random() % 128);
    }
    JsonLine line;
    line.Field("number", number).Field(text + "key", text);
    const auto json = nlohmann::json::parse(line.Finish());
    EXPECT_EQ(json[text + "key"], text);
    if (std::isfinite(number)) {
      EXPECT_EQ(json["number"].get<double>(), number);
    } else {
      EXPECT_TRUE(json["number"].is_null());
    }
  }
}

}  // namespace
}  // namespace limpet::json_lines_test
