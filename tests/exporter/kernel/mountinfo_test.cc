#include "exporter/kernel/mountinfo.h"

#include <gtest/gtest.h>

namespace limpet {
namespace {

TEST(MountInfo, FindsWhereADeviceIsMounted) {
  const auto mounts = ParseMountInfo(
      "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
      "27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard\n"
      "30 27 8:17 /sub /bind rw - xfs /dev/sdb1 rw\n"
      "31 27 8:17 / /data\\040one rw master:1 propagate_from:2 - xfs /dev/sdb1 rw\n"
      "32 27 0:44 / /pool rw - btrfs /dev/sdc rw\n");
  ASSERT_EQ(mounts.size(), 4U) << "without /proc";
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
  const auto mounts = ParseMountInfo(
      "30 27 8:1 / /a rw,noatime - ext4 /dev/sda1 rw,errors=remount-ro\n"
      "31 27 8:2 / /b ro,noatime - ext4 /dev/sda2 rw\n"
      "32 27 8:3 / /c rw,noatime - ext4 /dev/sda3 ro,errors=remount-ro\n"
      "33 27 8:4 / /d rw,noatime - ext4 /dev/sda4 rw,errors=remount-ro,emergency_ro\n");
  ASSERT_EQ(mounts.size(), 4U);
  EXPECT_FALSE(mounts[0].read_only);
  EXPECT_TRUE(mounts[1].read_only);
  EXPECT_TRUE(mounts[2].read_only);
  EXPECT_TRUE(mounts[3].read_only) << "after an error, since Linux 6.15";
}

TEST(MountInfo, LeavesOutLinesThatAreNotWhole) {
  EXPECT_TRUE(ParseMountInfo("").empty());
  EXPECT_TRUE(ParseMountInfo("27 1 254:0 / / rw,relatime\n").empty());
  EXPECT_TRUE(ParseMountInfo("27 1 254 / / rw - ext4 /dev/vda rw\n").empty());
  EXPECT_TRUE(ParseMountInfo("27 1 254:x / / rw - ext4 /dev/vda rw\n").empty());
  EXPECT_TRUE(ParseMountInfo("27 1 254:0 / / rw - ext4 /dev/vda rw").empty()) << "cut";
}

TEST(MountInfo, KeepsABoundedNumber) {
  std::string page;
  for (int i = 0; i < 5000; ++i) {
    page += "27 1 8:" + std::to_string(i) + " / /m rw - ext4 /dev/x rw\n";
  }
  EXPECT_EQ(ParseMountInfo(page).size(), kMaxMounts);
}

}  // namespace
}  // namespace limpet
