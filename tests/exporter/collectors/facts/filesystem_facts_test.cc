#include "exporter/collectors/facts/filesystem.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/fact_machine.h"

namespace limpet::filesystem_facts_test {
namespace {

using testing::FactMachine;

TEST(FilesystemFacts, AFileSystemThatIsNearlyFullAndReadOnly) {
  FactMachine machine;
  machine.filesystem = [](const Mount&) { return FilesystemUse{100, 3, 50, 40}; };
  machine.Proc("1/mountinfo") =
      "30 1 8:1 / /data rw,noatime - ext4 /dev/sda1 ro,errors=remount-ro\n"
      "31 1 8:1 /part /data/part ro - ext4 /dev/sda1 rw\n"
      "32 1 7:3 / /snap ro - squashfs /dev/loop3 ro\n";
  machine.Sys("fs/ext4/sda1/errors_count") = "4\n";
  const std::string labels = R"({device="/dev/sda1",mountpoint="/data",fstype="ext4"})";
  EXPECT_EQ(machine.Value("filesystem_readonly" + labels), 1);
  EXPECT_EQ(machine.Value("filesystem_size_bytes" + labels), 100);
  EXPECT_EQ(machine.Value("filesystem_avail_bytes" + labels), 3);
  EXPECT_EQ(machine.Value("filesystem_files_free" + labels), 40);
  EXPECT_EQ(machine.Value(R"(filesystem_errors_total{device="sda1"})"), 4);
  EXPECT_EQ(machine.Value("filesystem_device_error" + labels), 0);
  EXPECT_EQ(machine.Read().samples.size(), 7U) << "neither parts nor images";
}

TEST(FilesystemFacts, ARemountIsSeenAtTheNextReading) {
  FactMachine machine;
  machine.Proc("1/mountinfo") = "30 1 8:1 / /data rw - ext4 /dev/sda1 rw\n";
  const std::string series =
      R"(filesystem_readonly{device="/dev/sda1",mountpoint="/data",fstype="ext4"})";
  const auto before = machine.Read();
  EXPECT_EQ(FactMachine::Value(before, series), 0);
  const auto same = machine.Read(before);
  EXPECT_EQ(same.mounted, before.mounted) << "labels of the same mounts are made once";
  machine.Proc("1/mountinfo") = "30 1 8:1 / /data ro - ext4 /dev/sda1 ro\n";
  EXPECT_EQ(FactMachine::Value(machine.Read(same), series), 1);
}

TEST(FilesystemFacts, OneThatHangsIsSkippedAndSaysSo) {
  FactMachine machine;
  machine.filesystem = [](const Mount&) { return FilesystemUse{100, 3, 50, 40}; };
  machine.Proc("1/mountinfo") =
      "30 1 8:1 / /data rw - ext4 /dev/sda1 rw\n31 1 8:2 / /more rw - ext4 /dev/sdb1 rw\n";
  machine.skipped = {"filesystem /data"};
  const std::string data = R"({device="/dev/sda1",mountpoint="/data",fstype="ext4"})";
  EXPECT_EQ(machine.Value("filesystem_readonly" + data), 0);
  EXPECT_EQ(machine.Value("filesystem_device_error" + data), 1);
  EXPECT_EQ(machine.Read().samples.size(), 2U + 6U);
}

// XFS fails each call and stays "rw"; ext4 answers on and has a word among its options.
TEST(FilesystemFacts, OneThatHasShutDownDoesNotVanish) {
  FactMachine machine;
  machine.Proc("1/mountinfo") =
      "30 1 8:1 / /x rw - xfs /dev/sda1 rw\n31 1 8:2 / /e rw - ext4 /dev/sda2 rw,shutdown\n";
  machine.filesystem = [](const Mount& mount) -> Result<FilesystemUse> {
    if (mount.fstype == "xfs") {
      return Error{ErrorCode::kUnavailable, "Input/output error", mount.mountpoint};
    }
    return FilesystemUse{100, 3, 50, 40};
  };
  const std::string xfs = R"({device="/dev/sda1",mountpoint="/x",fstype="xfs"})";
  const std::string ext4 = R"({device="/dev/sda2",mountpoint="/e",fstype="ext4"})";
  EXPECT_EQ(machine.Value("filesystem_device_error" + xfs), 1);
  EXPECT_EQ(machine.Value("filesystem_readonly" + xfs), 0);
  EXPECT_EQ(machine.Value("filesystem_device_error" + ext4), 1);
  EXPECT_EQ(machine.Value("filesystem_size_bytes" + ext4), 100);
}

// "mount -t lustre" shows a healthy target so; its disk is of type ldiskfs.
TEST(FilesystemFacts, AHealthyLustreTargetIsNotReadOnly) {
  FactMachine machine;
  machine.filesystem = [](const Mount&) { return FilesystemUse{100, 3, 50, 40}; };
  machine.Proc("1/mountinfo") =
      "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
      "30 22 0:45 / /mnt/ost0 ro,relatime shared:5 - lustre /dev/sdb "
      "ro,svname=testfs-OST0000,mgsnode=10.0.0.1@tcp,osd=osd-ldiskfs\n";
  machine.Sys("fs/ext4/sda1/errors_count") = "0\n";
  machine.Sys("fs/ldiskfs/sdb/errors_count") = "3\n";
  const std::string target = R"({device="/dev/sdb",mountpoint="/mnt/ost0",fstype="lustre"})";
  EXPECT_EQ(machine.Value("filesystem_readonly" + target), std::nullopt);
  EXPECT_EQ(machine.Value("filesystem_size_bytes" + target), 100);
  EXPECT_EQ(machine.Value(R"(filesystem_errors_total{device="sda1"})"), 0);
  EXPECT_EQ(machine.Value(R"(filesystem_errors_total{device="sdb"})"), 3);
}

TEST(FilesystemFacts, ErrorsThatBtrfsFound) {
  FactMachine machine;
  const std::string stats = "write_errs 1\nread_errs 2\nflush_errs 0\ncorruption_errs 4\n";
  machine.Sys("fs/btrfs/one/devinfo/1/error_stats") = stats;
  machine.Sys("fs/btrfs/one/devices/sdb/size") = "1\n";
  machine.Sys("fs/btrfs/two/devinfo/1/error_stats") = stats;
  machine.Sys("fs/btrfs/two/devinfo/2/error_stats") = "write_errs 1\n";
  machine.Sys("fs/btrfs/two/devices/sdc/size") = "1\n";
  machine.Sys("fs/btrfs/two/devices/sdd/size") = "1\n";
  machine.Sys("fs/btrfs/new/devinfo/1/error_stats") = "invalid\n";
  EXPECT_EQ(machine.Value(R"(filesystem_errors_total{device="sdb"})"), 7);
  EXPECT_EQ(machine.Value(R"(filesystem_errors_total{device="btrfs/two"})"), 8)
      << "which of its devices, sysfs does not tell";
  EXPECT_EQ(machine.Read().samples.size(), 2U);
}

// Container hosts bind parts of one disk tens of thousands of times.
TEST(FilesystemFacts, TheDataDiskAfterThousandsOfBindMounts) {
  FactMachine machine;
  std::string mounts = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n";
  for (int i = 0; i < 4200; ++i) {
    const auto folder = "/v/p" + std::to_string(i);
    mounts += std::to_string(100 + i);
    mounts.append(" 22 8:1 ").append(folder).append(" ").append(folder);
    mounts += " rw - ext4 /dev/sda1 rw\n";
  }
  machine.Proc("1/mountinfo") = mounts + "99 22 8:16 / /srv/data rw,relatime - xfs /dev/sdb rw\n";
  const auto reading = machine.Read();
  EXPECT_EQ(FactMachine::Value(reading,
                               "filesystem_readonly"
                               R"({device="/dev/sdb",mountpoint="/srv/data",fstype="xfs"})"),
            0);
  EXPECT_TRUE(reading.unread.empty());
}

TEST(FilesystemFacts, MoreDisksThanAreKeptAreNotLeftOutInSilence) {
  FactMachine machine;
  auto& mounts = machine.Proc("1/mountinfo");
  for (std::size_t i = 0; i <= kMaxMounts; ++i) {
    mounts += "22 1 259:" + std::to_string(i) + " / /d" + std::to_string(i) + " rw - xfs /dev/d" +
              std::to_string(i) + " rw\n";
  }
  const auto reading = machine.Read();
  ASSERT_EQ(reading.unread.size(), 1U);
  EXPECT_EQ(reading.unread[0].path, "1/mountinfo");
  EXPECT_EQ(reading.unread[0].reason, "large");
}

TEST(FilesystemFacts, AProbeOfAnotherDeviceSaysNothing) {
  const auto code = [](const Mount& mount) { return AskFilesystem(mount).error().code; };
  EXPECT_EQ(code({.major = 4095, .minor = 7, .mountpoint = "/"}), ErrorCode::kNotFound);
  EXPECT_EQ(code({.mountpoint = "/no/such/folder"}), ErrorCode::kNotFound);
  const auto use = AskFilesystem({.mountpoint = "/"});
  ASSERT_TRUE(use);
  EXPECT_GE(use->size, use->avail);
}

}  // namespace
}  // namespace limpet::filesystem_facts_test
