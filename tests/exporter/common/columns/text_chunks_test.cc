#include "exporter/common/columns/text_chunks.h"

#include <gtest/gtest.h>

#include <string>

#include "exporter/common/columns/chunk_reader.h"
#include "exporter/common/columns/chunk_text.h"

namespace limpet::columns::text_chunks_test {
namespace {

std::string TextOf(const std::string& chunks, std::size_t piece = 100) {
  ChunkReader reader;
  reader.Feed(chunks);
  std::string text;
  Chunk chunk;
  for (auto next = reader.Next(chunk); next && *next; next = reader.Next(chunk)) {
    ChunkText lines;
    for (lines.Begin(chunk); !lines.IsDone();) {
      lines.Append(text, piece);
      EXPECT_EQ(text.back(), '\n');
    }
  }
  return text;
}

const std::string kText =
    "# HELP a Something.\n"
    "# TYPE a counter\n"
    "a_total{instance=\"x\"} 7 1769817605.000\n"
    "b{instance=\"x\"} 0.25 1769817605.000\n"
    "once{instance=\"x\"} 1 1769817605.000\n"
    "a_total{instance=\"x\"} 9 1769817606.001\n"
    "# TYPE c gauge\n"
    "c 1e+300 1769817606.001\n"
    "a_total{instance=\"x\"} NaN 1769817666.000\n"
    "b{instance=\"x\"} -Inf 1769817666.000\n"
    "b{instance=\"x\"} 0.3333333333333333 1769817666.000000001\n"
    "# EOF\n";

TEST(TextChunks, TheTextComesBack) {
  TextChunks chunks;
  auto bytes = chunks.Convert(kText, Format::kOpenMetrics);
  bytes += chunks.Finish();
  EXPECT_EQ(TextOf(bytes), kText);
  EXPECT_EQ(TextOf(bytes, 1), kText) << "line by line";
  EXPECT_EQ(chunks.Total().samples, 8U);
  EXPECT_EQ(chunks.Total().bad, 0U);
}

TEST(TextChunks, DoesNotDependOnHowTheLinesCame) {
  TextChunks chunks;
  std::string bytes;
  for (std::size_t begin = 0; begin < kText.size();) {
    const auto end = kText.find('\n', begin) + 1;
    bytes += chunks.Convert(kText.substr(begin, end - begin), Format::kOpenMetrics);
    begin = end;
  }
  bytes += chunks.Finish();
  EXPECT_EQ(TextOf(bytes), kText);
}

TEST(TextChunks, CountsWhatItCannotTake) {
  TextChunks chunks;
  auto bytes = chunks.Convert("a 1\n<html>\nb 2 1700000000\nc 3 17000", Format::kOpenMetrics);
  bytes += chunks.Finish();
  EXPECT_EQ(TextOf(bytes), "b 2 1700000000.000\n");
  EXPECT_EQ(chunks.Total().bad, 3U);
}

}  // namespace
}  // namespace limpet::columns::text_chunks_test
