#include "exporter/collectors/host.h"

#include <gtest/gtest.h>

#include "tests/support/families.h"
#include "tests/support/map_files.h"

namespace limpet::host_test {
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

TEST(Host, LeavesOutWhatItCannotRead) {
  const auto tree = Proc();
  tree->files.erase("stat");
  tree->files["loadavg"] = "garbage\n";
  HostCollector host(std::make_unique<MapFiles>(tree), 100);
  const auto page = host.Collect({}).value();
  EXPECT_EQ(page.size(), 9U) << "vmstat and meminfo";
}

// node_exporter#1686, #1853: the kernel's iowait falls by 0.1 s.
TEST(Host, ProcessorTimeNeverFalls) {
  const auto tree = Proc();
  constexpr auto kIoWait = R"(mode="iowait")";
  auto host = std::make_unique<HostCollector>(std::make_unique<MapFiles>(tree), 100);
  const auto iowait = [&](const std::string& ticks) {
    tree->files["stat"] = "cpu  500 100 250 4000 " + ticks + " 1 2 3 0 0\n";
    return Value(host->Collect({}).value(), "cpu_seconds_total", kIoWait);
  };
  EXPECT_EQ(iowait("20050"), 200.5);
  EXPECT_EQ(iowait("20040"), 200.5);
  auto next = std::make_unique<HostCollector>(std::make_unique<MapFiles>(tree), 100);
  next->Inherit(*host);
  host = std::move(next);
  EXPECT_EQ(iowait("20045"), 200.5) << "nor by a reload";
  EXPECT_EQ(iowait("20060"), 200.6);
}

TEST(Host, IsIncompleteWithoutItsProcessors) {
  const auto tree = Proc();
  HostCollector host(std::make_unique<MapFiles>(tree), 100);
  ASSERT_TRUE(host.Collect({}));
  EXPECT_FALSE(host.Incomplete());
  tree->files.erase("loadavg");
  ASSERT_TRUE(host.Collect({}));
  EXPECT_FALSE(host.Incomplete()) << "there is none";
  tree->errors["stat"] = ErrorCode::kUnavailable;
  EXPECT_EQ(Value(host.Collect({}).value(), "memory_total_bytes"), 1000 * 1024);
  EXPECT_EQ(host.Incomplete().value().Text(), "stat: Input/output error");
  tree->errors.clear();
  tree->files["stat"] = "intr 77 1 2\n";
  ASSERT_TRUE(host.Collect({}));
  EXPECT_EQ(host.Incomplete().value().where, "stat");
  tree->files["stat"] = Proc()->files["stat"];
  tree->errors["vmstat"] = ErrorCode::kUnavailable;
  ASSERT_TRUE(host.Collect({}));
  EXPECT_EQ(host.Incomplete().value().where, "vmstat");
}

TEST(Host, NothingAtAllIsAnError) {
  const auto tree = std::make_shared<FileTree>();
  HostCollector host(std::make_unique<MapFiles>(tree), 100);
  EXPECT_EQ(host.Collect({}).error().code, ErrorCode::kNotFound);
  tree->files = {{"stat", ""}, {"loadavg", "\xff"}, {"vmstat", ""}, {"meminfo", ""}};
  EXPECT_EQ(host.Collect({}).error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace limpet::host_test
