#include "diagnoser/intake/source_caches.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

namespace limpet::source_caches_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = SeriesCache::LineKind;

class SourceCachesTest : public ::testing::Test {
 protected:
  static Scrape Page(std::string_view node) {
    return {.source = node, .node = node, .role = "io", .labels = {}, .at = {}, .text = {}};
  }
  // A disk's series, on a page of the node.
  std::uint32_t Introduce(std::string_view node, const std::string& device) {
    constexpr std::string_view kName = "limpet_disk_reads_completed_total";
    const auto labels = fmt::format("device=\"{}\"", device);
    const auto text = fmt::format("{}{{{}}}", kName, labels);
    const auto page = Page(node);
    auto& cache = caches_.Prepare(page);
    cache.Rewind();
    return caches_.Introduce({.kind = Kind::kSeries, .text = text, .name = kName, .labels = labels},
                             page, cache, directory_);
  }

  Directory directory_{{*Rule::Compile({.name = "disks"})}, {.devices_per_node = 2}};
  SourceCaches caches_{{.max_page_lines = 4}};
};

TEST_F(SourceCachesTest, ANodeWithoutRoomIsCrowdedUntilItsSourcesAreForgotten) {
  for (const auto* device : {"sda", "sdb", "sdc"}) {
    EXPECT_NE(Introduce("a", device), SeriesCache::kNone);
  }
  EXPECT_NE(Introduce("b", "sda"), SeriesCache::kNone);
  EXPECT_THAT(caches_.CrowdedNodes(), ElementsAre("a"));
  EXPECT_EQ(caches_.Series(), 4U);
  caches_.ForgetNode("a");
  EXPECT_THAT(caches_.CrowdedNodes(), IsEmpty());
  EXPECT_EQ(caches_.Series(), 1U);
}

TEST_F(SourceCachesTest, OneSourceDoesNotFillTheOthers) {
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(Introduce("a", std::to_string(i)) == SeriesCache::kNone, i >= 4);
  }
  EXPECT_NE(Introduce("b", "sda"), SeriesCache::kNone);
}

TEST_F(SourceCachesTest, TotalsFollowWhatASourceForgets) {
  int introduced = 0;
  for (int page = 0; page < 1000; ++page) {
    introduced += Introduce("a", std::to_string(page)) == SeriesCache::kNone ? 0 : 1;
    EXPECT_LE(caches_.Series(), 4U);
  }
  EXPECT_GT(introduced, 20) << "the old ones make room";
}

}  // namespace
}  // namespace limpet::source_caches_test
