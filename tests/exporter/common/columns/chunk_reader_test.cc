#include "exporter/common/columns/chunk_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "exporter/common/columns/chunk_writer.h"
#include "tests/exporter/common/columns/chunks.h"

namespace limpet::columns::chunk_reader_test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string ChunkOf(ChunkWriter& writer, int second) {
  EXPECT_TRUE(writer.Add(UnixFromSeconds(second), "a", second));
  return writer.Finish(true);
}

TEST(ChunkReader, TakesBytesAsTheyCome) {
  ChunkWriter writer;
  auto bytes = ChunkOf(writer, 1);
  bytes += ChunkOf(writer, 2);
  ChunkReader reader;
  Chunk chunk;
  std::size_t chunks = 0;
  for (const char byte : bytes) {
    reader.Feed({&byte, 1});
    const auto next = reader.Next(chunk);
    ASSERT_TRUE(next);
    chunks += *next ? 1U : 0U;
  }
  EXPECT_EQ(chunks, 2U);
  EXPECT_TRUE(reader.Whole());
  reader.Feed("\x8b");
  EXPECT_FALSE(reader.Whole());
}

TEST(ChunkReader, LeavesOutWhatContinuesAChunkThatIsMissing) {
  ChunkWriter writer;
  const auto first = ChunkOf(writer, 1);
  (void)ChunkOf(writer, 2);
  const auto third = ChunkOf(writer, 3);
  EXPECT_THAT(testing::ReadAll(first + third), SizeIs(1));
  ChunkReader reader;
  reader.Feed(first + third);
  Chunk chunk;
  EXPECT_TRUE(*reader.Next(chunk));
  EXPECT_FALSE(*reader.Next(chunk));
  EXPECT_EQ(reader.LeftOut(), 1U);
}

TEST(ChunkReader, SaysWhatItDoesNotKnow) {
  const auto error_of = [](std::string_view bytes) {
    ChunkReader reader;
    reader.Feed(bytes);
    Chunk chunk;
    const auto next = reader.Next(chunk);
    return next ? "none" : next.error().message;
  };
  EXPECT_THAT(error_of("\x8bLC\x02 and so on"), HasSubstr("later version"));
  EXPECT_THAT(error_of("\x8bLC\x01\xff\xff\xff\xff\xff\xff\xff\xff"), HasSubstr("at most 32 MiB"));
  EXPECT_THAT(error_of("# HELP abc def\n"), HasSubstr("expected a chunk"));
}

TEST(ChunkReader, MakesNothingOfAChunkInWhichABitFlipped) {
  ChunkWriter writer;
  auto bytes = ChunkOf(writer, 1);
  bytes += ChunkOf(writer, 2);
  const auto samples = testing::ReadAll(bytes);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    auto flipped = bytes;
    flipped[bit / 8] =
        static_cast<char>(static_cast<unsigned char>(flipped[bit / 8]) ^ 1U << (bit % 8));
    const auto read = testing::ReadAll(flipped);
    ASSERT_LT(read.size(), samples.size());
    ASSERT_TRUE(std::equal(read.begin(), read.end(), samples.begin()));
  }
}

}  // namespace
}  // namespace limpet::columns::chunk_reader_test
