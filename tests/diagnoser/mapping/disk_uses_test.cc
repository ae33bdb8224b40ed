#include "diagnoser/mapping/disk_uses.h"

#include <gmock/gmock.h>

namespace limpet::disk_uses_test {
namespace {

Entity Disk(const std::string& name, const std::string& mount,
            const std::vector<std::string>& lowers = {}) {
  Entity disk;
  disk.device = name;
  disk.lowers = lowers;
  if (!mount.empty()) {
    disk.labels.emplace("mountpoint", mount);
  }
  return disk;
}

std::vector<DiskUse> Uses(const std::vector<Entity>& disks) {
  std::vector<std::uint32_t> numbers(disks.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = i;
  }
  return FindDiskUses(disks, numbers);
}

constexpr DiskUse kNothing;
constexpr DiskUse kSystem{.system = true};
constexpr DiskUse kData{.data = true};
constexpr DiskUse kBoth{.system = true, .data = true};

using ::testing::ElementsAre;

TEST(DiskUses, MountsSayWhatADiskIsFor) {
  EXPECT_THAT(Uses({Disk("sda", "/"), Disk("sdb", "/srv"), Disk("sdc", "")}),
              ElementsAre(kSystem, kData, kNothing));
  auto both = Disk("sda", "");
  both.labels = {{"mounted", "/boot"}, {"data_mounted", "/srv"}};
  EXPECT_THAT(Uses({both}), ElementsAre(kBoth));
}

TEST(DiskUses, WhatStandsOnADiskIsOnIt) {
  EXPECT_THAT(Uses({Disk("sda", ""), Disk("dm-0", "/", {"sda"}), Disk("sdb", ""),
                    Disk("md0", "", {"sdb"}), Disk("dm-1", "/srv", {"md0"})}),
              ElementsAre(kSystem, kSystem, kData, kData, kData));
  EXPECT_THAT(Uses({Disk("sda", ""), Disk("dm-0", "/", {"sda"}), Disk("dm-1", "/srv", {"sda"}),
                    Disk("dm-2", "[SWAP]", {"sda"})}),
              ElementsAre(kBoth, kSystem, kData, kSystem));
}

TEST(DiskUses, ACircleEnds) {
  EXPECT_THAT(Uses({Disk("a", "/", {"b"}), Disk("b", "/srv", {"a"}), Disk("c", "", {"gone"})}),
              ElementsAre(kBoth, kBoth, kNothing));
}

}  // namespace
}  // namespace limpet::disk_uses_test
