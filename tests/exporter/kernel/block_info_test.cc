#include "exporter/kernel/block_info.h"

#include <gtest/gtest.h>

#include "tests/support/map_files.h"

namespace limpet::block_info_test {
namespace {

using testing::FileTree;
using testing::MapFiles;

TEST(BlockInfo, OfAScsiDisk) {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"class/block/sda/device/wwid", "naa.5000C500A1B2C3D4\n"},
                 {"class/block/sda/device/model", "ST4000NM0035-1V4  \n"},
                 {"class/block/sda/device/vpd_pg80", std::string("\0\x80\0\x0a  ZC1 9AB  x", 16)},
                 {"class/block/sda/queue/rotational", "1\n"},
                 {"class/block/sda/size", "7814037168\n"}};
  MapFiles sys(tree);
  const auto info = ReadBlockInfo(sys, "sda");
  EXPECT_EQ(info.wwn, "0x5000c500a1b2c3d4");
  EXPECT_EQ(info.model, "ST4000NM0035-1V4");
  EXPECT_EQ(info.serial, "ZC1 9AB");
  EXPECT_EQ(info.rotational, true);
  EXPECT_EQ(info.size, 4000787030016U);
}

TEST(BlockInfo, OfNvmeVirtioAndMultipath) {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"class/block/nvme0n1/wwid", "eui.0025385B71B00C3D\n"},
                 {"class/block/nvme0n1/device/serial", "S4EWNX0R  \n"},
                 {"class/block/nvme0n1/device/model", "Samsung SSD 970\n"},
                 {"class/block/nvme0n1/queue/rotational", "0\n"},
                 {"class/block/vda/serial", "vol-0a1b"},
                 {"class/block/dm-0/dm/uuid", "mpath-360050768018085D05000000000000A1B\n"}};
  MapFiles sys(tree);
  EXPECT_EQ(ReadBlockInfo(sys, "nvme0n1").wwn, "eui.0025385b71b00c3d");
  EXPECT_EQ(ReadBlockInfo(sys, "nvme0n1").serial, "S4EWNX0R");
  EXPECT_EQ(ReadBlockInfo(sys, "nvme0n1").rotational, false);
  EXPECT_EQ(ReadBlockInfo(sys, "vda").serial, "vol-0a1b");
  EXPECT_EQ(ReadBlockInfo(sys, "vda").rotational, std::nullopt);
  EXPECT_EQ(ReadBlockInfo(sys, "dm-0").wwn, NormalWwn("naa.60050768018085d05000000000000a1b"))
      << "one LUN, one wwn, by whatever way it is attached";
}

TEST(BlockInfo, APartitionSaysWhatItsDiskDoes) {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"class/block/mmcblk0p1/partition", "1\n"},
                 {"class/block/mmcblk0p1/../device/name", "SD16G\n"},
                 {"class/block/mmcblk0p1/../queue/rotational", "0\n"}};
  MapFiles sys(tree);
  EXPECT_TRUE(IsPartition(sys, "mmcblk0p1"));
  EXPECT_FALSE(IsPartition(sys, "mmcblk0"));
  EXPECT_EQ(ReadBlockInfo(sys, "mmcblk0p1").model, "SD16G");
  EXPECT_EQ(ReadBlockInfo(sys, "mmcblk0p1").rotational, false);
}

TEST(BlockInfo, SysfsWritesASlashAsAnExclamationMark) {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"class/block/cciss!c0d0/device/model", "LOGICAL VOLUME\n"}};
  MapFiles sys(tree);
  EXPECT_EQ(ReadBlockInfo(sys, "cciss/c0d0").model, "LOGICAL VOLUME");
}

TEST(BlockInfo, NoNameLeadsOutOfTheFolder) {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"class/block/../device/model", "wrong"}, {"class/block/../partition", "wrong"}};
  MapFiles sys(tree);
  EXPECT_EQ(ReadBlockInfo(sys, ".."), BlockInfo());
  EXPECT_FALSE(IsPartition(sys, ".."));
  EXPECT_EQ(ReadBlockInfo(sys, "x/.."), BlockInfo());
}

TEST(BlockInfo, BoundsWhatADriverPrints) {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"class/block/sda/device/model", std::string(100'000, 'x')},
                 {"class/block/sda/device/vpd_pg80", std::string("\0\x80\0\xff", 4) + "ab"}};
  MapFiles sys(tree);
  EXPECT_EQ(ReadBlockInfo(sys, "sda").model.size(), 256U);
  EXPECT_EQ(ReadBlockInfo(sys, "sda").serial, "ab") << "shorter than its header says";
}

}  // namespace
}  // namespace limpet::block_info_test
