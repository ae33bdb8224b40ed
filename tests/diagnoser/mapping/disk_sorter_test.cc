#include "diagnoser/mapping/disk_sorter.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <numeric>
#include <set>

#include "tests/support/property.h"

namespace limpet::disk_sorter_test {
namespace {

using ::testing::ElementsAre;

struct Disk {
  int server = 0;
  double terabytes = 0;
};

std::vector<Entity> MakeEntities(const std::vector<Disk>& disks) {
  std::vector<Entity> entities;
  entities.reserve(disks.size());
  for (const auto& disk : disks) {
    entities.push_back({.node = fmt::format("io{}", disk.server),
                        .labels = {{"size", fmt::format("{:.0f}", disk.terabytes * 1e12)}}});
  }
  return entities;
}

std::vector<DiskKind> SortBySize(const std::vector<Disk>& disks) {
  DiskKind all{.key = "data", .what = "data", .suffix = {}, .disks = {}};
  all.disks.resize(disks.size());
  std::iota(all.disks.begin(), all.disks.end(), 0U);
  const auto entities = MakeEntities(disks);
  return DiskSorter(entities).BySize(all);
}

// "key: how many"
std::vector<std::string> Texts(const std::vector<Disk>& disks) {
  std::vector<std::string> texts;
  for (const auto& kind : SortBySize(disks)) {
    texts.push_back(fmt::format("{}: {}", kind.key, kind.disks.size()));
  }
  return texts;
}

TEST(DiskSorter, SizesOfThreeServersEachAreApart) {
  EXPECT_THAT(Texts({{0, 8}, {1, 8}, {2, 9}, {0, 16}, {1, 16}, {2, 16}}),
              ElementsAre("data, 16 TB: 3", "data, 8 TB: 3"));
}

TEST(DiskSorter, ThreeServersWithTwoSizesArePeers) {
  EXPECT_THAT(Texts({{0, 8}, {1, 16}, {2, 8}}), ElementsAre("data: 3"));
  EXPECT_THAT(Texts({{0, 8}, {1, 16}, {2, 8}, {3, 16}}), ElementsAre("data: 4"));
}

TEST(DiskSorter, SizesFarApartAreNoPeers) {
  EXPECT_THAT(Texts({{0, 8}, {1, 20}, {2, 8}}), ElementsAre("data, 8 TB: 2", "data, 20 TB: 1"));
}

// The larger ones get more of the load and take longer for it: an operator may place them.
TEST(DiskSorter, WhereASizeHasThreeServersOthersStayApart) {
  EXPECT_THAT(Texts({{0, 8}, {1, 8}, {2, 8}, {3, 16}}),
              ElementsAre("data, 16 TB: 1", "data, 8 TB: 3"));
}

TEST(DiskSorter, DisksOfWhichNoSizeIsKnownGoWithMost) {
  EXPECT_THAT(Texts({{0, 8}, {1, 8}, {2, 8}, {3, 0}, {0, 2}, {1, 2}, {2, 2}, {3, 8}}),
              ElementsAre("data, 2 TB: 3", "data, 8 TB: 5"));
  EXPECT_THAT(Texts({{0, 0}, {1, 0}}), ElementsAre("data: 2"));
}

std::vector<Disk> DrawDisks() {
  std::vector<Disk> disks(*rc::gen::inRange<std::size_t>(1, 24));
  for (auto& disk : disks) {
    disk = {*rc::gen::inRange(0, 6), *rc::gen::inRange(0, 12) * 2.0};
  }
  return disks;
}

RC_GTEST_PROP(DiskSorterProperty, EveryDiskIsInOneKind, ()) {
  const auto disks = DrawDisks();
  std::vector<std::uint32_t> found;
  for (const auto& kind : SortBySize(disks)) {
    found.insert(found.end(), kind.disks.begin(), kind.disks.end());
  }
  std::ranges::sort(found);
  std::vector<std::uint32_t> all(disks.size());
  std::iota(all.begin(), all.end(), 0U);
  RC_ASSERT(found == all);
}

RC_GTEST_PROP(DiskSorterProperty, SizesOfAKindAreNear, ()) {
  const auto disks = DrawDisks();
  std::map<double, std::set<int>> servers;  // by size
  for (const auto& disk : disks) {
    servers[disk.terabytes].insert(disk.server);
  }
  servers.erase(0);
  const bool enough = std::ranges::any_of(
      servers, [](const auto& size) { return size.second.size() >= kMinDiskServers; });
  for (const auto& kind : SortBySize(disks)) {
    std::set<double> sizes;
    for (const auto disk : kind.disks) {
      sizes.insert(disks[disk].terabytes);
    }
    sizes.erase(0);
    const bool near =
        sizes.empty() || *sizes.rbegin() <= (enough ? 1.5 : 1.5 * 2.1) * *sizes.begin();
    RC_ASSERT(near);
  }
}

}  // namespace
}  // namespace limpet::disk_sorter_test
