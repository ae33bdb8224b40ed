#include "exporter/collectors/syscall.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <string>

#include "tests/support/families.h"
#include "tests/support/kernel_arrays.h"
#include "tests/support/temp_folder.h"

namespace limpet::syscall_test {
namespace {

using std::chrono::seconds;
using testing::Find;
using testing::KernelArrays;
using testing::Value;

constexpr std::size_t kServer = 0;
constexpr std::size_t kClient = 1;

bpf::SyscallRequest TwoTargets() { return {.targets = {{"srv", 0, false}, {"cli", 0, true}}}; }

class Syscall : public ::testing::Test {
 protected:
  Syscall() : kernel_(TwoTargets()) {
    kernel_.Add<SyscallCell>("cells", 2 * 2);  // two CPUs
    kernel_.Add<ErrorCell>("errors", 2 * kOperations * kTargets);
    kernel_.Add<ThreadCall>("threads", 4);
    kernel_.Add<Peer>("peers", 2);
    kernel_.Add<SyscallTotals>("totals", 1);
    collector_ = std::make_unique<SyscallCollector>(kernel_.Programs());
  }
  SyscallCell& Cell(std::size_t cpu, std::size_t target) {
    return kernel_.At<SyscallCell>("cells", cpu * 2 + target);
  }
  ThreadCall& Thread(std::size_t index) { return kernel_.At<ThreadCall>("threads", index); }
  Peer& AddPeer() {
    auto& peer = kernel_.At<Peer>("peers", 1);
    peer.state = 2;
    peer.target = kClient;
    peer.address[2] = htonl(0xffff);
    ::inet_pton(AF_INET, "10.0.0.3", &peer.address[3]);
    peer.port = 24007;
    return peer;
  }
  Families At(int second) {
    return collector_->Collect({UnixTime(seconds(1000 + second)), SteadyTime(seconds(second))})
        .value();
  }

  KernelArrays kernel_;
  std::unique_ptr<SyscallCollector> collector_;
};

TEST_F(Syscall, AddsUpTheCpusOfEachTarget) {
  Cell(0, kServer).classes[kClassNetworkRead] = {.calls = 2, .ns = 1'500'000'000, .bytes = 10};
  Cell(1, kServer).classes[kClassNetworkRead] = {.calls = 1, .ns = 500'000'000, .bytes = 5};
  Cell(1, kClient).classes[kClassNetworkRead] = {.calls = 9, .ns = 1, .bytes = 1};
  const auto page = At(1);
  constexpr auto kLabels = R"(process="srv",process_role="server",class="nsread")";
  EXPECT_EQ(Value(page, "syscalls_total", kLabels), 3);
  EXPECT_EQ(Value(page, "syscall_seconds_total", kLabels), 2);
  EXPECT_EQ(Value(page, "syscall_bytes_total", kLabels), 15);
  EXPECT_EQ(Value(page, "syscalls_total", R"(process="cli",process_role="client",class="ncread")"),
            9);
  EXPECT_EQ(Value(page, "syscalls_total", R"(process="cli",process_role="client",class="dread")"),
            0)
      << "a counter is there before its first event, so that rates see that";
}

TEST_F(Syscall, OperationsThatNeverWereAreNoSeries) {
  EXPECT_EQ(Find(At(1), "syscall_operation_seconds"), nullptr);
  Cell(0, kServer).operations[kOperationFsync].ns = 20'000'000;
  Cell(0, kServer).operations[kOperationFsync].buckets[15] = 2;
  const auto page = At(2);
  const auto* family = Find(page, "syscall_operation_seconds");
  ASSERT_NE(family, nullptr);
  EXPECT_EQ(family->samples.back().labels->Rendered(),
            R"(process="srv",process_role="server",operation="fsync")");
  EXPECT_EQ(family->samples.back().value, 2);
}

TEST_F(Syscall, ErrorsSayWhichOfWhatOnWhat) {
  const auto at = [&](std::size_t target, std::size_t operation, std::size_t about) -> ErrorCell& {
    return kernel_.At<ErrorCell>("errors", (target * kOperations + operation) * kTargets + about);
  };
  at(kServer, kOperationOpen, kTargetStorage).counts[EMFILE] = 2;
  at(kClient, kOperationRead, kTargetNetwork).counts[kErrnoRestart] = 1;
  const auto page = At(1);
  EXPECT_EQ(
      Value(
          page, "syscall_errors_total",
          R"(process="srv",process_role="server",operation="open",class="storage",errno="EMFILE")"),
      2);
  EXPECT_EQ(
      Value(
          page, "syscall_errors_total",
          R"(process="cli",process_role="client",operation="read",class="network",errno="ERESTART")"),
      1);
}

TEST_F(Syscall, TheLongestOpenCallIsShown) {
  constexpr auto kStorage = R"(process="srv",process_role="server",class="storage")";
  EXPECT_EQ(Value(At(1), "syscall_open_seconds", kStorage), 0);
  Thread(0) = {.tid = 5, .started_ns = 10'000'000'000, .target = kServer, .about = kTargetStorage};
  Thread(1) = {.tid = 6, .started_ns = 30'000'000'000, .target = kServer, .about = kTargetStorage};
  // An fsync has a descriptor of a file; a connect has one, too, but is no storage.
  Thread(2) = {.tid = 7,
               .started_ns = 5'000'000'000,
               .target = kServer,
               .about = kTargetDescriptor,
               .operation = kOperationFsync};
  EXPECT_EQ(Value(At(40), "syscall_open_seconds", kStorage), 35);
  Thread(2).operation = kOperationAccept;
  EXPECT_EQ(Value(At(40), "syscall_open_seconds", kStorage), 30);
  Thread(0).started_ns = 0;
  EXPECT_EQ(Value(At(40), "syscall_open_seconds", kStorage), 10);
}

TEST_F(Syscall, AClientsPeersHaveTheirLastCallsFailuresAndHangs) {
  auto& peer = AddPeer();
  peer.completed_ns[kPeerWrite] = 7'500'000'000;
  peer.failures[kFailureEnd] = 1;
  Thread(0) = {.tid = 5,
               .started_ns = 8'000'000'000,
               .target = kClient,
               .peer = 2,
               .about = kTargetNetwork,
               .action = kActionRead};
  const auto page = At(39);
  const std::string peer_labels = R"(process="cli",process_role="client",peer="10.0.0.3:24007")";
  EXPECT_EQ(Value(page, "syscall_last_completed_timestamp_seconds",
                  peer_labels + R"(,operation="write")"),
            1007.5);
  EXPECT_EQ(
      Value(page, "syscall_last_completed_timestamp_seconds", peer_labels + R"(,operation="read")"),
      std::nullopt);
  EXPECT_EQ(Value(page, "syscall_peer_failures_total", peer_labels + R"(,errno="EOF")"), 1);
  EXPECT_EQ(Value(page, "syscall_open_seconds",
                  R"(process="cli",process_role="client",class="network",peer="10.0.0.3:24007")"),
            31);
}

TEST_F(Syscall, APeerThatGaveWayIsAnotherSeries) {
  auto& peer = AddPeer();
  peer.failures[kFailureEnd] = 1;
  Thread(0) = {.tid = 5,
               .started_ns = 8'000'000'000,
               .target = kClient,
               .peer = 2,
               .about = kTargetNetwork,
               .action = kActionRead};
  const std::string old =
      R"(process="cli",process_role="client",peer="10.0.0.3:24007",errno="EOF")";
  EXPECT_EQ(Value(At(39), "syscall_peer_failures_total", old), 1);
  ++peer.generation;
  peer.port = 24008;
  peer.failures[kFailureEnd] = 0;
  const auto page = At(40);
  EXPECT_EQ(Value(page, "syscall_peer_failures_total", old), std::nullopt);
  EXPECT_EQ(Value(page, "syscall_peer_failures_total",
                  R"(process="cli",process_role="client",peer="10.0.0.3:24008",errno="EOF")"),
            0);
  EXPECT_EQ(Value(page, "syscall_open_seconds",
                  R"(process="cli",process_role="client",class="network",peer="10.0.0.3:24008")"),
            std::nullopt)
      << "the call is with the one before";
}

TEST_F(Syscall, ProcessesAndDropsAreCounted) {
  auto& totals = kernel_.At<SyscallTotals>("totals", 0);
  totals.processes[kClient] = 3;
  totals.drops[kSyscallDropPeers] = 4;
  const auto page = At(1);
  EXPECT_EQ(Value(page, "syscall_processes", R"(process="cli",process_role="client")"), 3);
  EXPECT_EQ(Value(page, "syscall_dropped_total", R"(reason="peers")"), 4);
  EXPECT_EQ(Value(page, "syscall_dropped_total", R"(reason="replaced")"), 0);
}

TEST(SyscallCollector, WithoutProgramsReportsNothing) {
  SyscallCollector collector(nullptr);
  EXPECT_TRUE(collector.Collect({})->empty());
}

TEST(SyscallPeers, AreNamedByAddressAndPort) {
  Peer peer{};
  peer.port = 7000;
  ::inet_pton(AF_INET6, "fd00::1", &peer.address[0]);
  EXPECT_EQ(PeerName(peer), "[fd00::1]:7000");
}

class SyscallSettings : public ::testing::Test {
 protected:
  SyscallOptions Read(const std::string& text) {
    const auto tree = yaml::Parse(text, "x.yml").value();
    problems_.file = "x.yml";
    yaml::MapReader map(&tree, "syscall", problems_);
    return ReadSyscallOptions(map);
  }
  yaml::Problems problems_;
};

TEST_F(SyscallSettings, AreNamesCgroupsAndANamespace) {
  const testing::TempFolder folder;
  const auto options = Read("{servers: [ceph-osd], clients: [a, b], cgroups: [" + folder.Path() +
                            "], network_namespace: /proc/self/ns/net, max_threads: 128}");
  EXPECT_TRUE(problems_.empty()) << problems_.Joined();
  const auto request = MakeSyscallRequest(options);
  ASSERT_TRUE(request) << request.error().Text();
  ASSERT_EQ(request->targets.size(), 3U);
  EXPECT_FALSE(request->targets[0].is_client);
  EXPECT_TRUE(request->targets[2].is_client);
  EXPECT_EQ(request->cgroups.size(), 1U);
  EXPECT_NE(request->network_namespace, 0U);
  EXPECT_EQ(request->max_threads, 128U);
}

TEST_F(SyscallSettings, NamesTheKernelCutsAreRefused) {
  Read("{servers: [sixteen-bytes-ab]}");
  EXPECT_THAT(problems_.Joined(), ::testing::HasSubstr("1 to 15 bytes"));
}

TEST(SyscallRequest, WithoutNamesOrWithACgroupThatIsNotThereIsRefused) {
  EXPECT_EQ(MakeSyscallRequest({}).error().where, "servers");
  EXPECT_EQ(MakeSyscallRequest({.servers = {"x"}, .cgroups = {"no/such"}}).error().where,
            "cgroups");
}

}  // namespace
}  // namespace limpet::syscall_test
