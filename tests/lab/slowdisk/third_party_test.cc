#include "tests/lab/slowdisk/third_party.h"

#include <gtest/gtest.h>

namespace limpet::slowdisk::third_party_test {
namespace {

constexpr std::uint64_t kMebibyte = 1 << 20;

TEST(ParseControl, ReadsDepthSizeAndSpeed) {
  EXPECT_EQ(ParseControl("2 1024 0.5\n"), (Control{2, kMebibyte, 0.5}));
}

TEST(ParseControl, TakesAnythingElseAsNoThirdParty) {
  for (const char* text : {"", "2", "x y z", "-1 4 1", "2 -4 1", "2 4 -1", "2 4 nan"}) {
    EXPECT_EQ(ParseControl(text), Control{}) << text;
  }
}

TEST(ParseControl, BoundsTheDepth) { EXPECT_EQ(ParseControl("1000 4 1").depth, kMaxDepth); }

TEST(ParseControl, NeedsASizeForALoad) { EXPECT_EQ(ParseControl("2 0 0"), (Control{0, 0, 0})); }

TEST(ThirdParty, ReadsForwardInTheLastEighthAndStartsOver) {
  const std::uint64_t size = 8 * kMaxDepth * 2 * kMebibyte;  // lanes of 2 MiB
  const std::uint64_t begin = size - size / 8;
  ThirdParty readers(size);
  EXPECT_EQ(readers.NextOffset(0, kMebibyte), begin);
  EXPECT_EQ(readers.NextOffset(0, kMebibyte), begin + kMebibyte);
  EXPECT_EQ(readers.NextOffset(0, kMebibyte), begin);
  EXPECT_EQ(readers.NextOffset(1, kMebibyte), begin + 2 * kMebibyte);
}

}  // namespace
}  // namespace limpet::slowdisk::third_party_test
