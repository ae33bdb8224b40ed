#include "exporter/common/columns/chunk_text.h"

#include <gtest/gtest.h>

#include <memory>

namespace limpet::columns::chunk_text_test {
namespace {

TEST(ChunkText, AnEmptyChunkIsItsComments) {
  Chunk chunk;
  chunk.table = std::make_shared<SeriesTable>();
  chunk.comments.push_back({.row = 0, .column = 0, .line = "# EOF"});
  ChunkText text;
  EXPECT_TRUE(text.IsDone());
  text.Begin(chunk);
  EXPECT_FALSE(text.IsDone());
  std::string out = "before\n";
  text.Append(out, 100);
  EXPECT_EQ(out, "before\n# EOF\n");
  EXPECT_TRUE(text.IsDone());
}

}  // namespace
}  // namespace limpet::columns::chunk_text_test
