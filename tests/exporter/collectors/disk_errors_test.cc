#include "exporter/collectors/disk_errors.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/support/families.h"
#include "tests/support/map_files.h"
#include "tests/support/ticking_collector.h"

namespace limpet::disk_errors_test {
namespace {

using std::chrono::seconds;
using testing::FileTree;
using testing::Find;
using testing::Value;

constexpr auto kSda = R"(device="sda")";
constexpr auto kFailed = R"(device="sda",kind="failed")";
constexpr auto kTimeout = R"(device="sda",kind="timeout")";

class DiskErrors : public ::testing::Test {
 protected:
  ~DiskErrors() override { sys_->Release(); }
  Result<std::unique_ptr<Collector>> Make(DiskErrorsOptions options) {
    options.reader = reader_;
    return MakeWithFilter<DiskErrorsCollector>(
        options, kDefaultDriveExclude,
        testing::InputsOf(nullptr, sys_, [](LogLevel, std::string_view) {}));
  }
  void Start(const DiskErrorsOptions& options = {}) { collector_ = Make(options).value(); }
  void Restart(const DiskErrorsOptions& options = {}) {
    const auto before = std::move(collector_);
    Start(options);
    collector_->Inherit(*before);
  }
  // The page so much later.
  Families After(Duration time) {
    now_ += time;
    return collector_->Collect({UnixTime(now_.time_since_epoch()), now_}).value();
  }
  std::string& Scsi(const std::string& device, const std::string& counter) {
    return sys_->files["class/block/" + device + "/device/" + counter];
  }
  std::string& Nvme(const std::string& file) { return sys_->files["class/nvme/nvme0/" + file]; }
  // A drive as SCSI shows it.
  void AddScsi(const std::string& device) {
    Scsi(device, "iorequest_cnt") = "0x1f4\n";
    Scsi(device, "iodone_cnt") = "0x1f3\n";
    Scsi(device, "ioerr_cnt") = "0x2\n";
    Scsi(device, "iotmo_cnt") = "0x1\n";
  }

  std::shared_ptr<FileTree> sys_ = std::make_shared<FileTree>();
  DeviceReaderOptions reader_ = testing::kPatientReader;
  std::unique_ptr<Collector> collector_;
  SteadyTime now_{std::chrono::hours(1)};
};

TEST(ParseScsiCounter, ReadsTheKernelsHexadecimal) {
  EXPECT_EQ(ParseScsiCounter("0x0\n"), 0U);
  EXPECT_EQ(ParseScsiCounter("0x1f4\n"), 500U);
  EXPECT_EQ(ParseScsiCounter("0x7fffffff\n"), 2147483647U);
  EXPECT_EQ(ParseScsiCounter("0xffffffff80000000\n"), 2147483648U) << "an int below 0";
  EXPECT_EQ(ParseScsiCounter("0x100000000\n"), 4294967296U) << "a wider counter";
}

TEST(ParseScsiCounter, RefusesEverythingElse) {
  for (const auto* text : {"", "\n", "0x", "500\n", "0x1g\n", "0x-1\n", "0x 1\n", "x1\n", "-0x1\n",
                           "0x1ffffffffffffffff\n", "0x1 0x2\n", "<unknown>\n"}) {
    EXPECT_EQ(ParseScsiCounter(text), std::nullopt) << text;
  }
}

TEST(ParseAerTotal, IsTheLastLine) {
  EXPECT_EQ(ParseAerTotal("RxErr 1\nBadTLP 2\nTimeout 0\nTOTAL_ERR_COR 3\n"), 3U);
  EXPECT_EQ(ParseAerTotal("Undefined 0\nDLP 0\nTOTAL_ERR_FATAL 0\n"), 0U);
  for (const auto* text : {"", "RxErr 1\n", "TOTAL_ERR_COR\n", "TOTAL_ERR_COR many\n", "3\n"}) {
    EXPECT_EQ(ParseAerTotal(text), std::nullopt) << text;
  }
}

TEST(ParseControllerLive, KnowsTheStates) {
  EXPECT_EQ(ParseControllerLive("live\n"), true);
  EXPECT_EQ(ParseControllerLive("resetting\n"), false);
  EXPECT_EQ(ParseControllerLive("deleting (no IO)\n"), false);
  EXPECT_EQ(ParseControllerLive("lively\n"), std::nullopt);
  EXPECT_EQ(ParseControllerLive(""), std::nullopt);
}

TEST_F(DiskErrors, OfScsiDrivesAreCountedByKind) {
  AddScsi("sda");
  Start();
  const auto page = After(seconds(1));
  EXPECT_EQ(Value(page, "disk_commands_issued_total", kSda), 500);
  EXPECT_EQ(Value(page, "disk_commands_completed_total", kSda), 499);
  EXPECT_EQ(Value(page, "disk_errors_total", kFailed), 2);
  EXPECT_EQ(Value(page, "disk_errors_total", kTimeout), 1);
  EXPECT_EQ(Find(page, "disk_controller_live"), nullptr);
}

TEST_F(DiskErrors, OfNvmeDrivesAreThoseOfTheirPciDevice) {
  AddScsi("sda");
  Nvme("state") = "live\n";
  Nvme("device/aer_dev_correctable") = "RxErr 4\nTOTAL_ERR_COR 4\n";
  Nvme("device/aer_dev_nonfatal") = "DLP 0\nTOTAL_ERR_NONFATAL 0\n";
  Nvme("device/aer_dev_fatal") = "DLP 1\nTOTAL_ERR_FATAL 1\n";
  Start({.refresh = seconds(1)});
  auto page = After(seconds(1));
  EXPECT_EQ(Value(page, "disk_errors_total", R"(device="nvme0",kind="pcie_correctable")"), 4);
  EXPECT_EQ(Value(page, "disk_errors_total", R"(device="nvme0",kind="pcie_nonfatal")"), 0);
  EXPECT_EQ(Value(page, "disk_errors_total", R"(device="nvme0",kind="pcie_fatal")"), 1);
  EXPECT_EQ(Value(page, "disk_controller_live", R"(device="nvme0")"), 1);
  Nvme("state") = "dead\n";
  page = After(seconds(2));
  EXPECT_EQ(Value(page, "disk_controller_live", R"(device="nvme0")"), 0);
}

TEST_F(DiskErrors, AFabricsControllerHasAStateAndNoPciDevice) {
  AddScsi("sda");
  Nvme("state") = "connecting\n";
  Start();
  const auto page = After(seconds(1));
  EXPECT_EQ(Value(page, "disk_controller_live", R"(device="nvme0")"), 0);
  EXPECT_EQ(Find(page, "disk_errors_total")->samples.size(), 2U) << "those of sda";
}

TEST_F(DiskErrors, DisksWithoutCountersAreLeftOut) {
  sys_->files["class/block/vda/device/vendor"] = "0x1af4\n";
  sys_->files["class/block/loop0/size"] = "0\n";
  AddScsi("sda");
  sys_->files["class/block/sda1/partition"] = "1\n";
  Start();
  EXPECT_EQ(Find(After(seconds(1)), "disk_commands_issued_total")->samples.size(), 1U);
}

TEST_F(DiskErrors, AnOldKernelCountsNoTimeouts) {
  AddScsi("sda");
  sys_->files.erase("class/block/sda/device/iotmo_cnt");  // there since 6.1
  Start();
  EXPECT_EQ(Find(After(seconds(1)), "disk_errors_total")->samples.size(), 1U);
}

TEST_F(DiskErrors, AFileThatHoldsTextIsNoSeriesUntilItHoldsANumber) {
  AddScsi("sda");
  Scsi("sda", "ioerr_cnt") = "perhaps\n";
  Start({.refresh = seconds(1)});
  EXPECT_EQ(Find(After(seconds(1)), "disk_errors_total")->samples.size(), 1U);
  Scsi("sda", "ioerr_cnt") = "0x5\n";
  EXPECT_EQ(Value(After(seconds(2)), "disk_errors_total", kFailed), 5);
}

TEST_F(DiskErrors, AreReadOnceAMinute) {
  AddScsi("sda");
  Start();
  After(seconds(1));
  Scsi("sda", "ioerr_cnt") = "0x9\n";
  EXPECT_EQ(Value(After(seconds(59)), "disk_errors_total", kFailed), 2);
  EXPECT_EQ(Value(After(seconds(1)), "disk_errors_total", kFailed), 9);
}

TEST_F(DiskErrors, ADriveThatHangsCostsItsOwnErrors) {
  reader_ = testing::kHastyReader;
  AddScsi("sda");
  AddScsi("sdb");
  Start({.refresh = seconds(2)});
  After(seconds(1));
  sys_->hangs = {"class/block/sda/device/ioerr_cnt"};
  Scsi("sdb", "ioerr_cnt") = "0x9\n";
  Families page;
  for (int i = 0; i < 8; ++i) {
    page = After(seconds(1));
  }
  EXPECT_EQ(Value(page, "disk_errors_total", R"(device="sdb",kind="failed")"), 9);
  EXPECT_EQ(Value(page, "disk_commands_issued_total", kSda), std::nullopt)
      << "what it counted last would look healthy";
  EXPECT_EQ(
      Value(page, "facts_unreadable", R"(file="class/block/sda/device/ioerr_cnt",reason="hangs")"),
      1);
}

TEST_F(DiskErrors, CountersOfThirtyTwoBitsAreContinued) {
  AddScsi("sda");
  Scsi("sda", "iorequest_cnt") = "0xfffffffffffffff0\n";
  Start({.refresh = seconds(1)});
  EXPECT_EQ(Value(After(seconds(1)), "disk_commands_issued_total", kSda), 4294967280);
  Scsi("sda", "iorequest_cnt") = "0x10\n";
  EXPECT_EQ(Value(After(seconds(2)), "disk_commands_issued_total", kSda), 4294967312);
  Restart({.refresh = seconds(1)});
  Scsi("sda", "iorequest_cnt") = "0x11\n";
  EXPECT_EQ(Value(After(seconds(1)), "disk_commands_issued_total", kSda), 4294967313)
      << "a reload forgets no wrap";
}

TEST_F(DiskErrors, AnotherDriveOfTheNameBeginsAnew) {
  AddScsi("sda");
  Start({.refresh = seconds(1)});
  After(seconds(1));
  Scsi("sda", "iorequest_cnt") = "0x5\n";
  Scsi("sda", "ioerr_cnt") = "0x3\n";
  auto page = After(seconds(2));
  EXPECT_EQ(Value(page, "disk_commands_issued_total", kSda), 5);
  EXPECT_EQ(Value(page, "disk_errors_total", kFailed), 3);
  sys_->files.clear();
  AddScsi("sdb");
  page = After(seconds(2));
  EXPECT_EQ(Value(page, "disk_errors_total", kFailed), std::nullopt) << "gone at once";
}

TEST_F(DiskErrors, PatternsChooseAmongDrives) {
  AddScsi("sda");
  AddScsi("sr0");
  AddScsi("cciss!c0d0");
  Start();
  auto page = After(seconds(1));
  EXPECT_EQ(Value(page, "disk_commands_issued_total", R"(device="sr0")"), std::nullopt);
  EXPECT_EQ(Value(page, "disk_commands_issued_total", R"(device="cciss/c0d0")"), 500);
  Restart({.devices = {.include = "^sr"}});
  page = After(seconds(1));
  EXPECT_EQ(Value(page, "disk_commands_issued_total", R"(device="sr0")"), 500);
  EXPECT_EQ(Value(page, "disk_commands_issued_total", kSda), std::nullopt);
}

TEST_F(DiskErrors, WithoutSysAreAnError) {
  Start();
  EXPECT_FALSE(collector_->Collect({}));
  AddScsi("sda");
  EXPECT_TRUE(collector_->Collect({}));
}

TEST_F(DiskErrors, ABadPatternIsRefused) {
  const auto made = Make({.devices = {.include = "["}});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().where, "include");
}

}  // namespace
}  // namespace limpet::disk_errors_test
