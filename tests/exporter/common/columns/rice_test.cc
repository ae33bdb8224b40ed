#include "exporter/common/columns/rice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace limpet::columns::rice_test {
namespace {

using Numbers = std::vector<std::int64_t>;

// What came back, and in how many bits.
struct There {
  Numbers numbers;
  std::size_t bytes = 0;
};

There AndBack(const Numbers& numbers) {
  const auto shape = FindShape(numbers);
  BitWriter writer;
  PutRice(writer, shape, numbers);
  const auto bytes = writer.Finish();
  EXPECT_EQ(bytes.size(), (CountBits(shape, numbers) + 7) / 8);
  BitReader reader(bytes);
  There there{.numbers = Numbers(numbers.size()), .bytes = bytes.size()};
  GetRice(reader, shape, there.numbers);
  EXPECT_FALSE(reader.Overrun());
  return there;
}

TEST(Rice, AnyNumbersComeBack) {
  const Numbers hostile = {INT64_MIN, INT64_MAX, 0, -1, 1, INT64_MIN, INT64_MIN + 1, INT64_MAX - 1};
  EXPECT_EQ(AndBack(hostile).numbers, hostile);
  EXPECT_EQ(AndBack({INT64_MIN}).numbers, Numbers{INT64_MIN});
  EXPECT_EQ(AndBack({INT64_MIN, INT64_MIN}).numbers, (Numbers{INT64_MIN, INT64_MIN}));
  EXPECT_EQ(AndBack({0}).numbers, Numbers{0});
  std::mt19937_64 random(2);
  for (int i = 0; i < 500; ++i) {
    Numbers numbers(1 + random() % 70);
    const auto width = random() % 64;
    for (auto& number : numbers) {
      number =
          static_cast<std::int64_t>(random() >> width) - static_cast<std::int64_t>(random() % 3);
    }
    ASSERT_EQ(AndBack(numbers).numbers, numbers);
  }
}

TEST(Rice, EqualNumbersTakeABitEach) { EXPECT_EQ(AndBack(Numbers(800, 123'456'789)).bytes, 100U); }

TEST(Rice, ACommonFactorCostsNothing) {
  std::mt19937_64 random(3);
  Numbers plain(1000);
  Numbers sectors(1000);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    plain[i] = static_cast<std::int64_t>(random() % 100) - 1;
    sectors[i] = 512 * plain[i];
  }
  EXPECT_EQ(AndBack(plain).bytes, AndBack(sectors).bytes);
}

TEST(Rice, ScatterCostsLittleMoreThanItSays) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> scatter(90'000, 4'000);
  Numbers numbers(6000);
  for (auto& number : numbers) {
    number = std::llround(scatter(random));
  }
  // log2(4000 √(2πe)) = 14.01 bits.
  EXPECT_LT(static_cast<double>(AndBack(numbers).bytes) * 8 / 6000, 14.4);
}

TEST(Rice, OneThatIsFarOffSpoilsNothing) {
  Numbers numbers(600, 7);
  numbers[300] = INT64_MAX;
  EXPECT_LT(AndBack(numbers).bytes, 600 / 8 + 12U);
  EXPECT_EQ(AndBack(numbers).numbers, numbers);
}

}  // namespace
}  // namespace limpet::columns::rice_test
