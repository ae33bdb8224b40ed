#include <gtest/gtest.h>

#include <string>

#include "tests/support/fact_machine.h"

namespace limpet::array_facts_test {
namespace {

using testing::FactMachine;

const std::string kMd0 = "class/block/md0/md/";

TEST(ArrayFacts, ARaidCheckAndADegradedArray) {
  FactMachine machine;
  machine.Sys(kMd0 + "array_state") = "active\n";
  machine.Sys(kMd0 + "sync_action") = "check\n";
  machine.Sys(kMd0 + "degraded") = "1\n";
  EXPECT_EQ(machine.Value(R"(md_state{device="md0",state="check"})"), 1);
  EXPECT_EQ(machine.Value(R"(md_degraded_disks{device="md0"})"), 1);
  machine.Sys(kMd0 + "sync_action") = "idle\n";
  EXPECT_EQ(machine.Value(R"(md_state{device="md0",state="active"})"), 1);
  machine.Sys(kMd0 + "array_state") = "\x01\xff\n";
  machine.Sys(kMd0 + "sync_action") = "\x01\xff\n";
  EXPECT_EQ(machine.Read().samples.size(), 1U);
}

// An inactive array, and a RAID 0 that lost a disk, which has no sync_action.
TEST(ArrayFacts, AnArrayThatDoesNotRunIsNotActive) {
  FactMachine machine;
  machine.Sys("class/block/md1/md/array_state") = "inactive\n";
  machine.Sys("class/block/md1/md/sync_action") = "idle\n";
  machine.Sys("class/block/md1/md/degraded") = "\n";
  machine.Sys(kMd0 + "level") = "raid0\n";
  machine.Sys(kMd0 + "array_state") = "broken\n";
  EXPECT_EQ(machine.Value(R"(md_state{device="md1",state="inactive"})"), 1);
  EXPECT_EQ(machine.Value(R"(md_state{device="md0",state="broken"})"), 1);
  EXPECT_EQ(machine.Read().samples.size(), 2U);
  machine.Sys(kMd0 + "array_state") = "clean\n";
  EXPECT_EQ(machine.Value(R"(md_state{device="md0",state="active"})"), 1);
}

TEST(ArrayFacts, MembersByState) {
  FactMachine machine;
  machine.Sys(kMd0 + "dev-sda1/state") = "in_sync\n";
  machine.Sys(kMd0 + "dev-sdb1/state") = "in_sync,write_mostly\n";
  machine.Sys(kMd0 + "dev-sdc1/state") = "faulty,write_error\n";
  machine.Sys(kMd0 + "dev-sdd1/state") = "spare\n";
  machine.Sys("class/block/md1/md/level") = "raid1\n";
  EXPECT_EQ(machine.Value(R"(md_disks{device="md0",state="active"})"), 2);
  EXPECT_EQ(machine.Value(R"(md_disks{device="md0",state="failed"})"), 1);
  EXPECT_EQ(machine.Value(R"(md_disks{device="md0",state="spare"})"), 1);
  EXPECT_EQ(machine.Read().samples.size(), 3U) << "of md1 nothing is known";
  machine.skipped = {"class/block/md0"};
  EXPECT_TRUE(machine.Read().samples.empty()) << "it hangs";
}

TEST(ArrayFacts, PathsByTheStateOfTheirDrives) {
  FactMachine machine;
  machine.Sys("class/block/dm-0/dm/uuid") = "mpath-35000c500a1b2c3d4\n";
  machine.Sys("class/block/dm-0/slaves/sda/dev") = "8:0\n";
  machine.Sys("class/block/dm-0/slaves/sdb/dev") = "8:16\n";
  machine.Sys("class/block/dm-0/slaves/sdc/dev") = "8:32\n";
  machine.Sys("class/block/sda/device/state") = "running\n";
  machine.Sys("class/block/sdb/device/state") = "offline\n";
  machine.Sys("class/block/dm-1/dm/uuid") = "LVM-abcdef\n";
  machine.Sys("class/block/dm-1/slaves/dm-0/dev") = "253:0\n";
  EXPECT_EQ(machine.Value(R"(multipath_paths{device="dm-0",state="running"})"), 1);
  EXPECT_EQ(machine.Value(R"(multipath_paths{device="dm-0",state="offline"})"), 1);
  EXPECT_EQ(machine.Value(R"(multipath_paths{device="dm-0",state="unknown"})"), 1);
  EXPECT_EQ(machine.Value(R"(multipath_paths{device="dm-1",state="offline"})"), std::nullopt);
}

}  // namespace
}  // namespace limpet::array_facts_test
