#include "exporter/collectors/host.h"

#include <gtest/gtest.h>

#include "tests/support/families.h"
#include "tests/support/map_files.h"

namespace limpet {
namespace {

using testing::FileTree;
using testing::MapFiles;
using testing::Value;

std::shared_ptr<FileTree> Proc() {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"stat",
                  "cpu  500 100 250 4000 50 1 2 3 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 77 1 2\n"
                  "ctxt 88\nbtime 1700000000\nprocesses 99\nprocs_running 4\nprocs_blocked 2\n"},
                 {"loadavg", "0.20 0.18 0.12 3/80 11206\n"},
                 {"vmstat",
                  "nr_free_pages 1\npgpgin 11\npgpgout 12\npswpin 13\npswpout 14\n"
                  "pgfault 15\npgmajfault 16\noom_kill 17\n"},
                 {"meminfo", "MemTotal:  1000 kB\nMemFree: 5 kB\nMemAvailable:   600 kB\n"}};
  return tree;
}

TEST(Host, ShowsGaneshasMetrics) {
  HostCollector host(std::make_unique<MapFiles>(Proc()), 250);
  const auto page = host.Collect({}).value();
  EXPECT_EQ(Value(page, "cpu_seconds_total", R"(mode="user")"), 2);
  EXPECT_EQ(Value(page, "cpu_seconds_total", R"(mode="system")"), 1);
  EXPECT_EQ(Value(page, "cpu_seconds_total", R"(mode="iowait")"), 0.2);
  EXPECT_EQ(Value(page, "context_switches_total"), 88);
  EXPECT_EQ(Value(page, "procs_running"), 4);
  EXPECT_EQ(Value(page, "processes_threads"), 80);
  EXPECT_EQ(Value(page, "load1"), 0.20);
  EXPECT_EQ(Value(page, "vmstat_pgpgin_total"), 11);
  EXPECT_EQ(Value(page, "vmstat_pgpgout_total"), 12);
  EXPECT_EQ(Value(page, "vmstat_pgfault_total"), 15);
}

TEST(Host, ShowsTheRestUnderNodeExportersNames) {
  HostCollector host(std::make_unique<MapFiles>(Proc()), 100);
  const auto page = host.Collect({}).value();
  EXPECT_EQ(Value(page, "cpu_seconds_total", R"(mode="steal")"), 0.03);
  EXPECT_EQ(Value(page, "intr_total"), 77);
  EXPECT_EQ(Value(page, "forks_total"), 99);
  EXPECT_EQ(Value(page, "boot_time_seconds"), 1700000000);
  EXPECT_EQ(Value(page, "procs_blocked"), 2);
  EXPECT_EQ(Value(page, "load5"), 0.18);
  EXPECT_EQ(Value(page, "load15"), 0.12);
  EXPECT_EQ(Value(page, "vmstat_pswpin_total"), 13);
  EXPECT_EQ(Value(page, "vmstat_oom_kill_total"), 17);
  EXPECT_EQ(Value(page, "memory_total_bytes"), 1000 * 1024);
  EXPECT_EQ(Value(page, "memory_available_bytes"), 600 * 1024);
}

TEST(Host, WithoutItsProcessorsIsNoSuccess) {
  const auto tree = Proc();
  tree->errors["stat"] = ErrorCode::kUnavailable;
  HostCollector host(std::make_unique<MapFiles>(tree), 100);
  EXPECT_FALSE(host.Collect({}));
  tree->errors.clear();
  EXPECT_TRUE(host.Collect({}));
}

TEST(Host, LeavesOutWhatItCannotRead) {
  const auto tree = Proc();
  tree->files.erase("stat");
  tree->files["loadavg"] = "garbage\n";
  HostCollector host(std::make_unique<MapFiles>(tree), 100);
  const auto page = host.Collect({}).value();
  EXPECT_EQ(page.size(), 9U) << "vmstat and meminfo";
}

TEST(Host, NothingAtAllIsAnError) {
  const auto tree = std::make_shared<FileTree>();
  HostCollector host(std::make_unique<MapFiles>(tree), 100);
  EXPECT_EQ(host.Collect({}).error().code, ErrorCode::kNotFound);
  tree->files = {{"stat", ""}, {"loadavg", "\xff"}, {"vmstat", ""}, {"meminfo", ""}};
  EXPECT_EQ(host.Collect({}).error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace limpet
