#include "diagnoser/evidence/groups/disk_mounts.h"

#include <gtest/gtest.h>

#include <map>

#include "diagnoser/mapping/disk_kinds.h"
#include "diagnoser/mapping/disk_uses.h"
#include "diagnoser/mapping/members.h"

namespace limpet::disk_mounts_test {
namespace {

constexpr std::int64_t kStart = 1'700'000'000;
constexpr std::size_t kSteps = 16;

// One server, by node_exporter: its disks, volumes and file systems.
class DiskMountsTest : public ::testing::Test {
 protected:
  void Disk(const std::string& device) {
    disks_.emplace(device, *directory_.Resolve({.kind = EntityKind::kDisk, .index = 0},
                                               {{"device", device}}, kSource));
  }
  void Volume(const std::string& device, const std::string& name) {
    Disk(device);
    (void)directory_.Resolve({.kind = EntityKind::kDisk, .index = kStackField},
                             {{"device", device}, {"name", name}, {"uuid", "LVM-1"}}, kSource);
  }
  void Filesystem(const std::string& device, const std::string& where) {
    const Field size{.kind = EntityKind::kFact,
                     .index = static_cast<std::uint8_t>(FactSeries::kFilesystemSize)};
    const LabelPairs labels = {
        {"device", "/dev/" + device}, {"fstype", "xfs"}, {"mountpoint", where}};
    const auto series =
        *facts_.Resolve({.field = size, .labels = labels, .source = kSource, .target = "io1"});
    facts_.Add(series, UnixFromSeconds(kStart), 1e12);
  }
  void Turns(const std::string& device, double rpm) {
    const Field rate{.kind = EntityKind::kFact,
                     .index = static_cast<std::uint8_t>(FactSeries::kRotationRate)};
    const LabelPairs labels = {{"device", device}};
    facts_.Add(
        *facts_.Resolve({.field = rate, .labels = labels, .source = kSource, .target = "io1"}),
        UnixFromSeconds(kStart), rpm);
  }
  // Bytes written in each second: `phase` tells disks with other work apart.
  void Write(const std::string& device, double bytes, int phase) {
    double done = 0;
    for (std::int64_t second = 0; second < 30; ++second) {
      done += bytes * static_cast<double>(1 + (second * 7 + phase * 3) % 5);
      for (std::uint8_t i = 0; i < kDiskCounters; ++i) {
        (void)readings_.Add({.kind = EntityKind::kDisk, .index = i}, disks_.at(device),
                            UnixFromSeconds(kStart + second),
                            i == Index(DiskCounter::kWrittenBytes) ? done : 0);
      }
    }
  }
  [[nodiscard]] std::string Label(const std::string& device, std::string_view name) {
    TellMounts({.end = UnixFromSeconds(kStart + 28),
                .facts = &facts_,
                .readings = &readings_,
                .steps = kSteps},
               nullptr, directory_);
    const auto& labels = directory_.Entities(EntityKind::kDisk)[disks_.at(device)].labels;
    const auto found = labels.find(name);
    return found == labels.end() ? "" : found->second;
  }
  [[nodiscard]] std::string Mounted(const std::string& device) {
    return Label(device, kMountedLabel);
  }

  const SourceLabels kSource{.node = "io1", .role = "server", .labels = {}};
  Directory directory_{std::vector<Rule>{*Rule::Compile({.name = "server-disks"})}};
  Readings readings_{std::vector<GridSpec>(1)};
  FactReadings facts_;
  std::map<std::string, std::uint32_t> disks_;
};

TEST_F(DiskMountsTest, PartitionsAndVolumesHaveTheirFileSystems) {
  Disk("sda");
  Disk("nvme0n1");
  Volume("dm-0", "data-files");
  Filesystem("sda2", "/");
  Filesystem("nvme0n1p1", "/srv/a");
  Filesystem("mapper/data-files", "/srv/b");
  EXPECT_EQ(Mounted("sda"), "/");
  EXPECT_EQ(Label("sda", kMountedSizeLabel), "1000000000000");
  EXPECT_EQ(Mounted("nvme0n1"), "/srv/a");
  EXPECT_EQ(Mounted("dm-0"), "/srv/b");
  EXPECT_EQ(Label("dm-0", kDataMountedLabel), "/srv/b");
}

// node_exporter 1.5 is what Debian 12 has: a disk of 0 rpm is flash, unless disk_info knows better.
TEST_F(DiskMountsTest, ATADisksAreFlashOrRotateByTheirRate) {
  for (const auto* const device : {"sda", "sdb", "sdc"}) {
    Disk(device);
  }
  (void)directory_.Resolve({.kind = EntityKind::kDisk, .index = kInfoField},
                           {{"device", "sdc"}, {"rotational", "1"}}, kSource);
  Turns("sda", 0);
  Turns("sdb", 7200);
  Turns("sdc", 0);
  EXPECT_EQ(Label("sda", kRotationalLabel), "0");
  EXPECT_EQ(Label("sdb", kRotationalLabel), "1");
  EXPECT_EQ(Label("sdc", kRotationalLabel), "1");
  const auto members = FindMembers(directory_, 0, {}).members;
  ASSERT_EQ(members.size(), 3U);
  EXPECT_TRUE(members[0].flash);
  EXPECT_FALSE(members[1].flash || members[2].flash);
  EXPECT_TRUE(members[1].rotates);
}

// The system disk took part among the data disks, and a log on it made a hog of its server.
TEST_F(DiskMountsTest, TheOnlyDiskWithoutAFileSystemHasTheVolumesOfTheSystem) {
  Disk("sda");
  Disk("sdb");
  Volume("dm-0", "vg-root");
  Filesystem("mapper/vg-root", "/");
  Filesystem("sdb1", "/srv");
  EXPECT_EQ(Mounted("sda"), "/");
  EXPECT_EQ(Mounted("sdb"), "/srv");
}

TEST_F(DiskMountsTest, OfSeveralItIsTheOneThatWritesTheSame) {
  Disk("sda");
  Disk("sdb");
  Volume("dm-0", "vg-root");
  Volume("dm-1", "data-files");
  Filesystem("mapper/vg-root", "/");
  Filesystem("mapper/data-files", "/srv");
  EXPECT_EQ(Mounted("sda"), "") << "nobody has written yet";
  Write("sda", 4e6, 1);
  Write("dm-0", 4e6, 1);
  Write("sdb", 5e6, 2);
  Write("dm-1", 5e6, 2);
  EXPECT_EQ(Mounted("sda"), "/");
  EXPECT_EQ(Mounted("sdb"), "");
}

TEST_F(DiskMountsTest, ADiskThatHoldsDataTooIsNoSystemDisk) {
  Disk("sda");
  Volume("dm-0", "vg-root");
  Volume("dm-1", "vg-srv");
  Filesystem("mapper/vg-root", "/");
  Filesystem("mapper/vg-srv", "/srv");
  Write("sda", 5e6, 1);
  Write("dm-0", 1e4, 2);
  Write("dm-1", 5e6, 1);
  EXPECT_EQ(Mounted("sda"), "");
}

TEST_F(DiskMountsTest, ABootPartitionTellsTheDisk) {
  Disk("sda");
  Disk("sdb");
  Volume("dm-0", "vg-root");
  Filesystem("mapper/vg-root", "/");
  Filesystem("sda1", "/boot");
  EXPECT_EQ(Mounted("sda"), "/boot");
  EXPECT_EQ(Mounted("sdb"), "") << "what it is for nobody says";
}

}  // namespace
}  // namespace limpet::disk_mounts_test
