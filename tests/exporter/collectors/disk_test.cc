#include "exporter/collectors/disk.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/families.h"
#include "tests/support/map_files.h"
#include "tests/support/ticking_collector.h"

namespace limpet::disk_test {
namespace {

using std::chrono::seconds;
using testing::Find;
using testing::TickingCollector;
using testing::Value;

constexpr auto kSda = R"(device="sda")";

class Disk : public TickingCollector<DiskCollector, DiskOptions> {
 protected:
  Disk() : TickingCollector("diskstats", kDefaultDiskExclude) {}
};

TEST_F(Disk, CountersHaveNodeExportersNamesAndUnits) {
  Start();
  const auto page = Second("8 0 sda 1 2 3 4000 5 6 7 8000 9 10000 11000 12 13 14 15000 16 17000\n");
  EXPECT_EQ(Value(page, "disk_reads_completed_total", kSda), 1);
  EXPECT_EQ(Value(page, "disk_reads_merged_total", kSda), 2);
  EXPECT_EQ(Value(page, "disk_read_bytes_total", kSda), 3 * 512);
  EXPECT_EQ(Value(page, "disk_read_time_seconds_total", kSda), 4);
  EXPECT_EQ(Value(page, "disk_writes_completed_total", kSda), 5);
  EXPECT_EQ(Value(page, "disk_writes_merged_total", kSda), 6);
  EXPECT_EQ(Value(page, "disk_written_bytes_total", kSda), 7 * 512);
  EXPECT_EQ(Value(page, "disk_write_time_seconds_total", kSda), 8);
  EXPECT_EQ(Value(page, "disk_io_now", kSda), 9);
  EXPECT_EQ(Value(page, "disk_io_time_seconds_total", kSda), 10);
  EXPECT_EQ(Value(page, "disk_io_time_weighted_seconds_total", kSda), 11);
  EXPECT_EQ(Value(page, "disk_discards_completed_total", kSda), 12);
  EXPECT_EQ(Value(page, "disk_discards_merged_total", kSda), 13);
  EXPECT_EQ(Value(page, "disk_discarded_sectors_total", kSda), 14);
  EXPECT_EQ(Value(page, "disk_discard_time_seconds_total", kSda), 15);
  EXPECT_EQ(Value(page, "disk_flush_requests_total", kSda), 16);
  EXPECT_EQ(Value(page, "disk_flush_requests_time_seconds_total", kSda), 17);
  EXPECT_EQ(Value(page, "disk_resets_total", kSda), 0);
  EXPECT_EQ(Value(page, "disk_replugs_total", kSda), 0);
}

TEST_F(Disk, OldKernelsHaveNoDiscardsOrFlushes) {
  Start();
  const auto page = Second("8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n");
  EXPECT_EQ(Value(page, "disk_io_time_weighted_seconds_total", kSda), 0.011);
  EXPECT_EQ(Find(page, "disk_discards_completed_total"), nullptr);
  EXPECT_EQ(Find(page, "disk_flush_requests_total"), nullptr);
}

TEST_F(Disk, GaugesAreTheLastInterval) {
  Start();
  EXPECT_EQ(Find(Second("8 0 sda 100 0 800 900 0 0 0 0 0 700 900\n"), "disk_await_seconds"),
            nullptr)
      << "a whole history is no interval";
  const auto page = Second("8 0 sda 150 0 1200 1400 0 0 0 0 0 950 1400\n");
  EXPECT_EQ(Value(page, "disk_reads_per_second", kSda), 50);
  EXPECT_EQ(Value(page, "disk_await_seconds", kSda), 0.010);
  EXPECT_EQ(Value(page, "disk_service_time_seconds", kSda), 0.005);
  EXPECT_EQ(Value(page, "disk_utilization_ratio", kSda), 0.25);
  EXPECT_EQ(Value(page, "disk_queue_length", kSda), 0.5);
  EXPECT_EQ(Value(page, "disk_request_size_bytes", kSda), 4096);
}

TEST_F(Disk, GaugesCanBeLeftOut) {
  Start({.gauges = false});
  Second("8 0 sda 100 0 800 900 0 0 0 0 0 700 900\n");
  const auto page = Second("8 0 sda 150 0 1200 1400 0 0 0 0 0 950 1400\n");
  EXPECT_EQ(Find(page, "disk_await_seconds"), nullptr);
  EXPECT_EQ(Value(page, "disk_stuck_seconds", kSda), 0) << "is not to be had from the counters";
}

TEST_F(Disk, DevicesComeAndGo) {
  Start();
  Second("8 0 sda 100 0 0 0 0 0 0 0 0 0 0\n");
  auto page = Second(
      "8 0 sda 110 0 0 0 0 0 0 0 0 0 0\n"
      "8 16 sdb 900000 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(Value(page, "disk_reads_per_second", kSda), 10);
  EXPECT_EQ(Value(page, "disk_reads_completed_total", R"(device="sdb")"), 900000);
  EXPECT_EQ(Value(page, "disk_reads_per_second", R"(device="sdb")"), std::nullopt);
  page = Second("8 16 sdb 900007 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(Value(page, "disk_reads_per_second", R"(device="sdb")"), 7);
  EXPECT_EQ(Value(page, "disk_reads_completed_total", kSda), std::nullopt) << "gone at once";
  page = Second(
      "8 0 sda 3 0 0 0 0 0 0 0 0 0 0\n"
      "8 16 sdb 900007 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(Value(page, "disk_reads_completed_total", kSda), 3);
  EXPECT_EQ(Value(page, "disk_reads_per_second", kSda), std::nullopt);
  EXPECT_EQ(Value(page, "disk_replugs_total", kSda), 1);
  EXPECT_EQ(Value(page, "disk_replugs_total", R"(device="sdb")"), 0);
  page = Second(
      "8 0 sda 4 0 0 0 0 0 0 0 0 0 0\n"
      "8 16 sdb 900007 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(Value(page, "disk_reads_per_second", kSda), 1);
}

TEST_F(Disk, CountersThatGoBackwardsAreNoSpike) {
  Start();
  Second("8 0 sda 100 5 800 900 0 0 0 0 0 700 900\n");
  const auto page = Second("8 0 sda 110 4 900 990 0 0 0 0 0 790 990\n");
  EXPECT_EQ(Find(page, "disk_reads_per_second"), nullptr);
  EXPECT_EQ(Value(page, "disk_resets_total", kSda), 1);
}

TEST_F(Disk, ADamagedFileShowsWhatIsWholeAndHurtsNoRates) {
  Start();
  const std::string_view both =
      "8 0 sda 100 0 0 0 0 0 0 0 0 0 0\n"
      "8 16 sdb 200 0 0 0 0 0 0 0 0 0 0\n";
  Second(both);
  auto page = Second(both.substr(0, both.size() - 3));
  EXPECT_EQ(Value(page, "disk_reads_completed_total", kSda), 100);
  EXPECT_EQ(Value(page, "disk_reads_completed_total", R"(device="sdb")"), std::nullopt);
  EXPECT_EQ(Value(page, "disk_skipped_lines_total"), 1);
  EXPECT_EQ(log_, "disk: diskstats: line 2: cut before its end; skipped\n");
  page = Second(both);
  EXPECT_EQ(Value(page, "disk_reads_per_second", R"(device="sdb")"), 0);
  EXPECT_EQ(Value(page, "disk_replugs_total", R"(device="sdb")"), 0) << "it was not away";
  EXPECT_EQ(Value(page, "disk_skipped_lines_total"), 1);
}

TEST_F(Disk, AFileWithNothingWholeIsAnError) {
  Start();
  EXPECT_FALSE(collector_->Collect(Now())) << "no such file";
  proc_->files["diskstats"] = std::string("\0\xff\x7f", 3);
  const auto result = collector_->Collect(Now());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().Text(), "diskstats: line 1: cut before its end");
  const auto page = Second("");
  EXPECT_EQ(page.size(), 1U) << "a machine without disks is fine";
  EXPECT_EQ(Value(page, "disk_skipped_lines_total"), 0);
}

TEST_F(Disk, ANameListedTwiceIsShownOnce) {
  Start();
  const auto page = Second(
      "8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n"
      "8 16 sda 2 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(Find(page, "disk_reads_completed_total")->samples.size(), 1U);
  EXPECT_EQ(Value(page, "disk_skipped_lines_total"), 1);
}

TEST_F(Disk, NamesThatAreNoTextAreSpelledOut) {
  Start();
  const auto page = Second(
      "8 0 my disk 1 0 0 0 0 0 0 0 0 0 0\n"
      "8 16 b\xff 2 0 0 0 0 0 0 0 0 0 0\n"
      "104 0 cciss/c0d0 3 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(Value(page, "disk_reads_completed_total", R"(device="my disk")"), 1);
  EXPECT_EQ(Value(page, "disk_reads_completed_total", R"(device="b\\xff")"), 2);
  EXPECT_EQ(Value(page, "disk_reads_completed_total", R"(device="cciss/c0d0")"), 3);
}

TEST_F(Disk, PartitionsAreToldBySysfsAndLoopDevicesByName) {
  sys_->files["class/block/mmcblk0p1/partition"] = "1\n";
  sys_->files["class/block/cciss!c0d0p1/partition"] = "1\n";
  constexpr std::string_view kPage =
      "179 0 mmcblk0 1 0 0 0 0 0 0 0 0 0 0\n"
      "179 1 mmcblk0p1 1 0 0 0 0 0 0 0 0 0 0\n"
      "104 1 cciss/c0d0p1 1 0 0 0 0 0 0 0 0 0 0\n"
      "7 0 loop0 1 0 0 0 0 0 0 0 0 0 0\n"
      "8 1 sda1 1 0 0 0 0 0 0 0 0 0 0\n";
  Start();
  EXPECT_EQ(Find(Second(kPage), "disk_io_now")->samples.size(), 1U);
  Start({.devices = {.include = "p1$|loop"}});
  EXPECT_EQ(Find(Second(kPage), "disk_io_now")->samples.size(), 3U)
      << "who names partitions gets them";
}

TEST_F(Disk, NegativeRequestsInFlightAreZeroCountedAndSaidOnce) {
  Start();
  Second("8 0 sda 1 0 0 0 0 0 0 0 4294967295 0 0\n");
  const auto page = Second("8 0 sda 1 0 0 0 0 0 0 0 18446744073709551615 0 0\n");
  EXPECT_EQ(Value(page, "disk_io_now", kSda), 0);
  EXPECT_EQ(Value(page, "disk_in_flight_underflows_total", kSda), 2);
  EXPECT_EQ(log_,
            "disk: sda: the kernel counts a negative number of requests in flight; shown as 0\n");
}

TEST_F(Disk, AStuckDeviceSaysForHowLong) {
  Start();
  Second("8 0 sda 1 0 0 0 0 0 0 0 3 0 0\n");
  Second("8 0 sda 1 0 0 0 0 0 0 0 3 0 0\n");
  EXPECT_EQ(Value(Second("8 0 sda 1 0 0 0 0 0 0 0 3 0 0\n"), "disk_stuck_seconds", kSda), 2);
}

TEST_F(Disk, InfoSaysWhatADeviceIs) {
  sys_->files = {{"class/block/sda/device/wwid", "naa.5000c500a1b2c3d4\n"},
                 {"class/block/sda/device/model", "ST4000 \"X\"\n"},
                 {"class/block/sda/queue/rotational", "1\n"}};
  proc_->files["1/mountinfo"] = "27 1 8:0 / /srv/ost\\0401 rw - ext4 /dev/sda rw\n";
  proc_->files["self/mountinfo"] = "27 1 8:0 / /wrong rw - ext4 /dev/sda rw\n";
  Start();
  const auto page = Second(
      "8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n"
      "8 16 sdb 1 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(Value(page, "disk_info",
                  R"(device="sda",wwn="0x5000c500a1b2c3d4",serial="",model="ST4000 \"X\"",)"
                  R"(rotational="1",size="",mountpoint="/srv/ost 1",fstype="ext4")"),
            1);
  EXPECT_EQ(Value(page, "disk_info",
                  R"(device="sdb",wwn="",serial="",model="",rotational="",size="",mountpoint="",)"
                  R"(fstype="")"),
            1);
}

TEST_F(Disk, MountsAreReadNowAndThenAndWhenTheListChanges) {
  constexpr std::string_view kPage = "8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n";
  Start({.mount_refresh = seconds(10)});
  const auto mountpoint = [](const Families& page) {
    const auto& labels = Find(page, "disk_info")->samples[0].labels->Rendered();
    const auto start = labels.find("mountpoint=\"") + 12;
    return labels.substr(start, labels.find('"', start) - start);
  };
  EXPECT_EQ(mountpoint(Second(kPage)), "");
  proc_->files["self/mountinfo"] = "27 1 8:0 / /a rw - ext4 /dev/sda rw\n";
  EXPECT_EQ(mountpoint(Second(kPage)), "") << "not each second";
  now_ += seconds(9);
  EXPECT_EQ(mountpoint(Second(kPage)), "/a");
  proc_->files["self/mountinfo"] = "27 1 8:0 / /b rw - ext4 /dev/sda rw\n";
  EXPECT_EQ(mountpoint(Second(kPage)), "/a");
  EXPECT_EQ(mountpoint(Second("8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n7 0 loop0 1 0 0 0 0 0 0 0 0 0 0\n")),
            "/b")
      << "the list of devices changed";
}

TEST_F(Disk, IdentityIsReadAgainAfterARePlug) {
  sys_->files["class/block/sda/serial"] = "one";
  Start();
  Second("8 0 sda 100 0 0 0 0 0 0 0 0 0 0\n");
  sys_->files["class/block/sda/serial"] = "two";
  const auto serial = [](const Families& page) {
    const auto& labels = Find(page, "disk_info")->samples[0].labels->Rendered();
    return labels.substr(labels.find("serial="), 12);
  };
  EXPECT_EQ(serial(Second("8 0 sda 100 0 0 0 0 0 0 0 0 0 0\n")), R"(serial="one")");
  EXPECT_EQ(serial(Second("8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n")), R"(serial="two")");
}

constexpr std::string_view kTwo =
    "8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n"
    "8 16 sdb 2 0 0 0 0 0 0 0 0 0 0\n";

std::string Identity(const std::string& device, const std::string& model,
                     const std::string& rotational) {
  return "device=\"" + device + R"(",wwn="",serial="",model=")" + model + R"(",rotational=")" +
         rotational + R"(",size="",mountpoint="",fstype="")";
}

// Queue attributes wait while a queue is frozen.
TEST_F(Disk, AnAttributeThatHangsCostsNothingElse) {
  reader_ = testing::kHastyReader;
  for (const std::string disk : {"sda", "sdb"}) {
    sys_->files["class/block/" + disk + "/device/model"] = "OLD\n";
    sys_->files["class/block/" + disk + "/queue/rotational"] = "1\n";
  }
  Start({.identity_refresh = seconds(1)});
  EXPECT_EQ(Find(Second(kTwo), "disk_info")->samples.size(), 2U);
  sys_->hangs = {"class/block/sda/queue/rotational"};
  sys_->files["class/block/sdb/device/model"] = "NEW\n";
  Families page;
  for (int i = 0; i < 7; ++i) {
    page = Second(kTwo);
    EXPECT_EQ(Find(page, "disk_io_now")->samples.size(), 2U);
    EXPECT_EQ(Value(page, "disk_info", Identity("sdb", "NEW", "1")), 1);
    EXPECT_EQ(Value(page, "disk_info", Identity("sda", "OLD", "1")), 1) << "it is still that disk";
  }
  EXPECT_EQ(
      Value(page, "facts_unreadable", R"(file="class/block/sda/queue/rotational",reason="hangs")"),
      1);
}

TEST_F(Disk, AFileThatFailsTakesNoIdentityAway) {
  sys_->files["class/block/sda/device/model"] = "ST4000\n";
  sys_->files["class/block/sda/queue/rotational"] = "1\n";
  Start({.identity_refresh = seconds(1)});
  constexpr std::string_view kPage = "8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n";
  Second(kPage);
  sys_->errors["class/block/sda/device/model"] = ErrorCode::kUnavailable;
  const auto page = Second(kPage);
  EXPECT_EQ(Value(page, "disk_info", Identity("sda", "ST4000", "1")), 1);
  EXPECT_EQ(
      Value(page, "facts_unreadable", R"(file="class/block/sda/device/model",reason="error")"), 1);
}

TEST_F(Disk, ANewDiskThatHangsIsShownWithoutItsIdentity) {
  reader_ = testing::kHastyReader;
  sys_->files["class/block/sda/queue/rotational"] = "1\n";
  sys_->files["class/block/sdb/queue/rotational"] = "1\n";
  sys_->hangs = {"class/block/sda/queue/rotational"};
  Start();
  auto page = Second(kTwo);
  EXPECT_EQ(Find(page, "disk_io_now")->samples.size(), 2U);
  EXPECT_EQ(Value(page, "disk_info", Identity("sdb", "", "1")), 1);
  EXPECT_EQ(Find(page, "disk_info")->samples.size(), 1U) << "it may still tell";
  now_ += seconds(5);
  page = Second(kTwo);
  EXPECT_EQ(Value(page, "disk_info", Identity("sda", "", "")), 1);
}

TEST_F(Disk, MountsThatHangCostMountPoints) {
  reader_ = testing::kHastyReader;
  sys_->files["class/block/sda/queue/rotational"] = "1\n";
  proc_->files["1/mountinfo"] = "27 1 8:0 / /a rw - ext4 /dev/sda rw\n";
  proc_->hangs = {"1/mountinfo"};
  Start();
  const auto page = Second("8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(Value(page, "disk_info", Identity("sda", "", "1")), 1);
  EXPECT_EQ(Value(page, "disk_reads_completed_total", kSda), 1);
  proc_->Release();
}

// queue/iostats: fio#1890, sysstat#341.
TEST_F(Disk, ADiskThatTheKernelDoesNotCountIsNotIdle) {
  sys_->files["class/block/sdb/queue/iostats"] = "0\n";
  sys_->files["class/block/sda/queue/iostats"] = "1\n";
  Start();
  Second(kTwo);
  const auto page = Second(kTwo);
  EXPECT_EQ(Value(page, "disk_reads_completed_total", kSda), 1);
  EXPECT_EQ(Value(page, "disk_utilization_ratio", kSda), 0);
  for (const auto* name : {"disk_reads_completed_total", "disk_io_now", "disk_utilization_ratio",
                           "disk_stuck_seconds", "disk_io_time_seconds_total"}) {
    EXPECT_EQ(Find(page, name)->samples.size(), 1U) << name;
  }
  EXPECT_EQ(Find(page, "disk_info")->samples.size(), 2U);
  EXPECT_EQ(log_,
            "disk: sdb: queue/iostats is 0, so the kernel counts none of its requests; expected 1, "
            "its counters are left out\n");
}

TEST_F(Disk, ThatMemoryIsNotCountedIsNoWarning) {
  sys_->files["class/block/zram0/queue/iostats"] = "0\n";
  sys_->files["class/block/zram0/size"] = "8\n";
  Start();
  Second("253 0 zram0 0 0 0 0 0 0 0 0 0 0 0\n");
  Second("253 0 zram0 0 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(log_, "");
}

// zram and others count whatever queue/iostats says.
TEST_F(Disk, ADiskThatIsCountedAllTheSameIsShownWhileItWorks) {
  sys_->files["class/block/sda/queue/iostats"] = "0\n";
  Start();
  Second("8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n");
  auto page = Second("8 0 sda 2 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(Value(page, "disk_reads_completed_total", kSda), 2);
  now_ += seconds(60);
  page = Second("8 0 sda 2 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(Find(page, "disk_reads_completed_total"), nullptr);
}

// Label sets cost an allocation: a device's are made once.
TEST_F(Disk, LabelsAreSharedByAllSamplesOfADevice) {
  Start();
  constexpr std::string_view kPage = "8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n";
  const auto first = Second(kPage);
  const auto second = Second(kPage);
  std::set<const LabelSet*> seen;
  for (const auto* page : {&first, &second}) {
    for (const auto& family : *page) {
      for (const auto& sample : family.samples) {
        seen.insert(sample.labels.get());
      }
    }
  }
  EXPECT_EQ(seen.size(), 3U) << "none, {device} and disk_info's";
}

TEST_F(Disk, ABadPatternIsAnErrorThatNamesIt) {
  const auto made = MakeWithFilter<DiskCollector>(DiskOptions{.devices = {.exclude = "("}},
                                                  kDefaultDiskExclude, CollectorInputs());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().where, "exclude");
}

TEST_F(Disk, AReloadForgetsNoWrapNoEventAndNoInterval) {
  Start();
  Second("8 0 sda 100 0 800 4294967000 0 0 0 0 0 700 900\n");
  auto page = Second("8 0 sda 110 0 900 704 0 0 0 0 0 800 1000\n");
  EXPECT_EQ(Value(page, "disk_read_time_seconds_total", kSda), 4294968);
  Second("");
  page = Second("8 0 sda 120 0 900 704 0 0 0 0 0 800 1000\n8 0 sda\n");
  EXPECT_EQ(Value(page, "disk_replugs_total", kSda), 1);
  Restart();
  page = Second("8 0 sda 130 0 1000 1704 0 0 0 0 0 900 1100\n");
  EXPECT_EQ(Value(page, "disk_read_time_seconds_total", kSda), 4294969);
  EXPECT_EQ(Value(page, "disk_replugs_total", kSda), 1);
  EXPECT_EQ(Value(page, "disk_skipped_lines_total"), 1);
  EXPECT_EQ(Value(page, "disk_reads_per_second", kSda), 10);
  EXPECT_EQ(Value(page, "disk_await_seconds", kSda), 0.1);
}

TEST_F(Disk, AReloadAsksAnewWhatToShow) {
  constexpr auto kPage =
      "8 0 sda 110 0 900 704 0 0 0 0 0 800 1000\n"
      "8 16 sdb 110 0 900 704 0 0 0 0 0 800 1000\n";
  Start({.devices = {.include = "sda"}});
  Second(kPage);
  Restart({.devices = {.include = "sdb"}});
  auto page = Second(kPage);
  EXPECT_EQ(Value(page, "disk_reads_completed_total", kSda), std::nullopt);
  EXPECT_EQ(Value(page, "disk_reads_completed_total", R"(device="sdb")"), 110);
  EXPECT_EQ(Find(page, "disk_reads_per_second"), nullptr) << "no reading before";
  EXPECT_EQ(Find(page, "disk_info")->samples.size(), 1U);
  Restart();
  page = Second(kPage);
  EXPECT_EQ(Value(page, "disk_reads_per_second", R"(device="sdb")"), 0);
  EXPECT_EQ(Value(page, "disk_reads_per_second", kSda), std::nullopt);
}

TEST_F(Disk, AReloadReadsAgainWhatADiskIs) {
  constexpr auto kPage = "8 0 sda 110 0 900 704 0 0 0 0 0 800 1000\n";
  sys_->files["class/block/sda/device/model"] = "OLD\n";
  Start();
  Second(kPage);
  sys_->files["class/block/sda/device/model"] = "NEW\n";
  Second(kPage);
  Restart();
  EXPECT_NE(Find(Second(kPage), "disk_info")->samples.at(0).labels->Rendered().find("NEW"),
            std::string::npos);
}

TEST_F(Disk, DevicesTellWhatTheyStandOn) {
  sys_->links = {{"class/block/sda/device", "x"}, {"class/block/dm-0/slaves/sda", "x"}};
  Start();
  const auto page = Second(
      "8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n"
      "253 0 dm-0 1 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(Value(page, "disk_stack_info", R"(device="sda",kind="hardware",lower="")"), 1);
  EXPECT_EQ(Value(page, "disk_stack_info", R"(device="dm-0",kind="dm",lower="sda")"), 1);
  EXPECT_EQ(Find(page, "disk_stack_info")->samples.size(), 2U);
  EXPECT_EQ(Find(Second("8 0 sdb 1 0 0 0 0 0 0 0 0 0 0\n"), "disk_stack_info"), nullptr);
}

}  // namespace
}  // namespace limpet::disk_test
