#include "exporter/collectors/facts/reading.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/fact_machine.h"

namespace limpet::reading_test {
namespace {

using testing::FactMachine;

const std::string kSda = "class/block/sda/";

TEST(FactReading, WhatHangsIsSkippedAndNothingElse) {
  FactMachine machine;
  machine.Sys(kSda + "queue/scheduler") = "[none]\n";
  machine.Sys("class/block/sdb/queue/scheduler") = "[none]\n";
  machine.skipped = {"class/block/sda"};
  const auto reading = machine.Read();
  ASSERT_EQ(reading.samples.size(), 1U);
  EXPECT_TRUE(reading.samples[0].labels->Rendered().starts_with(R"(device="sdb")"));
}

TEST(FactReading, TextInThePlaceOfNumbersIsNoSample) {
  FactMachine machine;
  machine.Sys("class/net/eth0/carrier_changes") = "many\n";
  machine.Sys("devices/system/edac/mc/mc0/ce_count") = "";
  machine.Proc("pressure/memory") = "full total\n";
  machine.Proc("1/mountinfo") = "30 1 8:1 /";
  EXPECT_TRUE(machine.Read().samples.empty());
}

TEST(FactReading, GoesOnFromThePlanOfTheOneBefore) {
  FactMachine machine;
  machine.Sys("class/block/sda/queue/scheduler") = "[none]\n";
  machine.Sys("class/net/eth0/carrier_changes") = "1\n";
  const auto before = machine.Read();
  machine.Sys("class/block/sda/queue/scheduler") = "[bfq]\n";
  machine.Sys("class/net/eth0/carrier_changes") = "2\n";
  const auto after = machine.Read(before);
  EXPECT_EQ(after.plan, before.plan);
  EXPECT_EQ(FactMachine::Value(after, R"(network_carrier_changes_total{device="eth0"})"), 2);
  ASSERT_EQ(after.samples.size(), 2U);
  EXPECT_EQ(after.samples[0].labels, before.samples[0].labels) << "settings are told again";
}

TEST(FactReading, LooksForFilesAnewWhenADeviceComesOrGoes) {
  FactMachine machine;
  machine.Sys("class/block/sda/queue/scheduler") = "[none]\n";
  const auto before = machine.Read();
  machine.Sys("class/block/md0/md/sync_action") = "check\n";
  const auto after = machine.Read(before);
  EXPECT_EQ(FactMachine::Value(after, R"(md_state{device="md0",state="check"})"), 1);
  machine.sys->files.clear();
  EXPECT_TRUE(machine.Read(after).samples.empty());
}

TEST(FactReading, AFileThatVanishesBetweenTwoReadingsIsNoSample) {
  FactMachine machine;
  machine.Sys("class/net/eth0/carrier_changes") = "1\n";
  machine.Sys("class/net/eth0/statistics/rx_crc_errors") = "1\n";
  const auto before = machine.Read();
  machine.sys->files.erase("class/net/eth0/statistics/rx_crc_errors");
  const auto after = machine.Read(before);
  EXPECT_EQ(after.plan, before.plan);
  EXPECT_EQ(after.samples.size(), 1U);
}

TEST(FactReading, AFileThatIsNotThereIsAskedForOnlyWithANewPlan) {
  FactMachine machine;
  machine.Sys("class/net/eth0/carrier_changes") = "1\n";
  machine.Sys("class/net/eth1/carrier_changes") = "1\n";
  machine.Sys("class/net/eth1/statistics/rx_crc_errors") = "2\n";
  const auto before = machine.Read();
  const auto is_in_plan = [&](const std::string& path) {
    return std::ranges::any_of(before.plan->files,
                               [&](const auto& file) { return file.path == path; });
  };
  EXPECT_FALSE(is_in_plan("class/net/eth0/statistics/rx_crc_errors"));
  EXPECT_TRUE(is_in_plan("class/net/eth1/statistics/rx_crc_errors"));

  machine.Sys("class/net/eth0/statistics/rx_crc_errors") = "3\n";
  EXPECT_EQ(machine.Read(before).samples.size(), 3U);
  EXPECT_EQ(machine.Read().samples.size(), 4U);
}

}  // namespace
}  // namespace limpet::reading_test
