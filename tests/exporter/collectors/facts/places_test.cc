#include "exporter/collectors/facts/places.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/fact_machine.h"

namespace limpet::places_test {
namespace {

using testing::FactMachine;

std::set<std::string> Paths(const FactPlan& plan) {
  std::set<std::string> paths;
  for (const auto& file : plan.files) {
    paths.insert(file.path);
  }
  return paths;
}

TEST(FactPlaces, APatternStandsForEachFolderThatFits) {
  FactMachine machine;
  machine.Sys("class/block/sda/device/../../../link1/ata_link/link1/sata_spd") = "6.0 Gbps\n";
  machine.Sys("class/block/sda/device/../../../dev/sata_spd") = "6.0 Gbps\n";
  machine.Sys("class/block/nvme0n1/device/../../../link1/ata_link/link1/sata_spd") = "6.0 Gbps\n";
  const auto paths = Paths(*machine.Read().plan);
  EXPECT_TRUE(paths.contains("class/block/sda/device/../../../link1/ata_link/link1/sata_spd"));
  EXPECT_EQ(paths.size(), 2U) << "its maximum as well; what is not there is left out";
}

TEST(FactPlaces, ASlashInADevicesNameIsAnExclamationMarkInItsPath) {
  FactMachine machine;
  machine.Sys("class/block/cciss!c0d0/queue/scheduler") = "[none]\n";
  ASSERT_EQ(machine.Read().samples.size(), 1U);
  EXPECT_TRUE(machine.Read().samples[0].labels->Rendered().starts_with(R"(device="cciss/c0d0")"));
}

TEST(FactPlaces, AnAsteriskInANameStandsForItself) {
  FactMachine machine;
  machine.Sys("class/net/eth*/carrier_changes") = "1\n";
  machine.Sys("class/net/eth0/carrier_changes") = "2\n";
  const auto reading = machine.Read();
  EXPECT_EQ(FactMachine::Value(reading, R"(network_carrier_changes_total{device="eth*"})"), 1);
  EXPECT_EQ(FactMachine::Value(reading, R"(network_carrier_changes_total{device="eth0"})"), 2);
}

TEST(FactPlaces, TwoNamesThatPrintAlikeAreOneSeries) {
  FactMachine machine;
  for (const std::string name : {"\xff", R"(\xff)"}) {
    machine.Sys("class/block/sd" + name + "/queue/scheduler") = "[none]\n";
    machine.Sys("class/net/eth" + name + "/carrier_changes") = "1\n";
  }
  EXPECT_EQ(machine.Read().samples.size(), 2U);
}

TEST(FactPlaces, WhatHangsIsNotLookedInto) {
  FactMachine machine;
  machine.Sys("class/block/sda/device/../../../link1/ata_link/link1/sata_spd") = "6.0 Gbps\n";
  machine.Sys("class/block/sdb/device/../../../link1/ata_link/link1/sata_spd") = "6.0 Gbps\n";
  machine.skipped = {"class/block/sda"};
  const auto reading = machine.Read();
  EXPECT_TRUE(reading.plan->is_partial) << "the next reading looks again";
  EXPECT_EQ(reading.samples.size(), 1U);
}

TEST(FactPlaces, CoresAreFoundOnce) {
  FactMachine machine;
  const std::string cpu = "devices/system/cpu/cpu0/";
  machine.Sys(cpu + "thermal_throttle/core_throttle_count") = "1\n";
  machine.Sys(cpu + "thermal_throttle/package_throttle_count") = "1\n";
  machine.Sys(cpu + "topology/physical_package_id") = "0\n";
  machine.Sys(cpu + "topology/core_id") = "0\n";
  const auto before = machine.Read();
  machine.Sys("class/block/sda/queue/scheduler") = "[none]\n";  // so that files are looked for anew
  const auto after = machine.Read(before);
  EXPECT_NE(after.plan, before.plan);
  EXPECT_EQ(after.plan->cores, before.plan->cores);
  EXPECT_EQ(after.samples.size(), 3U);
}

TEST(FactPlaces, NeverMoreThanTheirBound) {
  FactMachine machine;
  for (std::size_t i = 0; i < kMaxFactSamples + 50; ++i) {
    machine.Sys("class/net/eth" + std::to_string(i) + "/carrier_changes") = "1\n";
  }
  EXPECT_LE(machine.Read().samples.size(), kMaxFactSamples);
}

}  // namespace
}  // namespace limpet::places_test
