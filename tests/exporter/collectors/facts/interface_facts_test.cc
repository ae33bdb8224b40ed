#include <gtest/gtest.h>

#include <string>

#include "tests/support/fact_machine.h"

namespace limpet::interface_facts_test {
namespace {

using testing::FactMachine;

TEST(InterfaceFacts, APcieLinkOfAControllerAndOfAnInterface) {
  FactMachine machine;
  machine.Sys("class/nvme/nvme0/device/current_link_speed") = "2.5 GT/s PCIe\n";
  machine.Sys("class/nvme/nvme0/device/max_link_speed") = "16.0 GT/s PCIe\n";
  machine.Sys("class/nvme/nvme0/device/current_link_width") = "2\n";
  machine.Sys("class/net/eth0/device/max_link_width") = "8\n";
  EXPECT_EQ(machine.Value(R"(pcie_link_transfers_per_second{device="nvme0"})"), 2.5e9);
  EXPECT_EQ(machine.Value(R"(pcie_link_max_transfers_per_second{device="nvme0"})"), 16e9);
  EXPECT_EQ(machine.Value(R"(pcie_link_width{device="nvme0"})"), 2);
  EXPECT_EQ(machine.Value(R"(pcie_link_max_width{device="eth0"})"), 8);
}

TEST(InterfaceFacts, AWidthThatNobodyKnowsIsNoFact) {
  FactMachine machine;
  const auto set = [&](const std::string& device, const char* now, const char* most) {
    machine.Sys(device + "/device/current_link_width") = now;
    machine.Sys(device + "/device/max_link_width") = most;
  };
  set("class/nvme/nvme0", "4\n", "255\n");
  set("class/nvme/nvme1", "0\n", "4\n");
  set("class/net/eth0", "63\n", "8\n");
  const auto reading = machine.Read();
  EXPECT_EQ(reading.samples.size(), 3U);
  EXPECT_EQ(FactMachine::Value(reading, R"(pcie_link_width{device="nvme0"})"), 4);
  EXPECT_EQ(FactMachine::Value(reading, R"(pcie_link_max_width{device="nvme1"})"), 4);
  EXPECT_EQ(FactMachine::Value(reading, R"(pcie_link_max_width{device="eth0"})"), 8);
}

TEST(InterfaceFacts, AnInterfacesErrorsAndDriver) {
  FactMachine machine;
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

TEST(InterfaceFacts, StatesBondsAndRings) {
  FactMachine machine;
  machine.Sys("class/net/eth0/operstate") = "up\n";
  machine.Sys("class/net/eth0/duplex") = "full\n";
  machine.Sys("class/net/eth0/statistics/rx_missed_errors") = "1200\n";
  machine.Sys("class/net/eth0/bonding_slave/mii_status") = "down\n";
  machine.Sys("class/net/eth0/bonding_slave/state") = "backup\n";
  machine.Sys("class/net/eth0/bonding_slave/link_failure_count") = "2\n";
  machine.Sys("class/net/eth1/operstate") = "down\n";  // which tells no duplex
  EXPECT_EQ(machine.Value(R"(network_info{device="eth0",operstate="up",duplex="full"})"), 1);
  EXPECT_EQ(machine.Value(R"(network_receive_missed_errors_total{device="eth0"})"), 1200);
  EXPECT_EQ(
      machine.Value(R"(network_bond_member_info{device="eth0",mii_status="down",state="backup"})"),
      1);
  EXPECT_EQ(machine.Value(R"(network_bond_member_failures_total{device="eth0"})"), 2);
  EXPECT_EQ(machine.Read().samples.size(), 5U);
}

TEST(InterfaceFacts, WhatProcessorsDropAndLeave) {
  FactMachine machine;
  machine.Proc("net/softnet_stat") = "00000010 0000000a 00000003 00000000\n";
  EXPECT_EQ(machine.Value("softnet_dropped_total"), 10);
  EXPECT_EQ(machine.Value("softnet_times_squeezed_total"), 3);
}

// Containers that restart make and remove theirs.
TEST(InterfaceFacts, AVirtualInterfaceHasNoCable) {
  FactMachine machine;
  machine.Sys("class/net/eth0/carrier_changes") = "3\n";
  machine.Sys("class/net/veth12ab/carrier_changes") = "9\n";
  machine.Sys("devices/virtual/net/veth12ab/carrier_changes") = "9\n";
  EXPECT_EQ(machine.Value(R"(network_carrier_changes_total{device="eth0"})"), 3);
  EXPECT_EQ(machine.Read().samples.size(), 1U);
}

}  // namespace
}  // namespace limpet::interface_facts_test
