#include <gtest/gtest.h>

#include <string>

#include "tests/support/fact_machine.h"

namespace limpet::disk_facts_test {
namespace {

using testing::FactMachine;

const std::string kSda = "class/block/sda/";

TEST(DiskFacts, ASataLinkBelowItsMaximum) {
  FactMachine machine;
  const auto link = kSda + "device/../../../link1/";
  machine.Sys(link + "ata_link/link1/sata_spd") = "1.5 Gbps\n";
  machine.Sys(link + "ata_link/link1/hw_sata_spd_limit") = "6.0 Gbps\n";
  machine.Sys(link + "dev1.0/ata_device/dev1.0/spdn_cnt") = "2\n";
  EXPECT_EQ(machine.Value(R"(sata_link_speed_bytes{device="sda"})"), 1.875e8);
  EXPECT_EQ(machine.Value(R"(sata_link_max_speed_bytes{device="sda"})"), 7.5e8);
  EXPECT_EQ(machine.Value(R"(sata_link_slowdowns_total{device="sda"})"), 2);
  machine.Sys(link + "ata_link/link1/sata_spd") = "<unknown>\n";
  EXPECT_EQ(machine.Value(R"(sata_link_speed_bytes{device="sda"})"), std::nullopt);
}

TEST(DiskFacts, ErrorsOfAllSasPhysOfADriveAreAddedUp) {
  FactMachine machine;
  for (const std::string phy : {"phy-0:1", "phy-0:2"}) {
    const auto folder = kSda + "device/../../../" + phy + "/sas_phy/" + phy + "/";
    machine.Sys(folder + "invalid_dword_count") = "7\n";
    machine.Sys(folder + "loss_of_dword_sync_count") = "1\n";
    machine.Sys(folder + "phy_reset_problem_count") = "phy\n";
  }
  EXPECT_EQ(machine.Value(R"(sas_phy_errors_total{device="sda",kind="invalid_dword"})"), 14);
  EXPECT_EQ(machine.Value(R"(sas_phy_errors_total{device="sda",kind="sync_lost"})"), 2);
  EXPECT_EQ(machine.Value(R"(sas_phy_errors_total{device="sda",kind="reset_problem"})"),
            std::nullopt);
}

TEST(DiskFacts, HowADiskIsSetUp) {
  FactMachine machine;
  machine.Sys(kSda + "queue/scheduler") = "none [mq-deadline] kyber\n";
  machine.Sys(kSda + "queue/write_cache") = "write back\n";
  machine.Sys(kSda + "queue/nr_requests") = "64\n";
  machine.Sys(kSda + "queue/iostats") = "0\n";
  machine.Sys(kSda + "device/queue_depth") = "31\n";
  machine.Sys("class/block/loop0/queue/scheduler") = "[none]\n";
  EXPECT_EQ(machine.Value(R"(disk_settings_info{device="sda",scheduler="mq-deadline",)"
                          R"(write_cache="write back",queue_depth="31",requests="64",)"
                          R"(read_ahead_kb="",iostats="0"})"),
            1);
  EXPECT_EQ(machine.Read().samples.size(), 1U) << "a loop device is none of the disks";
}

TEST(DiskFacts, WhatStateADriveAndAPathAreIn) {
  FactMachine machine;
  machine.Sys(kSda + "device/state") = "running\n";
  machine.Sys("class/block/sdb/device/state") = "transport-offline\n";
  machine.Sys("class/block/nvme0n1/size") = "1\n";
  machine.Sys("class/block/nvme0c1n1/ana_state") = "inaccessible\n";
  EXPECT_EQ(machine.Value(R"(scsi_device_state{device="sda",state="running"})"), 1);
  EXPECT_EQ(machine.Value(R"(scsi_device_state{device="sdb",state="transport-offline"})"), 1);
  EXPECT_EQ(machine.Value(R"(nvme_path_state{device="nvme0c1n1",state="inaccessible"})"), 1);
  EXPECT_EQ(machine.Read().samples.size(), 3U);
}

TEST(DiskFacts, TheStoreOfAnLvmSnapshot) {
  FactMachine machine;
  machine.Sys("class/block/dm-3/dm/uuid") = "LVM-abcdef-cow\n";
  machine.Sys("class/block/dm-3/dm/name") = "data-backup--snap-cow\n";
  machine.Sys("class/block/dm-4/dm/uuid") = "LVM-abcdef\n";
  EXPECT_EQ(machine.Value(R"(dm_snapshot_info{device="dm-3",name="data-backup--snap-cow"})"), 1);
  EXPECT_EQ(machine.Read().samples.size(), 1U);
}

TEST(DiskFacts, AnNvmeLinkBelowItsMaximum) {
  FactMachine machine;
  machine.Sys("class/nvme/nvme0/device/current_link_speed") = "2.5 GT/s PCIe\n";
  machine.Sys("class/nvme/nvme0/device/max_link_speed") = "16.0 GT/s PCIe\n";
  machine.Sys("class/nvme/nvme0/device/current_link_width") = "2\n";
  machine.Sys("class/nvme/nvme0/device/max_link_width") = "4\n";
  EXPECT_EQ(machine.Value(R"(pcie_link_transfers_per_second{device="nvme0"})"), 2.5e9);
  EXPECT_EQ(machine.Value(R"(pcie_link_max_transfers_per_second{device="nvme0"})"), 16e9);
  EXPECT_EQ(machine.Value(R"(pcie_link_width{device="nvme0"})"), 2);
  EXPECT_EQ(machine.Value(R"(pcie_link_max_width{device="nvme0"})"), 4);
}

}  // namespace
}  // namespace limpet::disk_facts_test
