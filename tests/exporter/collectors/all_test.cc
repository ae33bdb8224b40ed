#include "exporter/collectors/all.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/families.h"

namespace limpet::all_test {
namespace {

using testing::Find;
using testing::Value;

const LogSink kSilent = [](LogLevel, std::string_view) {};

// What the text below `collectors:` switches on.
std::vector<ChosenCollector> Choose(const std::string& settings) {
  const auto tree = yaml::Parse(settings, "exporter.yml").value();
  yaml::Problems problems;
  auto chosen = ReadCollectors(yaml::MapReader(&tree, "collectors", problems));
  EXPECT_TRUE(problems.empty()) << problems.Joined();
  return chosen;
}

constexpr auto kNotTheRealProc = "self: {enabled: false}";

// Those that are off by default, too.
constexpr auto kAll = "{block: {enabled: true}, syscall: {enabled: true, servers: [x]}}";

// Captured on a machine of ours: tests/fixtures/README.md.
std::vector<std::unique_ptr<Collector>> Make(const std::string& kernel,
                                             const std::string& settings = kNotTheRealProc) {
  CollectorInputs inputs;
  inputs.procfs = "tests/fixtures/" + kernel + "/proc";
  inputs.sysfs = "tests/fixtures/" + kernel + "/sys";
  inputs.log = kSilent;
  return MakeCollectors(Choose(settings), inputs).value();
}

// One page of all collectors that can read something there.
Families Page(const std::string& kernel) {
  Families page;
  for (const auto& collector : Make(kernel)) {
    if (auto families = collector->Collect({})) {
      std::move(families->begin(), families->end(), std::back_inserter(page));
    }
  }
  return page;
}

TEST(AllCollectors, ShowOnlyWhatTheirModuleNames) {
  std::set<std::string_view> names;
  const auto chosen = Choose(kAll);
  const auto collectors = Make("6.18", kAll);
  ASSERT_EQ(collectors.size(), AllCollectors().size());
  for (std::size_t i = 0; i < collectors.size(); ++i) {
    const auto& module = *chosen[i].module;
    EXPECT_EQ(collectors[i]->Name(), module.name);
    const auto families = collectors[i]->Collect({});
    ASSERT_TRUE(families) << module.name;
    for (const auto& family : *families) {
      EXPECT_TRUE(names.insert(family.info->name).second) << family.info->name;
      EXPECT_FALSE(family.All().empty()) << family.info->name;
      EXPECT_NE(std::find(module.metrics.begin(), module.metrics.end(), family.info),
                module.metrics.end())
          << family.info->name << " is in no row of " << module.name;
    }
  }
}

TEST(AllCollectors, ReadACapturedMachine) {
  const auto page = Page("6.18");
  EXPECT_EQ(Value(page, "disk_reads_completed_total", R"(device="vda")"), 166713);
  EXPECT_EQ(Find(page, "disk_reads_completed_total")->samples.size(), 2U) << "vda and zram0";
  EXPECT_EQ(Value(page, "disk_info",
                  R"(device="vda",wwn="",serial="overlayblk",model="",rotational="1",)"
                  R"(size="",mountpoint="/",fstype="ext4")"),
            1);
  EXPECT_EQ(Value(page, "network_receive_bytes_total", R"(device="eth0")"), 345247450);
  EXPECT_EQ(Find(page, "netstat_tcp_retrans_segs_total")->samples.size(), 1U);
  EXPECT_EQ(Find(page, "cpu_seconds_total")->samples.size(), 8U);
}

TEST(AllCollectors, ReadAnOldKernel) {
  const auto page = Page("4.9");
  EXPECT_EQ(Find(page, "disk_io_now")->samples.size(), 3U) << "sda, cciss/c0d0, dm-0";
  EXPECT_EQ(Value(page, "disk_io_now", R"(device="dm-0")"), 0);
  EXPECT_EQ(Value(page, "disk_write_time_seconds_total", R"(device="sda")"), 4294966.123);
  EXPECT_EQ(Value(page, "disk_info",
                  R"(device="sda",wwn="0x600508b1001c7e9a",serial="ZC19AB",)"
                  R"(model="ST4000NM0035-1V4",rotational="1",size="",mountpoint="",fstype="")"),
            1);
  EXPECT_EQ(Value(page, "disk_info",
                  R"(device="cciss/c0d0",wwn="",serial="",model="LOGICAL VOLUME",rotational="",)"
                  R"(size="",mountpoint="",fstype="")"),
            1);
  EXPECT_EQ(Value(page, "network_receive_bytes_total", R"(device="eth0:1")"), 100);
}

TEST(AllCollectors, ReadTheDiscardsOf418) {
  const auto page = Page("4.19");
  EXPECT_EQ(Find(page, "disk_io_now")->samples.size(), 1U) << "without the partition";
  EXPECT_EQ(Value(page, "disk_discard_time_seconds_total", R"(device="nvme0n1")"), 0.077);
  EXPECT_EQ(Find(page, "disk_flush_requests_total"), nullptr);
}

TEST(AllCollectors, CanBeSwitchedOffOneByOne) {
  for (const auto* off : AllCollectors()) {
    const auto chosen = Choose(std::string(off->name) + ": {enabled: false}");
    EXPECT_EQ(chosen.size(), Choose("").size() - (off->enabled_by_default ? 1 : 0)) << off->name;
    for (const auto& other : chosen) {
      EXPECT_NE(other.module, off);
    }
  }
}

TEST(AllCollectors, WhoCannotBeMadeIsNamed) {
  const CollectorModule broken{.name = "net", .title = "", .metrics = {}, .configure = nullptr};
  const auto made =
      MakeCollectors({{&broken,
                       [](const CollectorInputs&) -> Result<std::unique_ptr<Collector>> {
                         return Error{ErrorCode::kInvalid, "no pattern", "exclude"};
                       }}},
                     {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().where, "net.exclude");
}

}  // namespace
}  // namespace limpet::all_test
