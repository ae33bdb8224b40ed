#include "exporter/kernel/device_stack.h"

#include <gmock/gmock.h>

#include "tests/support/map_files.h"

namespace limpet::device_stack_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class DeviceStackTest : public ::testing::Test {
 protected:
  DeviceStack Interface(std::string_view name) { return ReadInterfaceStack(files_, name); }
  DeviceStack Disk(std::string_view name) { return ReadDiskStack(files_, name); }

  std::shared_ptr<testing::FileTree> sys_ = std::make_shared<testing::FileTree>();
  testing::MapFiles files_{sys_};
};

TEST_F(DeviceStackTest, InterfacesSayWhatTheyStandOn) {
  sys_->files = {{"class/net/eth0/uevent", "INTERFACE=eth0\nIFINDEX=2\n"},
                 {"class/net/bond0/bonding/slaves", "eth0 eth1\n"},
                 {"class/net/bond0/uevent", "DEVTYPE=bond\nINTERFACE=bond0\n"},
                 {"class/net/bond0.100/uevent", "DEVTYPE=vlan\nINTERFACE=bond0.100\n"},
                 {"class/net/br0/bridge/stp_state", "0\n"},
                 {"class/net/veth1/uevent", "INTERFACE=veth1\n"},
                 {"class/net/tap0/tun_flags", "0x5002\n"},
                 {"class/net/mv0/uevent", "DEVTYPE=macvtap\n"}};
  sys_->links = {{"class/net/eth0/device", "../../../0000:01:00.0"},
                 {"class/net/bond0/lower_eth0", "../eth0"},
                 {"class/net/bond0/lower_eth1", "../eth1"},
                 {"class/net/bond0.100/lower_bond0", "../bond0"},
                 {"class/net/br0/lower_bond0.100", "../bond0.100"},
                 {"class/net/mv0/lower_eth0", "../eth0"}};
  EXPECT_EQ(Interface("eth0"), (DeviceStack{.kind = "hardware", .lowers = {}}));
  EXPECT_EQ(Interface("bond0"), (DeviceStack{.kind = "bond", .lowers = {"eth0", "eth1"}}));
  EXPECT_EQ(Interface("bond0.100"), (DeviceStack{.kind = "vlan", .lowers = {"bond0"}}));
  EXPECT_EQ(Interface("br0"), (DeviceStack{.kind = "bridge", .lowers = {"bond0.100"}}));
  EXPECT_EQ(Interface("veth1"), (DeviceStack{.kind = "virtual", .lowers = {}}));
  EXPECT_EQ(Interface("tap0"), (DeviceStack{.kind = "tun", .lowers = {}}));
  EXPECT_EQ(Interface("mv0"), (DeviceStack{.kind = "macvlan", .lowers = {"eth0"}}));
}

TEST_F(DeviceStackTest, OldKernelsListTheMembersOfABond) {
  sys_->files = {{"class/net/data/bonding/slaves", "p1 p2\n"}};
  EXPECT_EQ(Interface("data"), (DeviceStack{.kind = "bond", .lowers = {"p1", "p2"}}));
}

TEST_F(DeviceStackTest, IpoibStandsOnAPort) {
  sys_->files = {{"class/net/ib1/type", "32\n"},
                 {"class/net/ib1/dev_port", "1\n"},
                 {"class/net/ib1/device/infiniband/mlx4_0/fw_ver", "2.42\n"},
                 {"class/net/ib2/type", "32\n"},
                 {"class/net/ib2/device/vendor", "0x15b3\n"}};
  EXPECT_EQ(Interface("ib1"), (DeviceStack{.kind = "ipoib", .lowers = {"mlx4_0/2"}}));
  EXPECT_EQ(Interface("ib2"), (DeviceStack{.kind = "ipoib", .lowers = {}}));
}

TEST_F(DeviceStackTest, DisksSayWhatTheyStandOn) {
  sys_->files = {{"class/block/sda/size", "8\n"},
                 {"class/block/sda/hidden", "0\n"},
                 {"class/block/sda2/partition", "2\n"},
                 {"class/block/sda2/../uevent", "MAJOR=8\nDEVNAME=sda\nDEVTYPE=disk\n"},
                 {"class/block/sda3/partition", "3\n"},
                 {"class/block/sda3/../uevent", "MAJOR=8\nDEVNAME=sda\n"},
                 {"class/block/dm-0/dm/uuid", "LVM-abc\n"},
                 {"class/block/dm-1/dm/uuid", "mpath-3600\n"},
                 {"class/block/md0/md/level", "raid1\n"},
                 {"class/block/zram0/size", "8\n"},
                 {"class/block/rbd0/size", "8\n"},
                 {"class/block/vdx/size", "8\n"}};
  sys_->links = {{"class/block/sda/device", "x"},       {"class/block/dm-0/slaves/sda2", "x"},
                 {"class/block/dm-0/slaves/sda3", "x"}, {"class/block/dm-0/slaves/md0", "x"},
                 {"class/block/dm-1/slaves/sdb", "x"},  {"class/block/dm-1/slaves/sdc", "x"},
                 {"class/block/md0/slaves/sda2", "x"},  {"class/block/rbd0/device", "x"}};
  EXPECT_EQ(Disk("sda"), (DeviceStack{.kind = "hardware", .lowers = {}}));
  EXPECT_EQ(Disk("sda2"), (DeviceStack{.kind = "partition", .lowers = {"sda"}}));
  EXPECT_EQ(Disk("dm-0"), (DeviceStack{.kind = "dm", .lowers = {"md0", "sda"}}));
  EXPECT_EQ(Disk("dm-1"), (DeviceStack{.kind = "multipath", .lowers = {"sdb", "sdc"}}));
  EXPECT_EQ(Disk("md0"), (DeviceStack{.kind = "md", .lowers = {"sda"}}));
  EXPECT_EQ(Disk("zram0").kind, "memory");
  EXPECT_EQ(Disk("rbd0").kind, "network");
  EXPECT_EQ(Disk("vdx").kind, "virtual");
}

TEST_F(DeviceStackTest, NvmeNamespacesStandOnTheirHiddenPaths) {
  sys_->files = {
      {"class/block/nvme0n1/size", "8\n"},      {"class/block/nvme0c0n1/hidden", "1\n"},
      {"class/block/nvme0c12n1/hidden", "1\n"}, {"class/block/nvme0c0n12/hidden", "1\n"},
      {"class/block/nvme1n1/size", "8\n"},      {"class/block/nvme0n1p1/partition", "1\n"}};
  sys_->links = {{"class/block/nvme0n1/device", "x"}, {"class/block/nvme1n1/device", "x"}};
  EXPECT_EQ(Disk("nvme0n1"),
            (DeviceStack{.kind = "multipath", .lowers = {"nvme0c0n1", "nvme0c12n1"}}));
  EXPECT_EQ(Disk("nvme0c0n1"), (DeviceStack{.kind = "path", .lowers = {}}));
  EXPECT_EQ(Disk("nvme1n1"), (DeviceStack{.kind = "hardware", .lowers = {}}));
}

TEST_F(DeviceStackTest, WhatSysDoesNotKnowIsNotTold) {
  EXPECT_EQ(Interface("eth0"), DeviceStack{});
  EXPECT_EQ(Disk("sda"), DeviceStack{});
  sys_->files = {{"class/net/x/uevent", "\n"}, {"class/block/x", ""}};
  for (const auto* const name : {"", ".", "..", "a/b", "../class/net/x"}) {
    EXPECT_EQ(Interface(name), DeviceStack{}) << name;
    EXPECT_EQ(Disk(name), DeviceStack{}) << name;
  }
}

TEST_F(DeviceStackTest, ADeviceHasNoMoreLowersThanItMay) {
  for (int i = 0; i < 100; ++i) {
    sys_->links["class/net/br0/lower_veth" + std::to_string(i)] = "x";
  }
  EXPECT_THAT(Interface("br0").lowers, SizeIs(kMaxLowers));
}

}  // namespace
}  // namespace limpet::device_stack_test
