#include "exporter/collectors/facts.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "tests/support/families.h"
#include "tests/support/map_files.h"

namespace limpet::facts_test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::FileTree;
using testing::Find;
using testing::MapFiles;
using testing::Value;

// Files of which one answers only when it is let go, as that of a dead drive.
class DeadDrive final : public FileReader {
 public:
  DeadDrive(std::shared_ptr<FileTree> tree, std::shared_future<void> released,
            std::shared_ptr<std::atomic<bool>> reached)
      : files_(std::move(tree)), released_(std::move(released)), reached_(std::move(reached)) {}
  Result<std::string_view> Read(std::string_view path) override {
    if (path == "class/block/sdb/queue/scheduler") {
      *reached_ = true;
      released_.wait();
    }
    return files_.Read(path);
  }
  Result<std::string_view> ReadOnce(std::string_view path) override { return Read(path); }
  Result<std::vector<std::string>> List(std::string_view folder) override {
    return files_.List(folder);
  }
  bool Exists(std::string_view path) override { return files_.Exists(path); }

 private:
  MapFiles files_;
  std::shared_future<void> released_;
  std::shared_ptr<std::atomic<bool>> reached_;  // who is left behind outlives the test
};

class Facts : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const std::string disk : {"sda", "sdb", "sdc"}) {
      sys_->files["class/block/" + disk + "/queue/scheduler"] = "[none]\n";
    }
    Start({.first_wait = seconds(20)});
  }
  void TearDown() override {
    release_.set_value();
    collector_.reset();
  }
  void Start(const FactsOptions& options) {
    collector_ = std::make_unique<FactsCollector>(
        options,
        [this](auto skipped) {
          std::unique_ptr<FileReader> sys = std::make_unique<MapFiles>(sys_);
          if (dead_) {
            sys = std::make_unique<DeadDrive>(sys_, released_, reached_);
          }
          return FactSources{.sys = std::move(sys),
                             .proc = std::make_unique<MapFiles>(proc_),
                             .disks = DeviceFilter::Make({}, kDefaultDiskExclude).value(),
                             .interfaces = DeviceFilter::Make({}, kDefaultNetExclude).value(),
                             .filesystem =
                                 [](const Mount& mount) {
                                   return Error{ErrorCode::kNotFound, "nothing", mount.mountpoint};
                                 },
                             .skipped = std::move(skipped)};
        },
        [this](LogLevel, std::string_view text) { log_ += std::string(text) + "\n"; });
  }
  Families After(Duration time) {
    now_ += time;
    return collector_->Collect({UnixTime(now_.time_since_epoch()), now_}).value();
  }
  // Disks whose settings are shown.
  static std::size_t Disks(const Families& page) {
    const auto* family = Find(page, "disk_settings_info");
    return family == nullptr ? 0 : family->All().size();
  }

  std::shared_ptr<FileTree> sys_ = std::make_shared<FileTree>();
  std::shared_ptr<FileTree> proc_ = std::make_shared<FileTree>();
  std::promise<void> release_;
  std::shared_future<void> released_ = release_.get_future().share();
  std::atomic<bool> dead_ = false;
  // Whether somebody waits for the dead drive.
  std::shared_ptr<std::atomic<bool>> reached_ = std::make_shared<std::atomic<bool>>(false);
  std::string log_;
  std::unique_ptr<FactsCollector> collector_;
  SteadyTime now_{std::chrono::hours(1)};
};

TEST_F(Facts, AreReadOnceAMinute) {
  EXPECT_EQ(Disks(After(seconds(1))), 3U);
  sys_->files.erase("class/block/sdc/queue/scheduler");
  EXPECT_EQ(Disks(After(seconds(30))), 3U);
}

TEST_F(Facts, SettingsAreReadWithEveryFifthReadingAndTheOthersEachTime) {
  sys_->files["class/net/eth0/carrier_changes"] = "1\n";
  sys_->files["class/block/sdc/size"] = "1\n";
  EXPECT_EQ(Disks(After(seconds(1))), 3U);
  sys_->files.erase("class/block/sdc/queue/scheduler");
  // A reading ends on its thread: only a later page has it.
  const auto after_a_minute = [&](double changes) {
    sys_->files["class/net/eth0/carrier_changes"] =
        std::to_string(static_cast<int>(changes)) + "\n";
    Families page = After(minutes(1));
    for (int i = 0;
         i < 4000 && Value(page, "network_carrier_changes_total", R"(device="eth0")") != changes;
         ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      page = After({});
    }
    return page;
  };
  for (int reading = 2; reading <= 5; ++reading) {
    EXPECT_EQ(Disks(after_a_minute(reading)), 3U) << reading;
  }
  EXPECT_EQ(Disks(after_a_minute(6)), 2U);
}

TEST_F(Facts, ADeadDriveCostsItsOwnFactsOnly) {
  dead_ = true;
  Start({.first_wait = std::chrono::milliseconds(1)});
  EXPECT_EQ(Disks(After(seconds(1))), 0U) << "nobody waits for it";
  while (!*reached_) {
    std::this_thread::yield();  // the test's time limit bounds it
  }
  EXPECT_EQ(Disks(After(seconds(6))), 0U);
  EXPECT_NE(log_.find("facts: class/block/sdb/queue/scheduler does not answer"), std::string::npos)
      << log_;
  Families page;
  for (int i = 0; i < 4000 && Disks(page) == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    page = After(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(Disks(page), 2U);
  EXPECT_EQ(
      Value(page, "facts_unreadable", R"(file="class/block/sdb/queue/scheduler",reason="hangs")"),
      1);
}

TEST_F(Facts, AReloadDoesNotHangOnWhatHangs) {
  dead_ = true;
  Start({.first_wait = std::chrono::milliseconds(1)});
  (void)After(seconds(1));
  while (!*reached_) {
    std::this_thread::yield();
  }
  *reached_ = false;
  const auto before = std::move(collector_);
  Start({.first_wait = seconds(20)});
  collector_->Inherit(*before);
  EXPECT_EQ(Disks(After(seconds(1))), 2U) << "at once, without the dead drive";
  EXPECT_FALSE(*reached_);
}

TEST_F(Facts, NoPageWaitsForADeadDriveForASecond) {
  dead_ = true;
  Start({});
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) {
    (void)After(seconds(1));  // so the drive is left behind, and skipped
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(3))
      << "20 pages together; 4 s if each waited";
}

TEST_F(Facts, WhatIsTheSameIsHandedOutAgain) {
  const auto before = After(seconds(1));
  const auto after = After(seconds(1));
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].kept, after[i].kept) << "shared by both pages, not copied";
    EXPECT_NE(before[i].kept, nullptr);
  }
}

TEST_F(Facts, AFileThatFailsIsNamedAndLoggedOnce) {
  sys_->files["devices/system/edac/mc/mc0/ce_count"] = "1\n";
  sys_->errors["devices/system/edac/mc/mc0/ce_count"] = ErrorCode::kUnavailable;
  const auto page = After(seconds(1));
  EXPECT_EQ(Value(page, "facts_unreadable",
                  R"(file="devices/system/edac/mc/mc0/ce_count",reason="error")"),
            1);
  EXPECT_EQ(Disks(page), 3U);
  EXPECT_EQ(log_,
            "facts: devices/system/edac/mc/mc0/ce_count: an I/O error; look for the device in the "
            "kernel log; its fact is left out\n");
  (void)After(minutes(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  (void)After(seconds(1));
  EXPECT_EQ(log_.find("I/O error"), log_.rfind("I/O error"));
}

TEST_F(Facts, AFileThatNeedsRightsIsNamed) {
  class Refusing final : public FileReader {
   public:
    Result<std::string_view> Read(std::string_view path) override {
      return Error{ErrorCode::kPermission, "Permission denied", std::string(path)};
    }
    Result<std::string_view> ReadOnce(std::string_view path) override { return Read(path); }
    Result<std::vector<std::string>> List(std::string_view) override {
      return std::vector<std::string>();
    }
    bool Exists(std::string_view) override { return true; }
  };
  FactsCollector collector(
      {.first_wait = seconds(20)},
      [](auto skipped) {
        return FactSources{.sys = std::make_unique<Refusing>(),
                           .proc = std::make_unique<Refusing>(),
                           .disks = DeviceFilter::Make({}, kDefaultDiskExclude).value(),
                           .interfaces = DeviceFilter::Make({}, kDefaultNetExclude).value(),
                           .filesystem = {},
                           .skipped = std::move(skipped)};
      },
      [this](LogLevel, std::string_view text) { log_ += text; });
  const auto page = collector.Collect({UnixTime(), now_}).value();
  EXPECT_EQ(Value(page, "facts_unreadable", R"(file="pressure/memory",reason="permission")"), 1);
  EXPECT_NE(log_.find("pressure/memory: permission denied"), std::string::npos) << log_;
}

}  // namespace
}  // namespace limpet::facts_test
