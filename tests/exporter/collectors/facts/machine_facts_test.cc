#include <gtest/gtest.h>

#include <string>

#include "tests/support/fact_machine.h"

namespace limpet::machine_facts_test {
namespace {

using testing::FactMachine;

TEST(MachineFacts, HotCoresAndBadMemory) {
  FactMachine machine;
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

// node_exporter#1472.
TEST(MachineFacts, OfThreadsThatCountDifferentlyTheOneWithTheMost) {
  FactMachine machine;
  const auto add = [&](const std::string& cpu, const char* core, const char* count,
                       const char* package_count) {
    const auto folder = "devices/system/cpu/" + cpu;
    machine.Sys(folder + "/thermal_throttle/core_throttle_count") = count;
    machine.Sys(folder + "/thermal_throttle/package_throttle_count") = package_count;
    machine.Sys(folder + "/topology/physical_package_id") = "0\n";
    machine.Sys(folder + "/topology/core_id") = core;
  };
  add("cpu0", "0\n", "7343\n", "20000\n");
  add("cpu1", "1\n", "432\n", "20000\n");
  add("cpu2", "0\n", "15732\n", "20000\n");
  add("cpu3", "1\n", "9000\n", "20007\n");
  const auto reading = machine.Read();
  EXPECT_EQ(FactMachine::Value(reading, R"(cpu_core_throttles_total{package="0",core="0"})"),
            15732);
  EXPECT_EQ(FactMachine::Value(reading, R"(cpu_core_throttles_total{package="0",core="1"})"), 9000);
  EXPECT_EQ(FactMachine::Value(reading, R"(cpu_package_throttles_total{package="0"})"), 20007);
  EXPECT_EQ(reading.samples.size(), 3U);
}

TEST(MachineFacts, MemoryPressureAndTheKernel) {
  FactMachine machine;
  machine.Proc("pressure/memory") =
      "some avg10=0.00 avg60=0.00 avg300=0.00 total=9000000\n"
      "full avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\n";
  machine.Proc("sys/kernel/osrelease") = "6.1.0-18-amd64\n";
  EXPECT_EQ(machine.Value("pressure_memory_stalled_seconds_total"), 2.5);
  EXPECT_EQ(machine.Value(R"(kernel_info{release="6.1.0-18-amd64"})"), 1);
}

}  // namespace
}  // namespace limpet::machine_facts_test
