#include "exporter/common/columns/chunk_header.h"

#include <gtest/gtest.h>

namespace limpet::columns::chunk_header_test {
namespace {

TEST(ChunkHeader, SaysHowLongTheChunkIsAndWhetherItIsWhole) {
  const auto header = MakeHeader("123456789");
  EXPECT_EQ(header, std::string_view("\x8bLC\x01\x09\x00\x00\x00\x26\x39\xf4\xcb", 12));
  EXPECT_EQ(ReadHeader(header).size, 9U);
  EXPECT_EQ(ReadHeader(header).checksum, 0xCBF43926U) << "the check value of CRC-32";
}

TEST(IsColumns, KnowsTheFirstBytes) {
  EXPECT_TRUE(IsColumns(kMagic));
  EXPECT_TRUE(IsColumns("\x8bLC\x07 of another version"));
  EXPECT_FALSE(IsColumns("# HE"));
  EXPECT_FALSE(IsColumns(""));
}

}  // namespace
}  // namespace limpet::columns::chunk_header_test
