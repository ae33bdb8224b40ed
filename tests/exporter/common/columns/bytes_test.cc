#include "exporter/common/columns/bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace limpet::columns::bytes_test {
namespace {

TEST(Bytes, NumbersOfAnySizeComeBack) {
  std::string bytes;
  std::vector<std::uint64_t> numbers = {0, 1, 127, 128, 16383, 16384, UINT64_MAX, UINT64_MAX - 1};
  for (unsigned bit = 0; bit < 64; ++bit) {
    numbers.push_back(std::uint64_t{1} << bit);
  }
  for (const auto number : numbers) {
    PutNumber(bytes, number);
  }
  ByteReader reader(bytes);
  for (const auto number : numbers) {
    EXPECT_EQ(reader.Number(), number);
  }
  EXPECT_TRUE(reader.Rest().empty());
  EXPECT_FALSE(reader.Number());
}

TEST(Bytes, ANumberOfMoreThan64BitsOrWithoutAnEndIsNone) {
  EXPECT_FALSE(ByteReader(std::string(9, '\xff') + "\x02").Number());
  EXPECT_FALSE(ByteReader(std::string(20, '\xff')).Number());
  EXPECT_FALSE(ByteReader("\x80").Number());
  EXPECT_EQ(ByteReader(std::string(9, '\xff') + "\x01").Number(), UINT64_MAX);
}

TEST(Bytes, NothingIsReadPastTheEndOrABound) {
  ByteReader reader(
      "\x05"
      "abc");
  EXPECT_FALSE(ByteReader("\x05").NumberUpTo(4));
  EXPECT_EQ(reader.NumberUpTo(5), 5U);
  EXPECT_EQ(reader.Bytes(2), "ab");
  EXPECT_FALSE(reader.Bytes(UINT64_MAX));
  EXPECT_FALSE(reader.Bytes(1)) << "after a failure everything fails";
}

TEST(Bytes, SmallNegativeNumbersAreFoldedToSmallOnes) {
  EXPECT_EQ(Fold(0), 0U);
  EXPECT_EQ(Fold(-1), 1U);
  EXPECT_EQ(Fold(1), 2U);
  EXPECT_EQ(Fold(INT64_MIN), UINT64_MAX);
  for (const auto number :
       {INT64_MIN, INT64_MIN + 1, std::int64_t{-1}, std::int64_t{0}, INT64_MAX}) {
    EXPECT_EQ(Unfold(Fold(number)), number);
  }
}

TEST(Bits, ComeBackInAnyLengths) {
  std::mt19937_64 random(1);
  BitWriter writer;
  std::vector<std::pair<std::uint64_t, unsigned>> put;
  for (int i = 0; i < 1000; ++i) {
    const auto count = static_cast<unsigned>(random() % 58);
    const auto bits = random() & ((std::uint64_t{1} << count) - 1);
    writer.Put(bits, count);
    put.emplace_back(bits, count);
  }
  const auto bytes = writer.Finish();
  BitReader reader(bytes);
  for (const auto& [bits, count] : put) {
    ASSERT_EQ(reader.Get(count), bits);
  }
  EXPECT_FALSE(reader.Overrun());
}

TEST(Bits, BehindTheEndThereAreZerosAndItIsKnown) {
  BitReader reader("\xff");
  EXPECT_EQ(reader.Get(12), 0xFFU);
  EXPECT_TRUE(reader.Overrun());
  reader.Skip(1000);
  EXPECT_EQ(reader.Peek(), 0U);
}

}  // namespace
}  // namespace limpet::columns::bytes_test
