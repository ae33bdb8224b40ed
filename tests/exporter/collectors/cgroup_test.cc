#include "exporter/collectors/cgroup.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/support/families.h"
#include "tests/support/map_files.h"

namespace limpet {
namespace {

using std::chrono::seconds;
using testing::FileTree;
using testing::MapFiles;
using testing::Value;

TEST(Cgroup, ShowsWhoReadsAndWritesUnderTheNameOfTheDisk) {
  const auto tree = std::make_shared<FileTree>();
  auto& files = tree->files;
  files["fs/cgroup/cgroup.controllers"] = "io\n";
  files["fs/cgroup/backup.service/io.stat"] = "8:16 rbytes=0 wbytes=0\n";
  files["fs/cgroup/cron.service/io.stat"] = "";
  files["dev/block/8:16/uevent"] = "MAJOR=8\nMINOR=16\nDEVNAME=sdb\nDEVTYPE=disk\n";
  CgroupCollector collector({}, std::make_unique<MapFiles>(tree));
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

TEST(Cgroup, WhatTheKernelDoesNotCountIsNoSuccessOrALine) {
  const auto tree = std::make_shared<FileTree>();
  tree->files["fs/cgroup/blkio/system.slice/cgroup.procs"] = "";
  std::string log;
  const auto note = [&](LogLevel, std::string_view text) { log += std::string(text) + "\n"; };
  CgroupCollector old({}, std::make_unique<MapFiles>(tree), nullptr, note);
  SteadyTime now{std::chrono::hours(1)};
  EXPECT_FALSE(old.Collect({UnixTime(), now}));
  EXPECT_FALSE(old.Collect({UnixTime(), now + std::chrono::minutes(10)}));
  EXPECT_EQ(log,
            "cgroup: /sys/fs/cgroup/blkio: expected blkio.throttle.io_service_bytes; this kernel "
            "does not count what control groups read and write\n");
  log.clear();
  tree->files = {{"fs/cgroup/cgroup.controllers", "memory\n"},
                 {"fs/cgroup/system.slice/cgroup.procs", ""}};
  CgroupCollector off({}, std::make_unique<MapFiles>(tree), nullptr, note);
  const auto page = off.Collect({UnixTime(), now}).value();
  EXPECT_EQ(Value(page, "cgroups", R"(state="uncounted")"), 1);
  EXPECT_NE(log.find("expected the controller io"), std::string::npos) << log;
}

TEST(Cgroup, AMachineWithoutControlGroupsShowsNothing) {
  CgroupCollector collector({}, std::make_unique<MapFiles>(std::make_shared<FileTree>()));
  EXPECT_TRUE(collector.Collect({}).value().empty());
}

}  // namespace
}  // namespace limpet
