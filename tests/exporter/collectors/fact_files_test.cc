#include "exporter/collectors/fact_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "exporter/collectors/catalog/facts.h"
#include "tests/support/map_files.h"

namespace limpet {
namespace {

using testing::FileTree;
using testing::MapFiles;

// A machine with whatever a test puts there.
struct Machine {
  std::shared_ptr<FileTree> sys = std::make_shared<FileTree>();
  std::shared_ptr<FileTree> proc = std::make_shared<FileTree>();
  FilesystemProbe filesystem = [](const Mount&) { return std::nullopt; };
  std::set<std::string, std::less<>> skipped = {};

  std::string& Sys(const std::string& path) const { return sys->files[path]; }
  std::string& Proc(const std::string& path) const { return proc->files[path]; }
  [[nodiscard]] FactReading Read() const {
    WorkPlace place;
    return ReadFacts({.sys = std::make_unique<MapFiles>(sys),
                      .proc = std::make_unique<MapFiles>(proc),
                      .disks = DeviceFilter::Make({}, kDefaultDiskExclude).value(),
                      .interfaces = DeviceFilter::Make({}, kDefaultNetExclude).value(),
                      .filesystem = filesystem,
                      .skipped = skipped},
                     place);
  }
  // The value of the series `name{labels}`.
  [[nodiscard]] std::optional<double> Value(const std::string& series) const {
    for (const auto& sample : Read().samples) {
      auto name = std::string(sample.info->name);
      if (!sample.labels.empty()) {
        name += "{" + LabelSet(sample.labels).Rendered() + "}";
      }
      if (name == series) {
        return sample.value;
      }
    }
    return std::nullopt;
  }
};

const std::string kSda = "class/block/sda/";

TEST(FactFiles, ASataLinkBelowItsMaximum) {
  Machine machine;
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

TEST(FactFiles, ErrorsOfAllSasPhysOfADriveAreAddedUp) {
  Machine machine;
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

TEST(FactFiles, APcieLinkOfAControllerAndOfAnInterface) {
  Machine machine;
  machine.Sys("class/nvme/nvme0/device/current_link_speed") = "2.5 GT/s PCIe\n";
  machine.Sys("class/nvme/nvme0/device/max_link_speed") = "16.0 GT/s PCIe\n";
  machine.Sys("class/nvme/nvme0/device/current_link_width") = "2\n";
  machine.Sys("class/net/eth0/device/max_link_width") = "8\n";
  EXPECT_EQ(machine.Value(R"(pcie_link_transfers_per_second{device="nvme0"})"), 2.5e9);
  EXPECT_EQ(machine.Value(R"(pcie_link_max_transfers_per_second{device="nvme0"})"), 16e9);
  EXPECT_EQ(machine.Value(R"(pcie_link_width{device="nvme0"})"), 2);
  EXPECT_EQ(machine.Value(R"(pcie_link_max_width{device="eth0"})"), 8);
}

TEST(FactFiles, HowADiskIsSetUp) {
  Machine machine;
  machine.Sys(kSda + "queue/scheduler") = "none [mq-deadline] kyber\n";
  machine.Sys(kSda + "queue/write_cache") = "write back\n";
  machine.Sys(kSda + "queue/nr_requests") = "64\n";
  machine.Sys(kSda + "device/queue_depth") = "31\n";
  machine.Sys("class/block/loop0/queue/scheduler") = "[none]\n";
  EXPECT_EQ(machine.Value(R"(disk_settings_info{device="sda",scheduler="mq-deadline",)"
                          R"(write_cache="write back",queue_depth="31",requests="64",)"
                          R"(read_ahead_kb=""})"),
            1);
  EXPECT_EQ(machine.Read().samples.size(), 1U) << "a loop device is none of the disks";
}

TEST(FactFiles, ARaidCheckAndADegradedArray) {
  Machine machine;
  machine.Sys("class/block/md0/md/sync_action") = "check\n";
  machine.Sys("class/block/md0/md/degraded") = "1\n";
  EXPECT_EQ(machine.Value(R"(md_state{device="md0",state="check"})"), 1);
  EXPECT_EQ(machine.Value(R"(md_degraded_disks{device="md0"})"), 1);
  machine.Sys("class/block/md0/md/sync_action") = "idle\n";
  EXPECT_EQ(machine.Value(R"(md_state{device="md0",state="active"})"), 1);
  machine.Sys("class/block/md0/md/sync_action") = "\x01\xff\n";
  EXPECT_EQ(machine.Read().samples.size(), 1U);
}

TEST(FactFiles, TheStoreOfAnLvmSnapshot) {
  Machine machine;
  machine.Sys("class/block/dm-3/dm/uuid") = "LVM-abcdef-cow\n";
  machine.Sys("class/block/dm-3/dm/name") = "data-backup--snap-cow\n";
  machine.Sys("class/block/dm-4/dm/uuid") = "LVM-abcdef\n";
  EXPECT_EQ(machine.Value(R"(dm_snapshot_info{device="dm-3",name="data-backup--snap-cow"})"), 1);
  EXPECT_EQ(machine.Read().samples.size(), 1U);
}

TEST(FactFiles, AnInterfacesErrorsAndDriver) {
  Machine machine;
  machine.Sys("class/net/eth0/statistics/rx_crc_errors") = "12\n";
  machine.Sys("class/net/eth0/carrier_changes") = "3\n";
  machine.Sys("class/net/eth0/device/uevent") = "DRIVER=mlx5_core\nPCI_CLASS=20000\n";
  machine.Sys("class/net/eth0/device/driver/module/version") = "5.8-1.0\n";
  machine.Sys("class/net/lo/carrier_changes") = "0\n";
  EXPECT_EQ(machine.Value(R"(network_receive_crc_errors_total{device="eth0"})"), 12);
  EXPECT_EQ(machine.Value(R"(network_carrier_changes_total{device="eth0"})"), 3);
  EXPECT_EQ(
      machine.Value(R"(network_driver_info{device="eth0",driver="mlx5_core",version="5.8-1.0"})"),
      1);
  EXPECT_EQ(machine.Read().samples.size(), 3U) << "not of lo";
}

TEST(FactFiles, HotCoresAndBadMemory) {
  Machine machine;
  for (const auto* cpu : {"cpu0", "cpu1"}) {  // two threads of one core
    const auto folder = std::string("devices/system/cpu/") + cpu;
    machine.Sys(folder + "/thermal_throttle/core_throttle_count") = "9\n";
    machine.Sys(folder + "/thermal_throttle/package_throttle_count") = "11\n";
    machine.Sys(folder + "/topology/physical_package_id") = "1\n";
    machine.Sys(folder + "/topology/core_id") = "4\n";
  }
  machine.Sys("devices/system/edac/mc/mc0/ce_count") = "5\n";
  machine.Sys("devices/system/edac/mc/mc0/ue_count") = "0\n";
  EXPECT_EQ(machine.Value(R"(cpu_core_throttles_total{package="1",core="4"})"), 9);
  EXPECT_EQ(machine.Value(R"(cpu_package_throttles_total{package="1"})"), 11);
  EXPECT_EQ(machine.Value(R"(edac_correctable_errors_total{controller="0"})"), 5);
  EXPECT_EQ(machine.Value(R"(edac_uncorrectable_errors_total{controller="0"})"), 0);
}

TEST(FactFiles, MemoryPressureAndTheKernel) {
  Machine machine;
  machine.Proc("pressure/memory") =
      "some avg10=0.00 avg60=0.00 avg300=0.00 total=9000000\n"
      "full avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\n";
  machine.Proc("sys/kernel/osrelease") = "6.1.0-18-amd64\n";
  EXPECT_EQ(machine.Value("pressure_memory_stalled_seconds_total"), 2.5);
  EXPECT_EQ(machine.Value(R"(kernel_info{release="6.1.0-18-amd64"})"), 1);
}

TEST(FactFiles, AFileSystemThatIsNearlyFullAndReadOnly) {
  Machine machine;
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

TEST(FactFiles, WhatHangsIsSkippedAndNothingElse) {
  Machine machine;
  machine.Sys(kSda + "queue/scheduler") = "[none]\n";
  machine.Sys("class/block/sdb/queue/scheduler") = "[none]\n";
  machine.skipped = {"class/block/sda"};
  const auto reading = machine.Read();
  ASSERT_EQ(reading.samples.size(), 1U);
  EXPECT_EQ(reading.samples[0].labels[0].second, "sdb");
}

TEST(FactFiles, TextInThePlaceOfNumbersIsNoSample) {
  Machine machine;
  machine.Sys("class/net/eth0/carrier_changes") = "many\n";
  machine.Sys("devices/system/edac/mc/mc0/ce_count") = "";
  machine.Proc("pressure/memory") = "full total\n";
  machine.Proc("1/mountinfo") = "30 1 8:1 /";
  EXPECT_TRUE(machine.Read().samples.empty());
}

TEST(FactFiles, SpeedsAreReadWithTheirUnit) {
  EXPECT_EQ(ParseSataSpeed("6.0 Gbps\n"), 7.5e8);
  EXPECT_EQ(ParsePcieSpeed("16.0 GT/s PCIe\n"), 16e9);
  EXPECT_EQ(ParsePcieSpeed("5 GT/s\n"), 5e9);
  for (const auto* text : {"", "6.0", "Unknown", "-1 Gbps", "nan Gbps", "1e99 Gbps", "6,0 Gbps"}) {
    EXPECT_EQ(ParseSataSpeed(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseChoice("[none] mq-deadline\n"), "none");
  EXPECT_EQ(ParseChoice("none\n"), "none");
}

}  // namespace
}  // namespace limpet
