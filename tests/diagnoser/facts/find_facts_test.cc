#include "diagnoser/facts/find_facts.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace limpet::find_facts_test {
namespace {

using std::chrono::minutes;

const UnixTime kNow = UnixTime(std::chrono::hours(1000));

// io1 with a verdict about its disk sdb, and five peers.
class Found : public ::testing::Test {
 protected:
  Found() {
    for (int i = 2; i <= 6; ++i) {
      const auto node = "io" + std::to_string(i);
      peers_.nodes.push_back(node);
      peers_.disks["sdb"].emplace_back(node, "sdc");
    }
    verdict_.node = "io1";
    verdict_.cause = Cause::kDiskBusy;
    verdict_.evidence = {{.component = "io1/sdb", .metric = "await"}};
  }
  void SayAt(UnixTime at, const std::string& node, const std::string& name,
             const LabelPairs& labels, double value) {
    const auto series = facts_.Resolve({.field = FindField("limpet_" + name).value(),
                                        .labels = labels,
                                        .source = {.node = node, .role = "io", .labels = {}},
                                        .target = node});
    ASSERT_TRUE(series) << name;
    facts_.Add(*series, at, value);
  }
  void Say(const std::string& name, const LabelPairs& labels, double value) {
    SayAt(kNow, "io1", name, labels, value);
  }
  void Peers(const std::string& name, const LabelPairs& labels, double value) {
    for (const auto& node : peers_.nodes) {
      SayAt(kNow, node, name, labels, value);
    }
  }
  // Of a counter: 7 in ten minutes.
  void Rise(const std::string& name, const LabelPairs& labels) {
    SayAt(kNow - minutes(10), "io1", name, labels, 100);
    SayAt(kNow, "io1", name, labels, 107);
  }
  std::vector<Fact> Facts() { return FindFacts(facts_, verdict_, peers_, kNow); }
  // The only fact's sentence.
  std::string Text() {
    const auto facts = Facts();
    if (facts.size() != 1) {
      return std::to_string(facts.size()) + " facts";
    }
    EXPECT_FALSE(facts[0].next.empty());
    return facts[0].text;
  }

  FactReadings facts_;
  VerdictEvent verdict_;
  FactPeers peers_;
};

struct Case {
  const char* name;
  LabelPairs labels;
  const char* text;
};

TEST_F(Found, CountersThatRose) {
  const std::vector<Case> cases = {
      {"disk_errors_total",
       {{"device", "sdb"}, {"kind", "timeout"}},
       "sdb let 7 commands time out in the last 10 min"},
      {"disk_errors_total",
       {{"device", "sdb"}, {"kind", "failed"}},
       "sdb failed 7 commands in the last 10 min"},
      {"sas_phy_errors_total",
       {{"device", "sdb"}, {"kind", "sync_lost"}},
       "the SAS link of sdb had 7 errors (sync_lost) in the last 10 min"},
      {"sata_link_slowdowns_total",
       {{"device", "sdb"}},
       "the kernel made the SATA link of sdb slower 7 times in the last 10 min"},
      {"filesystem_errors_total",
       {{"device", "sdb1"}},
       "its file system found 7 errors on sdb1 in the last 10 min"},
      {"edac_correctable_errors_total",
       {{"controller", "0"}},
       "memory controller 0 corrected 7 errors in the last 10 min"},
      {"edac_uncorrectable_errors_total",
       {{"controller", "1"}},
       "memory controller 1 could not correct 7 errors in the last 10 min"},
      {"cpu_package_throttles_total",
       {{"package", "0"}},
       "processor 0 was too hot and slowed down 7 times in the last 10 min"},
      {"cpu_core_throttles_total",
       {{"package", "0"}, {"core", "3"}},
       "a core of processor 0 was too hot and slowed down 7 times in the last 10 min"},
  };
  for (const auto& one : cases) {
    facts_ = FactReadings();
    Rise(one.name, one.labels);
    EXPECT_EQ(Text(), one.text);
    facts_ = FactReadings();
    Say(one.name, one.labels, 107);
    EXPECT_EQ(Text(), "0 facts") << one.name << ": errors of long ago are none of now";
  }
}

TEST_F(Found, AnNvmeDriveAndItsController) {
  verdict_.evidence[0].component = "io1/nvme0n1";
  Rise("disk_errors_total", {{"device", "nvme0"}, {"kind", "pcie_correctable"}});
  EXPECT_EQ(Text(),
            "the PCI Express link of nvme0 had 7 errors (pcie_correctable) in the last 10 min");
  facts_ = FactReadings();
  Say("disk_controller_live", {{"device", "nvme0"}}, 0);
  EXPECT_EQ(Text(), "the NVMe controller nvme0 is resetting, connecting or dead");
  facts_ = FactReadings();
  Say("pcie_link_transfers_per_second", {{"device", "nvme0"}}, 2.5e9);
  Say("pcie_link_max_transfers_per_second", {{"device", "nvme0"}}, 16e9);
  EXPECT_EQ(Text(), "the PCI Express link of nvme0 runs at 2.5 GT/s, it can do 16 GT/s");
  facts_ = FactReadings();
  Say("pcie_link_width", {{"device", "nvme0"}}, 1);
  Say("pcie_link_max_width", {{"device", "nvme0"}}, 4);
  EXPECT_EQ(Text(), "the PCI Express link of nvme0 has 1 lanes, it can use 4");
}

TEST_F(Found, ASlowSataLink) {
  Say("sata_link_speed_bytes", {{"device", "sdb"}}, 1.875e8);
  Say("sata_link_max_speed_bytes", {{"device", "sdb"}}, 7.5e8);
  EXPECT_EQ(Text(), "the SATA link of sdb runs at 1.5 Gbit/s, its port can do 6 Gbit/s");
}

TEST_F(Found, WhatARaidDoes) {
  Say("md_state", {{"device", "md0"}, {"state", "check"}}, 1);
  EXPECT_EQ(Text(), "a RAID check is running on md0");
  facts_ = FactReadings();
  Say("md_state", {{"device", "md0"}, {"state", "recovering"}}, 1);
  EXPECT_EQ(Text(), "md0 rebuilds its redundancy (recovering)");
  facts_ = FactReadings();
  Say("md_degraded_disks", {{"device", "md0"}}, 2);
  Say("md_state", {{"device", "md0"}, {"state", "active"}}, 1);
  Say("md_state", {{"device", "md0"}, {"state", "check"}}, 0);
  EXPECT_EQ(Text(), "md0 runs without 2 of its disks");
}

TEST_F(Found, ARaidThatDoesNotRun) {
  for (const std::string state : {"inactive", "broken", "suspended"}) {
    facts_ = FactReadings();
    Say("md_state", {{"device", "md0"}, {"state", state}}, 1);
    EXPECT_EQ(Text(), "the array md0 does not run: it is " + state);
  }
  facts_ = FactReadings();
  Say("md_disks", {{"device", "md0"}, {"state", "active"}}, 4);
  Say("md_disks", {{"device", "md0"}, {"state", "failed"}}, 0);
  EXPECT_EQ(Text(), "0 facts");
  Say("md_disks", {{"device", "md1"}, {"state", "failed"}}, 2);
  EXPECT_EQ(Text(), "of the disks of md1, 2 failed");
}

TEST_F(Found, DrivesAndPathsThatTakeNoCommands) {
  Say("scsi_device_state", {{"device", "sdb"}, {"state", "running"}}, 1);
  EXPECT_EQ(Text(), "0 facts");
  Say("scsi_device_state", {{"device", "sdb"}, {"state", "transport-offline"}}, 1);
  EXPECT_EQ(Text(), "the kernel takes no commands for sdb: it is transport-offline");
  facts_ = FactReadings();
  Say("multipath_paths", {{"device", "dm-3"}, {"state", "running"}}, 3);
  Say("multipath_paths", {{"device", "dm-3"}, {"state", "offline"}}, 1);
  EXPECT_EQ(Text(), "1 of the paths of dm-3 are offline");
  facts_ = FactReadings();
  verdict_.evidence[0].component = "io1/nvme0n1";
  Say("nvme_path_state", {{"device", "nvme0c1n1"}, {"state", "non-optimized"}}, 1);
  Say("nvme_path_state", {{"device", "nvme1c2n1"}, {"state", "inaccessible"}}, 1);
  EXPECT_EQ(Text(), "0 facts") << "a path of another disk, and one that is only slower";
  Say("nvme_path_state", {{"device", "nvme0c2n1"}, {"state", "inaccessible"}}, 1);
  EXPECT_EQ(Text(), "the NVMe path nvme0c2n1 is inaccessible");
}

TEST_F(Found, AFileSystemThatDoesNotAnswer) {
  const LabelPairs labels = {{"device", "/dev/sdb1"}, {"mountpoint", "/data"}, {"fstype", "xfs"}};
  Say("filesystem_device_error", labels, 0);
  EXPECT_EQ(Text(), "0 facts");
  Say("filesystem_device_error",
      {{"device", "/dev/sdb2"}, {"mountpoint", "/more"}, {"fstype", "xfs"}}, 1);
  EXPECT_EQ(Text(), "the file system /more on sdb2 does not answer");
}

TEST_F(Found, ASnapshot) {
  Say("dm_snapshot_info", {{"device", "dm-3"}, {"name", "vg-snap-cow"}}, 1);
  EXPECT_EQ(Text(), "the LVM snapshot vg-snap-cow (dm-3) makes its origin copy before it writes");
}

TEST_F(Found, FileSystems) {
  const LabelPairs labels = {{"device", "/dev/sdb1"}, {"mountpoint", "/data"}, {"fstype", "xfs"}};
  Say("filesystem_size_bytes", labels, 1000);
  Say("filesystem_avail_bytes", labels, 31);
  EXPECT_EQ(Text(), "the file system /data on sdb1 has 3.1 % of its space left");
  facts_ = FactReadings();
  Say("filesystem_files", labels, 1000);
  Say("filesystem_files_free", labels, 0);
  EXPECT_EQ(Text(), "the file system /data on sdb1 has 0.0 % of its inodes left");
}

TEST_F(Found, AFileSystemThatBecameReadOnly) {
  const LabelPairs labels = {{"device", "/dev/sdb1"}, {"mountpoint", "/data"}, {"fstype", "xfs"}};
  Say("filesystem_readonly", labels, 1);
  EXPECT_EQ(Text(), "0 facts") << "nobody knows whether that is so on purpose";
  Peers("filesystem_readonly", labels, 0);
  EXPECT_EQ(Text(), "the file system /data on sdb1 is read-only, unlike its peers'");
  facts_ = FactReadings();
  SayAt(kNow - minutes(1), "io1", "filesystem_readonly", labels, 0);
  Say("filesystem_readonly", labels, 1);
  EXPECT_EQ(Text(), "the file system /data on sdb1 is read-only, unlike its peers'");
}

TEST_F(Found, SettingsUnlikeThePeers) {
  Say("disk_settings_info",
      {{"device", "sdb"},
       {"scheduler", "bfq"},
       {"write_cache", "write through"},
       {"queue_depth", "1"},
       {"requests", "64"},
       {"read_ahead_kb", "4096"}},
      1);
  Peers("disk_settings_info",
        {{"device", "sdc"},
         {"scheduler", "none"},
         {"write_cache", "write back"},
         {"queue_depth", "32"},
         {"requests", "64"},
         {"read_ahead_kb", "128"}},
        1);
  const auto facts = Facts();
  ASSERT_EQ(facts.size(), 4U);
  EXPECT_EQ(facts[0].text, "the I/O scheduler of sdb is bfq, its peers' none (5 of 5)");
  EXPECT_EQ(facts[0].fact, "scheduler");
  EXPECT_EQ(facts[0].detail, "bfq");
  EXPECT_EQ(facts[1].text,
            R"(the write cache of sdb is "write through", its peers' "write back" (5 of 5))");
  EXPECT_EQ(facts[2].text, "the drive's queue of sdb holds 1 commands, its peers' 32 (5 of 5)");
  EXPECT_EQ(facts[3].text, "sdb reads 4096 kB ahead, its peers 128 kB (5 of 5)");
}

TEST_F(Found, PeersThatDisagreeTellNothing) {
  Say("kernel_info", {{"release", "6.1"}}, 1);
  for (std::size_t i = 0; i < peers_.nodes.size(); ++i) {
    SayAt(kNow, peers_.nodes[i], "kernel_info", {{"release", i % 2 == 0 ? "5.10" : "5.15"}}, 1);
  }
  EXPECT_EQ(Text(), "0 facts");
  peers_.nodes.resize(2);
  facts_ = FactReadings();
  Say("kernel_info", {{"release", "6.1"}}, 1);
  Peers("kernel_info", {{"release", "5.10"}}, 1);
  EXPECT_EQ(Text(), "0 facts") << "two are too few";
}

TEST_F(Found, AnotherKernel) {
  Say("kernel_info", {{"release", "6.1"}}, 1);
  Peers("kernel_info", {{"release", "5.10"}}, 1);
  EXPECT_EQ(Text(), "it runs Linux 6.1, its peers 5.10 (5 of 5)");
}

TEST_F(Found, Interfaces) {
  verdict_.cause = Cause::kPacketLoss;
  verdict_.evidence[0].component = "io1";
  Rise("network_receive_crc_errors_total", {{"device", "eth0"}});
  EXPECT_EQ(Text(), "eth0 received 7 packets with a wrong checksum in the last 10 min");
  Rise("network_receive_frame_total", {{"device", "eth0"}});
  EXPECT_EQ(Facts().size(), 1U) << "the same told twice";
  facts_ = FactReadings();
  Rise("network_carrier_changes_total", {{"device", "eth0"}});
  EXPECT_EQ(Text(), "the link of eth0 went up or down 7 times in the last 10 min");
  facts_ = FactReadings();
  facts_.AddSpeed("io1", "eth0", kNow, 1.25e8);
  for (const auto& node : peers_.nodes) {
    facts_.AddSpeed(node, "eth0", kNow, 1.25e9);
  }
  EXPECT_EQ(Text(), "eth0 runs at 1 Gbit/s, its peers' at 10 Gbit/s (5 of 5)");
  facts_ = FactReadings();
  Say("network_driver_info", {{"device", "eth0"}, {"driver", "ixgbe"}, {"version", "5.1"}}, 1);
  Peers("network_driver_info", {{"device", "eth0"}, {"driver", "ixgbe"}, {"version", "5.19"}}, 1);
  EXPECT_EQ(Text(), "the driver of eth0 has version 5.1, its peers' 5.19 (5 of 5)");
}

TEST_F(Found, WhatNodeExporterAloneTells) {
  verdict_.cause = Cause::kPacketLoss;
  verdict_.evidence[0].component = "io1";
  Rise("network_receive_frame_total", {{"device", "eth0"}});
  EXPECT_EQ(Text(), "eth0 received 7 damaged frames in the last 10 min");
  const auto ethtool = [](const char* version, const char* firmware) {
    return LabelPairs{{"device", "eth0"}, {"version", version}, {"firmware_version", firmware}};
  };
  facts_ = FactReadings();
  Say("ethtool_info", ethtool("6.1", "1.2"), 1);
  Peers("ethtool_info", ethtool("6.1", "1.4"), 1);
  EXPECT_EQ(Text(), "the firmware of eth0 is 1.2, its peers' 1.4 (5 of 5)");
  facts_ = FactReadings();
  Say("ethtool_info", ethtool("5.9", "1.4"), 1);
  Peers("ethtool_info", ethtool("6.1", "1.4"), 1);
  EXPECT_EQ(Text(), "the driver of eth0 has version 5.9, its peers' 6.1 (5 of 5)");
  facts_ = FactReadings();
  verdict_.cause = Cause::kDiskBusy;
  verdict_.evidence[0].component = "io1/sdb";
  Say("disk_ata_write_cache_enabled", {{"device", "sdb"}}, 0);
  Peers("disk_ata_write_cache_enabled", {{"device", "sdc"}}, 1);
  EXPECT_EQ(Text(), "the write cache of sdb is off, its peers' is on (5 of 5)");
}

TEST_F(Found, AShorterQueueThanThePeers) {
  Say("disk_settings_info", {{"device", "sdb"}, {"requests", "4"}}, 1);
  Peers("disk_settings_info", {{"device", "sdc"}, {"requests", "256"}}, 1);
  EXPECT_EQ(Text(), "the kernel's queue of sdb holds 4 requests, its peers' 256 (5 of 5)");
}

TEST_F(Found, MemoryPressure) {
  SayAt(kNow - minutes(10), "io1", "pressure_memory_stalled_seconds_total", {}, 0);
  Say("pressure_memory_stalled_seconds_total", {}, 150);
  EXPECT_EQ(Text(), "all tasks waited for memory in 25.0 % of the time");
  facts_ = FactReadings();
  SayAt(kNow - minutes(10), "io1", "pressure_memory_stalled_seconds_total", {}, 0);
  Say("pressure_memory_stalled_seconds_total", {}, 3);
  EXPECT_EQ(Text(), "0 facts");
}

TEST_F(Found, TheHogByItsUnit) {
  verdict_.cause = Cause::kDiskHog;
  Say("cgroup_disk_read_bytes_per_second",
      {{"cgroup", "/system.slice/backup.service"}, {"device", "sdb"}}, 12e6);
  // The file system's own unit does as much everywhere.
  Say("cgroup_disk_read_bytes_per_second",
      {{"cgroup", "/system.slice/brick.service"}, {"device", "sdb"}}, 30e6);
  Peers("cgroup_disk_read_bytes_per_second",
        {{"cgroup", "/system.slice/brick.service"}, {"device", "sdc"}}, 25e6);
  EXPECT_EQ(Text(), "backup.service reads 12.0 MB/s of sdb, on its peers next to nothing");
  EXPECT_EQ(Facts()[0].detail, "backup.service");
  facts_ = FactReadings();
  Say("cgroup_disk_written_bytes_per_second",
      {{"cgroup", "/user.slice/a.scope"}, {"device", "sdb"}}, 2e6);
  EXPECT_EQ(Text(), "a.scope writes 2.0 MB/s to sdb, on its peers next to nothing");
}

// Every server runs jobs, and which of them asks for most is worth knowing: none is a hog.
TEST_F(Found, TheJobThatMovesMost) {
  const auto say = [&](const std::string& group, double value) {
    Say("cgroup_disk_written_bytes_per_second", {{"cgroup", group}, {"device", "sdb"}}, value);
  };
  say("/system.slice/slurmstepd.scope/job_4711/step_0", 20e6);
  say("/system.slice/slurmstepd.scope/job_4711/step_1", 22e6);
  say("/system.slice/slurmstepd.scope/job_4712/step_0", 8e6);
  say("/system.slice/ceph-osd@1.service", 10e6);
  Peers("cgroup_disk_written_bytes_per_second",
        {{"cgroup", "/system.slice/slurmstepd.scope/job_99/step_0"}, {"device", "sdc"}}, 30e6);
  Peers("cgroup_disk_written_bytes_per_second",
        {{"cgroup", "/system.slice/ceph-osd@7.service"}, {"device", "sdc"}}, 10e6);
  EXPECT_EQ(Text(), "job_4711 writes 42.0 MB/s to sdb, 70 % of what control groups do");
  EXPECT_EQ(Facts()[0].detail, "job_4711");
}

TEST_F(Found, AJobThatMovesNextToNothingIsNoFact) {
  Say("cgroup_disk_read_bytes_per_second",
      {{"cgroup", "/slurm/uid_1000/job_4711"}, {"device", "sdb"}}, 0.9e6);
  Say("cgroup_disk_read_bytes_per_second",
      {{"cgroup", "/slurm/uid_1000/job_4712"}, {"device", "sda"}}, 9e6);
  EXPECT_EQ(Text(), "0 facts");
}

// Each server has an instance of its own, whatever its number.
TEST_F(Found, InstancesOfOneUnitAreNoHogs) {
  verdict_.cause = Cause::kDiskHog;
  Say("cgroup_disk_read_bytes_per_second",
      {{"cgroup", "/system.slice/ceph-osd@1.service"}, {"device", "sdb"}}, 30e6);
  Peers("cgroup_disk_read_bytes_per_second",
        {{"cgroup", "/system.slice/ceph-osd@7.service"}, {"device", "sdc"}}, 25e6);
  EXPECT_EQ(Text(), "0 facts");
  Say("cgroup_disk_read_bytes_per_second",
      {{"cgroup", "/system.slice/backup@daily.service"}, {"device", "sdb"}}, 12e6);
  EXPECT_EQ(Text(), "backup@daily.service reads 12.0 MB/s of sdb, on its peers next to nothing");
}

// Ceph's deep scrub: true of the disk, and nothing that limps.
TEST_F(Found, TheFileSystemsOwnUnitWhereItMovesMore) {
  verdict_.cause = Cause::kDiskHog;
  Say("cgroup_disk_read_bytes_per_second",
      {{"cgroup", "/system.slice/ceph-osd@1.service"}, {"device", "sdb"}}, 6e6);
  Peers("cgroup_disk_read_bytes_per_second",
        {{"cgroup", "/system.slice/ceph-osd@7.service"}, {"device", "sdc"}}, 1e6);
  EXPECT_EQ(Text(), "ceph-osd@1.service reads 6.0 MB/s of sdb, on its peers 1.0 MB/s");
  EXPECT_NE(Facts()[0].next.find("scrubs"), std::string::npos);
}

TEST_F(Found, TheHogOfTheNetworkByItsUnit) {
  verdict_.cause = Cause::kNetworkHog;
  Say("cgroup_tcp_receive_bytes_per_second", {{"cgroup", "/system.slice/backup.service"}}, 24e6);
  // The file system's own unit does as much everywhere.
  Say("cgroup_tcp_receive_bytes_per_second", {{"cgroup", "/system.slice/brick.service"}}, 9e6);
  Peers("cgroup_tcp_receive_bytes_per_second", {{"cgroup", "/system.slice/brick.service"}}, 8e6);
  EXPECT_EQ(Text(), "backup.service receives 24.0 MB/s over TCP, on its peers next to nothing");
  facts_ = FactReadings();
  Say("cgroup_tcp_transmit_bytes_per_second", {{"cgroup", "/user.slice/a.scope"}}, 2e6);
  EXPECT_EQ(Text(), "a.scope sends 2.0 MB/s over TCP, on its peers next to nothing");
  verdict_.cause = Cause::kDiskBusy;
  EXPECT_EQ(Text(), "0 facts") << "a disk does not get slow from that";
}

TEST_F(Found, ADiskThatIsNotCounted) {
  verdict_.cause = Cause::kBehaviour;
  verdict_.evidence.clear();
  Say("disk_settings_info", {{"device", "sdb"}, {"iostats", "0"}}, 1);
  Say("disk_settings_info", {{"device", "sdc"}, {"iostats", "1"}}, 1);
  EXPECT_EQ(Text(),
            "the kernel counts no requests of sdb (queue/iostats is 0): nobody knows how busy it "
            "is");
}

TEST_F(Found, ADeadDevice) {
  Say("facts_unreadable", {{"file", "class/block/sdb/queue/scheduler"}, {"reason", "hangs"}}, 1);
  EXPECT_EQ(Text(),
            "reading class/block/sdb/queue/scheduler does not return: the device behind it hangs");
}

TEST_F(Found, OnlyWhatConcernsTheVerdict) {
  Rise("disk_errors_total", {{"device", "sdd"}, {"kind", "timeout"}});
  Rise("network_receive_crc_errors_total", {{"device", "eth0"}});
  EXPECT_EQ(Text(), "0 facts") << "another disk, and no question of the network";
  verdict_.cause = Cause::kBehaviour;
  verdict_.evidence.clear();
  EXPECT_EQ(Facts().size(), 2U);
  verdict_.evidence = {{.component = "io1/loop1"}};
  Rise("disk_errors_total", {{"device", "loop10"}, {"kind", "timeout"}});
  verdict_.cause = Cause::kDiskBusy;
  EXPECT_EQ(Text(), "0 facts") << "loop10 is no part of loop1";
}

TEST_F(Found, NothingWithoutReadings) { EXPECT_EQ(Text(), "0 facts"); }

}  // namespace
}  // namespace limpet::find_facts_test
