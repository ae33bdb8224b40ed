#include "exporter/common/columns/chunk_decoder.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "exporter/common/columns/chunk_header.h"
#include "exporter/common/columns/chunk_writer.h"
#include "tests/exporter/common/columns/chunks.h"

namespace limpet::columns::chunk_decoder_test {
namespace {

constexpr UnixTime kStart = UnixFromSeconds(1'769'817'605);

// A chunk without its header.
std::string SomeChunk() {
  ChunkWriter writer;
  EXPECT_TRUE(writer.AddComment("# TYPE a counter"));
  for (int second = 0; second < 20; ++second) {
    const auto at = kStart + std::chrono::seconds(second);
    EXPECT_TRUE(writer.Add(at, "a", second * second));
    EXPECT_TRUE(second % 3 == 0 || writer.Add(at, "b", 1.0 / (second + 1)));
    EXPECT_TRUE(writer.Add(at, "c", second / 7));
  }
  return writer.Finish(false).substr(kHeaderBytes);
}

TEST(ChunkDecoder, ReadsNothingOfAChunkThatWasCut) {
  const auto bytes = SomeChunk();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Chunk chunk;
    EXPECT_FALSE(ChunkDecoder().Decode(std::string_view(bytes).substr(0, size), chunk)) << size;
  }
}

TEST(ChunkDecoder, ABitThatFlippedIsAnErrorOrOtherSamplesAndNeverMore) {
  const auto bytes = SomeChunk();
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    auto flipped = bytes;
    flipped[bit / 8] =
        static_cast<char>(static_cast<unsigned char>(flipped[bit / 8]) ^ 1U << (bit % 8));
    Chunk chunk;
    if (ChunkDecoder().Decode(flipped, chunk)) {
      EXPECT_LE(chunk.times.size() * chunk.columns.size(), kMaxValues);
      (void)testing::SamplesOf(chunk);
    }
  }
}

TEST(ChunkDecoder, AFewBytesMakeNoLargeMatrix) {
  std::string hostile(1, static_cast<char>(kBeginsAnew));
  PutNumber(hostile, 0);            // first
  PutNumber(hostile, kMaxColumns);  // series
  Chunk chunk;
  EXPECT_FALSE(ChunkDecoder().Decode(hostile, chunk));
  EXPECT_TRUE(chunk.values.empty());

  hostile.assign(1, static_cast<char>(kBeginsAnew));
  PutNumber(hostile, 0);
  PutNumber(hostile, 1);
  hostile.append("\x00\x01x", 3);
  PutNumber(hostile, UINT64_MAX);  // rows
  EXPECT_FALSE(ChunkDecoder().Decode(hostile, chunk));
  EXPECT_TRUE(chunk.times.empty());
}

TEST(ChunkDecoder, ATableThatWasHandedOutStaysAsItIs) {
  ChunkWriter writer;
  ChunkDecoder decoder;
  ASSERT_TRUE(writer.Add(kStart, "a", 1));
  Chunk first;
  ASSERT_TRUE(decoder.Decode(writer.Finish(true).substr(kHeaderBytes), first));
  ASSERT_TRUE(writer.Add(kStart, "b", 1));
  Chunk second;
  ASSERT_TRUE(decoder.Decode(writer.Finish(true).substr(kHeaderBytes), second));
  EXPECT_EQ(first.table->Size(), 1U);
  EXPECT_EQ(second.table->Size(), 2U);
}

}  // namespace
}  // namespace limpet::columns::chunk_decoder_test
