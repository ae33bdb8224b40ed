#include "exporter/bpf/programs.h"

#include <gtest/gtest.h>

#include <cstring>

namespace limpet::bpf::programs_test {
namespace {

TEST(Programs, GiveTheElementsOfAnArray) {
  std::vector<std::byte> bytes(24);
  const std::uint64_t seven = 7;
  std::memcpy(&bytes[8], &seven, sizeof(seven));
  Programs programs;
  programs.arrays.push_back({"drops", MappedArray::Of(std::move(bytes))});
  const auto drops = programs.Array<std::uint64_t>("drops");
  ASSERT_EQ(drops.size(), 3U);
  EXPECT_EQ(ReadShared(drops[1]), 7U);
  EXPECT_TRUE(programs.Array<std::uint64_t>("cells").empty());
}

TEST(Programs, CannotMapWhatIsNoArray) { EXPECT_FALSE(MappedArray::Map(-1, 4096)); }

TEST(Programs, KnowHowManyCpusThereMayBe) { EXPECT_GE(PossibleCpus(), 1U); }

}  // namespace
}  // namespace limpet::bpf::programs_test
