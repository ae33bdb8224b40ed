#include "tests/simulator/cluster.h"

#include <gmock/gmock.h>

#include <vector>

namespace limpet::simulator::cluster_test {
namespace {

using ::testing::Each;
using ::testing::Gt;

struct Totals {
  Snapshot first;
  Snapshot last;
  Cluster::Account books;
  double waiting = 0;
};

Totals RunAll(const ClusterSpec& spec, const RunSpec& run) {
  Cluster cluster(spec, run);
  Totals totals;
  while (const auto* now = cluster.NextSecond()) {
    if (now->second == 1) {
      totals.first = *now;
    }
    totals.last = *now;
  }
  totals.books = cluster.Books();
  totals.waiting = cluster.Waiting();
  return totals;
}

RunSpec ShortRun(Workload workload) {
  return {.workload = workload, .seed = 3, .seconds = 60, .injections = {}, .background = false};
}

double DiskBytes(const Totals& totals) {
  double bytes = 0;
  for (std::size_t i = 0; i < totals.last.disks.size(); ++i) {
    bytes += totals.last.disks[i].read_bytes - totals.first.disks[i].read_bytes +
             totals.last.disks[i].written_bytes - totals.first.disks[i].written_bytes;
  }
  return bytes;
}

TEST(Cluster, BytesAtTheDisksAreThoseThatClientsAskedFor) {
  for (const auto workload : kWorkloads) {
    const auto totals = RunAll({.servers = 4, .clients = 3}, ShortRun(workload));
    EXPECT_GT(totals.books.answered, 1e5) << Name(workload);
    // Jobs in service at the end have been done in part.
    EXPECT_GE(DiskBytes(totals), totals.books.answered - 1) << Name(workload);
    EXPECT_LE(DiskBytes(totals), totals.books.asked + 1) << Name(workload);
    EXPECT_LE(totals.waiting, 4 * 3 * 4.2e6) << Name(workload);
  }
}

TEST(Cluster, BytesReadAreBytesSentAndBytesWrittenAreBytesReceived) {
  const auto read = RunAll({.servers = 4, .clients = 3}, ShortRun(Workload::kDdr));
  const auto write = RunAll({.servers = 4, .clients = 3}, ShortRun(Workload::kDdw));
  for (std::size_t i = 0; i < 4; ++i) {
    const double sent = read.last.interfaces[i].tx_bytes - read.first.interfaces[i].tx_bytes;
    const double from_disk = read.last.disks[i].read_bytes - read.first.disks[i].read_bytes;
    EXPECT_NEAR(sent / from_disk, 1514.0 / 1448, 0.02);  // headers
    const double received = write.last.interfaces[i].rx_bytes - write.first.interfaces[i].rx_bytes;
    const double to_disk = write.last.disks[i].written_bytes - write.first.disks[i].written_bytes;
    EXPECT_NEAR(received / to_disk, 1514.0 / 1448, 0.02);
  }
}

TEST(Cluster, TheSameSeedGivesTheSameRunAndAnotherOneDoesNot) {
  const auto reads = [](std::uint64_t seed) {
    Cluster cluster({.servers = 4, .clients = 3},
                    {.workload = Workload::kPostmark, .seed = seed, .seconds = 40});
    std::vector<double> values;
    while (const auto* now = cluster.NextSecond()) {
      values.push_back(now->disks[1].read_seconds + now->interfaces[2].rx_bytes);
    }
    return values;
  };
  EXPECT_EQ(reads(5), reads(5));
  EXPECT_NE(reads(5), reads(6));
}

TEST(Cluster, CountersNeverFall) {
  for (const auto fault : kFaults) {
    Cluster cluster({.servers = 3, .clients = 2},
                    {.workload = Workload::kIozonew,
                     .seconds = 60,
                     .injections = {Injection{
                         .fault = fault, .server = 1, .start = Seconds(20), .end = Seconds(40)}}});
    Snapshot before;
    while (const auto* now = cluster.NextSecond()) {
      for (std::size_t i = 0; i < before.disks.size(); ++i) {
        EXPECT_GE(now->disks[i].reads, before.disks[i].reads);
        EXPECT_GE(now->disks[i].write_seconds, before.disks[i].write_seconds);
        EXPECT_GE(now->disks[i].busy_seconds, before.disks[i].busy_seconds);
        EXPECT_GE(now->disks[i].weighted_seconds, before.disks[i].weighted_seconds);
        EXPECT_LE(now->disks[i].busy_seconds, before.disks[i].busy_seconds + 1 + 1e-6);
        EXPECT_GE(now->interfaces[i].rx_bytes, before.interfaces[i].rx_bytes);
        EXPECT_GE(now->interfaces[i].tx_packets, before.interfaces[i].tx_packets);
      }
      for (std::size_t i = 0; i < before.up.size(); ++i) {
        EXPECT_GE(now->up[i].acked, before.up[i].acked);
        EXPECT_GE(now->up[i].cwnd, 1);
      }
      before = *now;
    }
  }
}

// The loop is closed: one server's fault slows the work of all down (000, observation 2).
TEST(Cluster, AFaultyDiskTakesTheThroughputOfAllServersDown) {
  auto run = ShortRun(Workload::kDdr);
  const auto healthy = RunAll({.servers = 4, .clients = 3}, run);
  run.injections = {
      {.fault = Fault::kDiskBusy, .server = 2, .start = Seconds(0), .end = Seconds(60)}};
  const auto faulty = RunAll({.servers = 4, .clients = 3}, run);
  const auto read = [](const Totals& totals, std::size_t server) {
    return totals.last.disks[server].read_bytes - totals.first.disks[server].read_bytes;
  };
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LT(read(faulty, i), 0.5 * read(healthy, i));
    EXPECT_NEAR(read(faulty, i) / read(faulty, 2), 1, 0.05);
  }
}

TEST(Cluster, RequestsQueueAtTheSlowestDisk) {
  const auto totals =
      RunAll({.servers = 6, .clients = 6, .disk_spread = 0, .slow_disk = 4, .slow_factor = 1.02},
             {.workload = Workload::kDdr, .seconds = 200, .background = false});
  std::vector<double> queues;
  for (std::size_t i = 0; i < 6; ++i) {
    queues.push_back(totals.last.disks[i].weighted_seconds -
                     totals.first.disks[i].weighted_seconds);
  }
  const double slow = queues[4];
  queues.erase(queues.begin() + 4);
  EXPECT_THAT(queues, Each(::testing::Lt(0.75 * slow)));
}

TEST(Cluster, ADiskHogShowsInItsOwnThroughputAlone) {
  const auto totals =
      RunAll({.servers = 4, .clients = 3},
             {.workload = Workload::kDdw,
              .seconds = 60,
              .injections = {Injection{.server = 1, .start = Seconds(0), .end = Seconds(60)}},
              .background = false});
  EXPECT_GT(totals.last.disks[1].read_bytes - totals.first.disks[1].read_bytes, 1e9);
  for (const std::size_t i : {0U, 2U, 3U}) {
    EXPECT_EQ(totals.last.disks[i].read_bytes, totals.first.disks[i].read_bytes);
  }
}

TEST(Cluster, LossTakesTheSendersWindowTowardsThatServerDown) {
  const auto totals = RunAll({.servers = 4, .clients = 3},
                             {.workload = Workload::kDdw,
                              .seconds = 60,
                              .injections = {Injection{.fault = Fault::kReceivePktloss,
                                                       .server = 3,
                                                       .start = Seconds(0),
                                                       .end = Seconds(60)}}});
  for (std::size_t client = 0; client < 3; ++client) {
    EXPECT_LT(totals.last.up[client * 4 + 3].cwnd, 12);
    EXPECT_GT(totals.last.up[client * 4 + 0].cwnd, 12);
  }
}

TEST(Cluster, EveryWorkloadAndSizeGetsWorkDone) {
  for (const auto workload : kWorkloads) {
    const auto totals = RunAll({.servers = 20, .clients = 10}, ShortRun(workload));
    EXPECT_GT(totals.books.steps, 100U) << Name(workload);
    std::vector<double> busy;
    for (const auto& disk : totals.last.disks) {
      busy.push_back(disk.busy_seconds);
    }
    EXPECT_THAT(busy, Each(Gt(1)));
  }
}

}  // namespace
}  // namespace limpet::simulator::cluster_test
