#include "exporter/collectors/facts/filesystem.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/fact_machine.h"

namespace limpet {
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
  EXPECT_EQ(machine.Read().samples.size(), 6U) << "neither parts nor images";
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

TEST(FilesystemFacts, OneThatHangsIsSkippedButNotWhetherItIsReadOnly) {
  FactMachine machine;
  machine.filesystem = [](const Mount&) { return FilesystemUse{100, 3, 50, 40}; };
  machine.Proc("1/mountinfo") =
      "30 1 8:1 / /data rw - ext4 /dev/sda1 rw\n31 1 8:2 / /more rw - ext4 /dev/sdb1 rw\n";
  machine.skipped = {"filesystem /data"};
  EXPECT_EQ(machine.Read().samples.size(), 1U + 5U);
}

TEST(FilesystemFacts, AProbeOfAnotherDeviceSaysNothing) {
  EXPECT_EQ(AskFilesystem({.major = 4095, .minor = 7, .mountpoint = "/"}), std::nullopt);
  EXPECT_EQ(AskFilesystem({.mountpoint = "/no/such/folder"}), std::nullopt);
  const auto use = AskFilesystem({.mountpoint = "/"});
  ASSERT_TRUE(use);
  EXPECT_GE(use->size, use->avail);
}

}  // namespace
}  // namespace limpet
