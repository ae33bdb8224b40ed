#include "exporter/collectors/cgroup.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/support/families.h"
#include "tests/support/map_files.h"

namespace limpet::cgroup_test {
namespace {

using std::chrono::seconds;
using testing::FileTree;
using testing::MapFiles;
using testing::Value;

std::unique_ptr<MapFiles> Proc() {
  auto tree = std::make_shared<FileTree>();
  tree->files["diskstats"] =
      "8 0 sda 9 0 8 7 6 0 5 4 0 3 2\n8 16 sdb 5 0 4 3 2 0 1 9 0 8 7\n8 17 sdb1 5 0 4 3 2 0 1 9 0 "
      "8 7\n";
  return std::make_unique<MapFiles>(std::move(tree));
}

TEST(Cgroup, ShowsWhoReadsAndWritesUnderTheNameOfTheDisk) {
  const auto tree = std::make_shared<FileTree>();
  auto& files = tree->files;
  files["fs/cgroup/cgroup.controllers"] = "io\n";
  files["fs/cgroup/backup.service/io.stat"] = "8:16 rbytes=0 wbytes=0\n";
  files["fs/cgroup/cron.service/io.stat"] = "";
  CgroupCollector collector({}, std::make_unique<MapFiles>(tree), Proc());
  SteadyTime now{std::chrono::hours(1)};
  (void)collector.Collect({UnixTime(), now});
  files["fs/cgroup/backup.service/io.stat"] = "8:16 rbytes=120000000 wbytes=10\n";
  // The first walk has no rates, so the second one comes soon.
  const auto page = collector.Collect({UnixTime(), now + seconds(10)}).value();
  const auto* labels = R"(cgroup="/backup.service",device="sdb")";
  EXPECT_EQ(Value(page, "cgroup_disk_read_bytes_per_second", labels), 12e6);
  EXPECT_EQ(Value(page, "cgroup_disk_written_bytes_per_second", labels), 1);
  EXPECT_EQ(Value(page, "cgroups", R"(state="shown")"), 1);
  EXPECT_EQ(Value(page, "cgroups", R"(state="rest")"), 1);
}

// The files of a dead disk never answer: MapFiles would wait for ever.
TEST(Cgroup, ADiskWhoseFilesHangCostsNoGroup) {
  const auto tree = std::make_shared<FileTree>();
  auto& files = tree->files;
  files["fs/cgroup/cgroup.controllers"] = "io\n";
  for (const auto* file : {"dev/block/8:16/uevent", "class/block/sdb/uevent"}) {
    files[file] = "DEVNAME=sdb\n";
    tree->hangs.insert(file);
  }
  CgroupCollector collector({}, std::make_unique<MapFiles>(tree), Proc());
  SteadyTime now{std::chrono::hours(1)};
  for (const auto* bytes : {"0", "120000000"}) {
    files["fs/cgroup/a/io.stat"] =
        fmt::format("8:0 rbytes={0} wbytes=0\n8:16 rbytes={0} wbytes=0\n9:1 rbytes={0}\n", bytes);
    now += seconds(10);
    (void)collector.Collect({UnixTime(), now});
  }
  const auto page = collector.Collect({UnixTime(), now + seconds(1)}).value();
  for (const auto* device : {"sda", "sdb", "9:1"}) {  // the last is of no line of diskstats
    EXPECT_EQ(Value(page, "cgroup_disk_read_bytes_per_second",
                    fmt::format(R"(cgroup="/a",device="{}")", device)),
              12e6);
  }
}

TEST(Cgroup, WhatTheKernelDoesNotCountIsNoSuccessOrALine) {
  const auto tree = std::make_shared<FileTree>();
  tree->files["fs/cgroup/blkio/system.slice/cgroup.procs"] = "";
  std::string log;
  const auto note = [&](LogLevel, std::string_view text) { log += std::string(text) + "\n"; };
  CgroupCollector old({}, std::make_unique<MapFiles>(tree), Proc(), nullptr, note);
  SteadyTime now{std::chrono::hours(1)};
  EXPECT_FALSE(old.Collect({UnixTime(), now}));
  EXPECT_FALSE(old.Collect({UnixTime(), now + std::chrono::minutes(10)}));
  EXPECT_EQ(log,
            "cgroup: /sys/fs/cgroup/blkio: expected blkio.throttle.io_service_bytes; this kernel "
            "does not count what control groups read and write\n");
  log.clear();
  tree->files = {{"fs/cgroup/cgroup.controllers", "memory\n"},
                 {"fs/cgroup/system.slice/cgroup.procs", ""}};
  CgroupCollector off({}, std::make_unique<MapFiles>(tree), Proc(), nullptr, note);
  const auto page = off.Collect({UnixTime(), now}).value();
  EXPECT_EQ(Value(page, "cgroups", R"(state="uncounted")"), 1);
  EXPECT_NE(log.find("expected the controller io"), std::string::npos) << log;
}

TEST(Cgroup, AMachineWithoutControlGroupsShowsNothing) {
  CgroupCollector collector({}, std::make_unique<MapFiles>(std::make_shared<FileTree>()), Proc());
  EXPECT_TRUE(collector.Collect({}).value().empty());
}

}  // namespace
}  // namespace limpet::cgroup_test
