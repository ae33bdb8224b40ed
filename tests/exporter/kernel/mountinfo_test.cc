#include "exporter/kernel/mountinfo.h"

#include <gtest/gtest.h>

namespace limpet::mountinfo_test {
namespace {

TEST(MountInfo, FindsWhereADeviceIsMounted) {
  const auto mounts =
      ParseMountInfo(
          "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
          "27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard\n"
          "30 27 8:17 /sub /bind rw - xfs /dev/sdb1 rw\n"
          "31 27 8:17 / /data\\040one rw master:1 propagate_from:2 - xfs /dev/sdb1 rw\n"
          "32 27 0:44 / /pool rw - btrfs /dev/sdc rw\n")
          .mounts;
  ASSERT_EQ(mounts.size(), 3U) << "without /proc, and one of each device";
  const auto* root = FindMount(mounts, 254, 0, "vda");
  ASSERT_NE(root, nullptr);
  EXPECT_EQ(root->mountpoint, "/");
  EXPECT_EQ(root->fstype, "ext4");
  const auto* data = FindMount(mounts, 8, 17, "sdb1");
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(data->mountpoint, "/data one") << "the whole file system rather than a part of it";
  const auto* pool = FindMount(mounts, 8, 32, "sdc");
  ASSERT_NE(pool, nullptr);
  EXPECT_EQ(pool->fstype, "btrfs") << "found by its source";
  EXPECT_EQ(FindMount(mounts, 8, 48, "sdd"), nullptr);
}

TEST(MountInfo, KnowsWhatIsReadOnly) {
  const auto mounts =
      ParseMountInfo(
          "30 27 8:1 / /a rw,noatime - ext4 /dev/sda1 rw,errors=remount-ro\n"
          "31 27 8:2 / /b ro,noatime - ext4 /dev/sda2 rw\n"
          "32 27 8:3 / /c rw,noatime - ext4 /dev/sda3 ro,errors=remount-ro\n"
          "33 27 8:4 / /d rw,noatime - ext4 /dev/sda4 rw,errors=remount-ro,emergency_ro\n")
          .mounts;
  ASSERT_EQ(mounts.size(), 4U);
  EXPECT_FALSE(mounts[0].read_only);
  EXPECT_TRUE(mounts[1].read_only);
  EXPECT_TRUE(mounts[2].read_only);
  EXPECT_TRUE(mounts[3].read_only) << "after an error, since Linux 6.15";
}

TEST(MountInfo, LeavesOutLinesThatAreNotWhole) {
  EXPECT_TRUE(ParseMountInfo("").mounts.empty());
  EXPECT_TRUE(ParseMountInfo("27 1 254:0 / / rw,relatime\n").mounts.empty());
  EXPECT_TRUE(ParseMountInfo("27 1 254 / / rw - ext4 /dev/vda rw\n").mounts.empty());
  EXPECT_TRUE(ParseMountInfo("27 1 254:x / / rw - ext4 /dev/vda rw\n").mounts.empty());
  EXPECT_TRUE(ParseMountInfo("27 1 254:0 / / rw - ext4 /dev/vda rw").mounts.empty()) << "cut";
}

TEST(MountInfo, KeepsABoundedNumber) {
  std::string page;
  for (int i = 0; i < 5000; ++i) {
    page += "27 1 8:" + std::to_string(i) + " / /m rw - ext4 /dev/x rw\n";
  }
  const auto info = ParseMountInfo(page);
  EXPECT_EQ(info.mounts.size(), kMaxMounts);
  EXPECT_EQ(info.left_out, 5000 - kMaxMounts);
}

// A host of containers: the disk of the data is mounted last.
TEST(MountInfo, MountsOfOneDiskTakeTheRoomOfOne) {
  std::string page =
      "22 1 8:1 /v/0 /v/0 ro - ext4 /dev/sda1 rw\n22 1 8:1 / / rw - ext4 /dev/sda1 rw\n";
  for (int i = 0; i < 5000; ++i) {
    const auto folder = "/v/p" + std::to_string(i);
    page.append("100 22 8:1 ").append(folder).append(" ").append(folder);
    page += " ro - ext4 /dev/sda1 rw\n";
  }
  page += "99 22 8:16 / /srv/data rw - xfs /dev/sdb rw\n";
  const auto info = ParseMountInfo(page);
  ASSERT_EQ(info.mounts.size(), 2U);
  EXPECT_EQ(info.mounts[0].mountpoint, "/");
  EXPECT_FALSE(info.mounts[0].read_only);
  const auto* data = FindMount(info.mounts, 8, 16, "sdb");
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(data->mountpoint, "/srv/data");
}

TEST(MountInfo, KnowsWhatExt4HasShutDown) {
  const auto mounts = ParseMountInfo(
                          "30 27 8:1 / /a rw - ext4 /dev/sda1 rw,shutdown\n"
                          "31 27 8:2 / /b rw - ext4 /dev/sda2 rw,noshutdown\n")
                          .mounts;
  EXPECT_TRUE(mounts[0].is_shut_down);
  EXPECT_FALSE(mounts[0].read_only);
  EXPECT_FALSE(mounts[1].is_shut_down);
}

}  // namespace
}  // namespace limpet::mountinfo_test
