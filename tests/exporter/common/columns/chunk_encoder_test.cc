#include "exporter/common/columns/chunk_encoder.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "exporter/common/columns/chunk_decoder.h"
#include "tests/exporter/common/columns/chunks.h"

namespace limpet::columns::chunk_encoder_test {
namespace {

constexpr int kRows = 60;

// Chunks of the same series, each given by its columns.
class ChunkEncoderTest : public ::testing::Test {
 protected:
  static Chunk Make(const std::vector<std::vector<double>>& columns) {
    Chunk chunk;
    const auto table = std::make_shared<SeriesTable>();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      EXPECT_TRUE(table->Add("series" + std::to_string(i)));
      chunk.columns.emplace_back();
      chunk.values.insert(chunk.values.end(), columns[i].begin(), columns[i].end());
    }
    chunk.table = table;
    for (std::size_t row = 0; row < columns.front().size(); ++row) {
      chunk.times.push_back(UnixFromSeconds(1'769'817'605 + static_cast<int>(row)));
    }
    return chunk;
  }
  // Its size after one that was the same up to the last values.
  std::size_t SizeAfter(const Chunk& before, const Chunk& chunk) {
    ChunkEncoder encoder;
    ChunkDecoder decoder;
    Chunk read;
    EXPECT_TRUE(decoder.Decode(encoder.Encode(before, false), read));
    const auto bytes = encoder.Encode(chunk, false);
    EXPECT_TRUE(decoder.Decode(bytes, read));
    EXPECT_EQ(testing::SamplesOf(read), testing::SamplesOf(chunk));
    return bytes.size();
  }
  // A counter, which moves in some seconds.
  std::vector<double> Counter(double from, const std::vector<bool>& moves) {
    std::vector<double> values;
    for (const bool move : moves) {
      from += move ? static_cast<double>(200 + random_() % 32) : 0;
      values.push_back(from);
    }
    return values;
  }

  std::mt19937_64 random_{6};
};

TEST_F(ChunkEncoderTest, WhereAllCountersOfADiskMoveIsSaidOnce) {
  std::vector<bool> moves(kRows);
  for (int i = 0; i < kRows; i += 7) {
    moves[static_cast<std::size_t>(i)] = true;
  }
  std::vector<std::vector<double>> one = {Counter(0, moves)};
  auto eight = one;
  for (int i = 0; i < 7; ++i) {
    eight.push_back(Counter(0, moves));
  }
  const auto size_of = [&](const auto& columns) {
    return SizeAfter(Make(std::vector<std::vector<double>>(columns.size(), {0})), Make(columns));
  };
  // 9 moves of 5 bits and what they have in common, but not where they are.
  EXPECT_LE(size_of(eight), size_of(one) + 7 * 15);
  EXPECT_LT(size_of(one), 60U);
}

TEST_F(ChunkEncoderTest, ASteadyCounterTakesAFewBytes) {
  std::vector<double> values;
  for (int i = 0; i < kRows; ++i) {
    values.push_back(1e9 + 4096.0 * i);
  }
  EXPECT_LT(SizeAfter(Make({{1e9 - 4096}}), Make({values})), 45U) << "a bit for each second";
}

TEST_F(ChunkEncoderTest, OneThatBeginsAnewNeedsNoneBeforeIt) {
  ChunkEncoder encoder;
  const auto chunk = Make({{1, 2, 3}, {4.5, 4.5, 4.5}});
  (void)encoder.Encode(chunk, false);
  const auto continued = encoder.Encode(chunk, false);
  const auto anew = encoder.Encode(chunk, true);
  EXPECT_LT(continued.size(), anew.size());
  Chunk read;
  ChunkDecoder decoder;
  EXPECT_EQ(decoder.Decode(continued, read).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(decoder.Decode(anew, read));
  EXPECT_EQ(testing::SamplesOf(read), testing::SamplesOf(chunk));
}

}  // namespace
}  // namespace limpet::columns::chunk_encoder_test
