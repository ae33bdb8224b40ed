#include "exporter/record/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "exporter/catalog.h"
#include "exporter/collectors/catalog/disk.h"
#include "exporter/collectors/catalog/facts.h"
#include "exporter/collectors/catalog/host.h"
#include "exporter/collectors/catalog/self.h"
#include "exporter/collectors/catalog/tcp.h"
#include "exporter/collectors/cgroup.h"
#include "exporter/collectors/disk_errors.h"
#include "exporter/common/exposition/writer.h"

namespace limpet::selection_test {
namespace {

std::string Shown(const Families& families) {
  return Render(families, Format::kText, {.prefix = "", .describe = false});
}

Families Everything(bool per_socket) {
  const auto peer = MakeLabels({{"peer", "10.0.0.2"}});
  Families all = {
      {&catalog::kDiskReadsCompleted, {{MakeLabels({{"device", "sda"}}), 1}}},
      {&catalog::kDiskAwait, {{MakeLabels({{"device", "sda"}}), 2}}},
      {&catalog::kCpuSeconds,
       {{MakeLabels({{"mode", "user"}}), 3}, {MakeLabels({{"mode", "idle"}}), 4}}},
      {&catalog::kTcpPeerCwnd, {{peer, 5}}},
      {&catalog::kTcpCwnd, {}},
  };
  if (per_socket) {
    all.back().samples.push_back({MakeLabels({{"remote_port", "1017"}}), 6});
  }
  return all;
}

TEST(Selection, TakesTheCountersThatADiagnosisIsMadeFrom) {
  EXPECT_EQ(Shown(Selection({}).Pick(Everything(false), {})),
            "disk_reads_completed_total{device=\"sda\"} 1\n"
            "cpu_seconds_total{mode=\"user\"} 3\n"
            "tcp_peer_cwnd_segments{peer=\"10.0.0.2\"} 5\n");
}

TEST(Selection, LeavesSumsOverPeersOutWhereEachConnectionIsThere) {
  EXPECT_EQ(Shown(Selection({}).Pick(Everything(true), {})),
            "disk_reads_completed_total{device=\"sda\"} 1\n"
            "cpu_seconds_total{mode=\"user\"} 3\n"
            "tcp_cwnd_segments{remote_port=\"1017\"} 6\n");
}

TEST(Selection, TakesWholeFamiliesThatAreNamed) {
  EXPECT_EQ(
      Shown(Selection({"cpu_seconds_total", "disk_await_seconds"}).Pick(Everything(true), {})),
      "disk_await_seconds{device=\"sda\"} 2\n"
      "cpu_seconds_total{mode=\"user\"} 3\n"
      "cpu_seconds_total{mode=\"idle\"} 4\n");
}

TEST(Selection, TakesWhatDoesNotChangeOnceAFile) {
  const Families all = {
      {&catalog::kDiskInfo, {{MakeLabels({{"device", "sda"}, {"rotational", "0"}}), 1}}},
      {&catalog::kExporterStartTime, {{nullptr, 1700000000.5}}}};
  EXPECT_EQ(Shown(Selection({}).Pick(all, {.begins_file = true})),
            "disk_info{device=\"sda\",rotational=\"0\"} 1\n"
            "exporter_start_time_seconds 1700000000.5\n");
  EXPECT_EQ(Shown(Selection({}).Pick(all, {})), "");
  EXPECT_EQ(Shown(Selection({"load1"}).Pick(all, {.begins_file = true})), "");
}

TEST(Selection, TakesFactsInTheirTurn) {
  const auto device = MakeLabels({{"device", "sda"}});
  const Families all = {{&catalog::kDiskErrors, {{device, 3}}},
                        {&catalog::kDiskReadsCompleted, {{device, 1}}},
                        Keep({{&catalog::kMdDegraded, {{device, 2}}}}).front()};
  EXPECT_EQ(Shown(Selection({}).Pick(all, {.facts = true})),
            "disk_errors_total{device=\"sda\"} 3\n"
            "disk_reads_completed_total{device=\"sda\"} 1\n"
            "md_degraded_disks{device=\"sda\"} 2\n");
  EXPECT_EQ(Shown(Selection({}).Pick(all, {})), "disk_reads_completed_total{device=\"sda\"} 1\n");
  EXPECT_EQ(Shown(Selection({"md_degraded_disks"}).Pick(all, {})),
            "md_degraded_disks{device=\"sda\"} 2\n");
}

TEST(Selection, TakesBusyControlGroupsWithTheFacts) {
  const auto scrub =
      MakeLabels({{"cgroup", "/system.slice/ceph-osd@1.service"}, {"device", "sda"}});
  const auto cron = MakeLabels({{"cgroup", "/system.slice/cron.service"}, {"device", "sda"}});
  const Families all = {{&catalog::kCgroupReadBytes, {{scrub, 3e6}, {cron, 2e4}}},
                        {&catalog::kCgroups, {{MakeLabels({{"state", "shown"}}), 2}}}};
  EXPECT_EQ(Shown(Selection({}).Pick(all, {.facts = true})),
            "cgroup_disk_read_bytes_per_second{cgroup=\"/system.slice/ceph-osd@1.service\","
            "device=\"sda\"} 3000000\n");
  EXPECT_EQ(Shown(Selection({}).Pick(all, {})), "");
}

TEST(Selection, NamesOnlyMetricsOfTheCatalogue) {
  for (const auto name : RecordedByDefault()) {
    const auto all = AllMetrics();
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const MetricInfo* info) {
      return info->name == name;
    })) << name;
  }
}

}  // namespace
}  // namespace limpet::selection_test
