#include "diagnoser/mapping/disk_kinds.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace limpet::disk_kinds_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const PeerGroupRule kRule{.name = "server-disks", .roles = {"server"}, .by_kind = true};

// Servers io0, io1, … with the disks that a test says.
class DiskKindsTest : public ::testing::Test {
 protected:
  void Add(int server, const std::string& device, const LabelPairs& facts = {}) {
    LabelPairs labels = facts;
    labels.emplace_back("device", device);
    const auto node = fmt::format("io{}", server);
    const auto number = directory_.Resolve({.kind = EntityKind::kDisk, .index = kInfoField}, labels,
                                           {.node = node, .role = "server", .labels = {}});
    numbers_[node + "/" + device] = number.value_or(UINT32_MAX);
  }
  void Say(const std::string& disk, const std::string& load) {
    directory_.Describe(numbers_.at(disk), std::string(kLoadLabel), load);
  }
  // "suffix: key: how many"
  [[nodiscard]] std::vector<std::string> Kinds(const KindNames& names = {}) const {
    std::vector<std::string> texts;
    for (const auto& kind : FindDiskKinds(directory_, 0, {}, names).kinds) {
      texts.push_back(fmt::format("{}: {}: {}", kind.suffix, kind.key, kind.disks.size()));
    }
    return texts;
  }
  [[nodiscard]] std::string Text() const {
    return DescribeKinds(directory_, FindDiskKinds(directory_, 0));
  }

  Directory directory_{std::vector<Rule>{*Rule::Compile(kRule)}};
  std::map<std::string, std::uint32_t> numbers_;
};

TEST_F(DiskKindsTest, DisksThatNothingIsKnownOfAreOfOneKind) {
  for (int server = 0; server < 3; ++server) {
    Add(server, "sda");
    Add(server, "sdb");
  }
  EXPECT_THAT(Kinds(), ElementsAre(": data: 6"));
  EXPECT_EQ(Text(), "6 disks in one kind: sda, sdb (data)");
}

TEST_F(DiskKindsTest, WhatHoldsTheSystemIsNoPeerOfData) {
  for (int server = 0; server < 6; ++server) {
    Add(server, "sda", {{"mountpoint", server % 2 == 0 ? "/" : "/boot/efi"}});
    Add(server, "sdb", {{"mountpoint", "/srv/ost"}});
  }
  EXPECT_THAT(Kinds(), ElementsAre(": data: 6", "system: system: 6"));
  EXPECT_EQ(Text(), "12 disks in two kinds: sdb (data), sda (system)");
}

TEST_F(DiskKindsTest, AVolumeOverItTellsThatItHoldsTheSystem) {
  for (int server = 0; server < 3; ++server) {
    Add(server, "sda");
    Add(server, "sdb");
    Add(server, "dm-0", {{"mountpoint", "/"}});
    (void)directory_.Resolve({.kind = EntityKind::kDisk, .index = kStackField},
                             {{"device", "dm-0"}, {"kind", "dm"}, {"lower", "sda"}},
                             {.node = fmt::format("io{}", server), .role = "server", .labels = {}});
  }
  EXPECT_THAT(Kinds(), ElementsAre(": data: 3", "system: system: 3", "dm: system, dm: 3"));
}

TEST_F(DiskKindsTest, ServersWithASingleDiskKeepTheGroupsName) {
  for (int server = 0; server < 3; ++server) {
    Add(server, "vda", {{"mountpoint", "/"}});
  }
  EXPECT_THAT(Kinds(), ElementsAre(": system: 3"));
}

TEST_F(DiskKindsTest, MediaSizesAndFamiliesAreToldApart) {
  for (int server = 0; server < 4; ++server) {
    Add(server, "sda", {{"rotational", "1"}, {"size", "4000787030016"}, {"model", "ST4000NM-1"}});
    Add(server, "sdb", {{"rotational", "1"}, {"size", "4000787030016"}, {"model", "ST4000NM-2"}});
    Add(server, "sdc", {{"rotational", "1"}, {"size", "12000138625024"}, {"model", "ST12000"}});
    Add(server, "sdd", {{"rotational", "0"}, {"size", "960197124096"}, {"model", "MZ7LH960"}});
    Add(server, "nvme0n1", {{"rotational", "0"}, {"size", "3840755982336"}});
  }
  EXPECT_THAT(Kinds(), ElementsAre(": data, rotating, 4 TB: 8", "nvme: data, NVMe: 4",
                                   "flash: data, flash: 4", "rotating: data, rotating, 12 TB: 4"));
}

TEST_F(DiskKindsTest, ASpareOfAnotherMakeBelongsToThoseItWasPutAmong) {
  for (int server = 0; server < 4; ++server) {
    Add(server, "sda",
        {{"size", "4000787030016"}, {"model", server == 3 ? "WDC WD4003" : "ST4000"}});
  }
  EXPECT_THAT(Kinds(), ElementsAre(": data: 4"));
}

TEST_F(DiskKindsTest, AKindNeedsThreeServersAndNotThreeDisks) {
  for (int server = 0; server < 4; ++server) {
    Add(server, "sda", {{"size", "4000787030016"}});
  }
  for (const char* const device : {"sdx", "sdy", "sdz"}) {
    Add(1, device, {{"size", "18000000000000"}});
    Add(2, device, {{"size", "18000000000000"}});
  }
  const auto kinds = FindDiskKinds(directory_, 0);
  EXPECT_THAT(kinds.kinds, SizeIs(1));
  EXPECT_THAT(kinds.alone, SizeIs(6));
  const auto texts = DescribeLoners(directory_, kRule, kinds);
  ASSERT_THAT(texts, SizeIs(3));
  EXPECT_EQ(texts[0],
            "sdx of io1 and 1 more is compared with nobody: fewer than 3 servers have disks like "
            "it; to place it: peer_groups: [{name: server-disks-sdx, kind: storage, roles: "
            "[server], device: '^sdx$'}]");
}

TEST_F(DiskKindsTest, MemoryAndNetworksAreNoDisks) {
  for (int server = 0; server < 3; ++server) {
    Add(server, "sda");
    for (const char* const device :
         {"zram0", "ram1", "loop7", "sr0", "fd0", "nbd3", "rbd0", "drbd1", "zd16"}) {
      EXPECT_TRUE(IsNoDisk(device)) << device;
      Add(server, device);
    }
  }
  EXPECT_THAT(Kinds(), ElementsAre(": data: 3"));
  for (const char* const device :
       {"sda", "nvme0n1", "md0", "dm-3", "sram", "fdisk", "vda", "zda"}) {
    EXPECT_FALSE(IsNoDisk(device)) << device;
  }
}

TEST_F(DiskKindsTest, QuietDisksOfOneNameAreAKindAndOthersWait) {
  for (int server = 0; server < 4; ++server) {
    for (const char* const device : {"sda", "sdb", "sdc"}) {
      Add(server, device);
      Say(fmt::format("io{}/{}", server, device),
          device == std::string("sda") ? std::string(kQuietLoad) : std::string(kBusyLoad));
    }
  }
  EXPECT_THAT(Kinds(), ElementsAre(": data: 8", "quiet: data, quiet: 4"));
  Say("io2/sdc", std::string(kQuietLoad));  // a spare
  Add(3, "sdd");                            // just plugged in
  const auto kinds = FindDiskKinds(directory_, 0);
  EXPECT_THAT(kinds.waiting, SizeIs(2));
  EXPECT_THAT(kinds.alone, IsEmpty());
  EXPECT_THAT(DescribeKinds(directory_, kinds),
              HasSubstr("idle and compared with nobody: sdc, sdd"));
}

TEST_F(DiskKindsTest, AKindKeepsItsName) {
  for (int server = 0; server < 4; ++server) {
    Add(server, "sda", {{"rotational", "1"}});
    Add(server, "sdb", {{"rotational", "0"}});
  }
  EXPECT_THAT(Kinds(), ElementsAre(": data, flash: 4", "rotating: data, rotating: 4"));
  const KindNames names = {{"data, rotating", ""}, {"data, flash", "flash"}};
  EXPECT_THAT(Kinds(names), ElementsAre(": data, rotating: 4", "flash: data, flash: 4"));
}

TEST_F(DiskKindsTest, TheOrderInWhichDisksCameDoesNotMatter) {
  const auto add = [&](int server) {
    Add(server, "sdb", {{"size", fmt::format("{}", 4e12 + server)}});
    Add(server, "sda", {{"mountpoint", "/"}});
  };
  for (const int server : {4, 2, 0, 3, 1}) {
    add(server);
  }
  const auto kinds = Kinds();
  directory_ = Directory(std::vector<Rule>{*Rule::Compile(kRule)});
  for (const int server : {0, 1, 2, 3, 4}) {
    add(server);
  }
  EXPECT_EQ(Kinds(), kinds);
}

TEST_F(DiskKindsTest, TheNamesOfItsGroupsAreThoseThatTheConfigurationHas) {
  std::set<std::string> names;
  for (const auto& group : WithKinds({kRule})) {
    names.insert(group.name);
  }
  EXPECT_THAT(names, SizeIs(1 + kKindSuffixes.size()));
  EXPECT_TRUE(names.contains("server-disks-system"));
}

}  // namespace
}  // namespace limpet::disk_kinds_test
