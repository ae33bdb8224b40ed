#include "exporter/collectors/cgroup_network.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "tests/support/families.h"
#include "tests/support/loopback_sockets.h"
#include "tests/support/map_files.h"

namespace limpet::cgroup_network_test {
namespace {

using std::chrono::seconds;
using testing::FileTree;
using testing::MapFiles;
using testing::Value;

TcpSocket Connection(std::uint64_t id, std::uint64_t cgroup, std::uint64_t received,
                     std::uint64_t sent) {
  TcpSocket socket;
  socket.id = id;
  socket.cgroup = cgroup;
  socket.details = TcpDetails{.bytes_acked = sent, .bytes_received = received};
  return socket;
}

TcpSockets All(std::vector<TcpSocket> sockets) { return {.sockets = std::move(sockets)}; }

TEST(CgroupTrafficSums, AddUpWhatEachConnectionHasMoved) {
  CgroupTrafficSums sums;
  const SteadyTime now{};
  EXPECT_EQ(sums.Update(All({Connection(1, 5, 900, 0), Connection(2, 6, 0, 70)}), now),
            std::nullopt);
  // One has closed, one is new since then, one went on.
  const auto traffic =
      sums.Update(All({Connection(3, 5, 400, 0), Connection(1, 5, 1000, 20)}), now + seconds(10));
  ASSERT_TRUE(traffic);
  ASSERT_EQ(traffic->size(), 1U);
  EXPECT_EQ(traffic->front().cgroup, 5U);
  EXPECT_EQ(traffic->front().received, 50);
  EXPECT_EQ(traffic->front().sent, 2);
}

TEST(CgroupTrafficSums, HaveNoRateAfterAReadingThatLackedConnections) {
  CgroupTrafficSums sums;
  auto lacking = All({Connection(1, 5, 0, 0)});
  lacking.dropped = 1;
  EXPECT_EQ(sums.Update(lacking, SteadyTime()), std::nullopt);
  EXPECT_EQ(sums.Update(All({Connection(2, 5, 1 << 30, 0)}), SteadyTime() + seconds(10)),
            std::nullopt)
      << "it may be older";
}

// Sockets that a test makes up.
struct Fleet final : TcpSource {
  explicit Fleet(std::shared_ptr<TcpSockets> shown) : sockets(std::move(shown)) {}
  Result<TcpReading> Read() override {
    return TcpReading{.sockets = sockets.get(),
                      .cost = cost,
                      .detailed = sockets->HaveDetails(),
                      .from_netlink = true};
  }
  std::shared_ptr<TcpSockets> sockets;
  Duration cost{};
};

class Network : public ::testing::Test {
 protected:
  Network() {
    files_->files["fs/cgroup/cgroup.procs"] = "";
    files_->files["fs/cgroup/backup.service/cgroup.procs"] = "";
  }
  static std::optional<CgroupFolder> Number(const std::string& path) {
    return CgroupFolder{.number = path == "fs/cgroup" ? 1U : 5U};
  }

  std::shared_ptr<FileTree> files_ = std::make_shared<FileTree>();
  MapFiles sys_{files_};
  std::shared_ptr<TcpSockets> shown_ = std::make_shared<TcpSockets>();
  Duration cost_{};
  CgroupNetwork network_{{},
                         [this] {
                           auto fleet = std::make_unique<Fleet>(shown_);
                           fleet->cost = cost_;
                           return fleet;
                         },
                         Number};
  SteadyTime now_{std::chrono::hours(1)};
};

TEST_F(Network, NamesWhoMovesMostAndCountsTheRest) {
  shown_->sockets = {Connection(1, 5, 0, 0), Connection(2, 6, 0, 0), Connection(3, 1, 0, 0)};
  EXPECT_TRUE(network_.Read(sys_, now_).empty()) << "no rate yet";
  EXPECT_FALSE(network_.IsDue(now_ + seconds(9)));
  ASSERT_TRUE(network_.IsDue(now_ + seconds(10))) << "the second reading comes soon";
  shown_->sockets = {Connection(1, 5, 240'000'000, 10), Connection(2, 6, 0, 9'000'000),
                     Connection(3, 1, 0, 90'000'000)};
  const auto page = network_.Read(sys_, now_ + seconds(10));
  const auto* unit = R"(cgroup="/backup.service")";
  EXPECT_EQ(Value(page, "cgroup_tcp_receive_bytes_per_second", unit), 24e6);
  EXPECT_EQ(Value(page, "cgroup_tcp_transmit_bytes_per_second", unit), 1);
  EXPECT_EQ(Value(page, "cgroup_tcp_groups", R"(state="shown")"), 1);
  EXPECT_EQ(Value(page, "cgroup_tcp_groups", R"(state="rest")"), 2)
      << "one is too quiet, and the root names nobody";
  EXPECT_FALSE(network_.IsDue(now_ + seconds(60)));
  EXPECT_TRUE(network_.IsDue(now_ + seconds(70)));
}

TEST_F(Network, RestsTheLongerTheMoreAReadingCosts) {
  shown_->sockets = {Connection(1, 5, 0, 0)};
  cost_ = std::chrono::milliseconds(100);
  (void)network_.Read(sys_, now_);
  EXPECT_FALSE(network_.IsDue(now_ + seconds(999)));
  EXPECT_TRUE(network_.IsDue(now_ + seconds(1000)));
}

TEST_F(Network, AKernelThatTellsNoGroupsIsAskedSeldom) {
  shown_->sockets = {Connection(1, 0, 0, 0)};
  EXPECT_TRUE(network_.Read(sys_, now_).empty());
  EXPECT_FALSE(network_.IsDue(now_ + seconds(599)));
}

TEST_F(Network, TenThousandGroupsAreBounded) {
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    shown_->sockets.push_back(Connection(i, 100 + i, 0, 0));
  }
  (void)network_.Read(sys_, now_);
  for (auto& socket : shown_->sockets) {
    socket.details->bytes_received = 1 << 30;
  }
  const auto page = network_.Read(sys_, now_ + seconds(10));
  EXPECT_EQ(Value(page, "cgroup_tcp_groups", R"(state="shown")"), 0) << "none has a folder";
  EXPECT_EQ(Value(page, "cgroup_tcp_groups", R"(state="rest")"), 10'000);
}

// The kernel's own answer: bytes over loopback are those of our own control group.
TEST(CgroupNetwork, OfRealConnections) {
  const testing::LoopbackSockets sockets(AF_INET, 1);
  ASSERT_TRUE(sockets.Good());
  const auto source = OpenNetlinkTcpSource({.ports = {}, .max_sockets = 100'000});
  CgroupTrafficSums sums;
  auto reading = source->Read();
  if (!reading) {
    GTEST_SKIP() << "no netlink here: " << reading.error().Text();
  }
  (void)sums.Update(*reading->sockets, SteadyTime());
  const std::string bytes(200'000, 'x');
  std::string taken(bytes.size(), ' ');
  ASSERT_EQ(::send(sockets.Client(0), bytes.data(), bytes.size(), 0), 200'000);
  ASSERT_EQ(::recv(sockets.Server(0), taken.data(), taken.size(), MSG_WAITALL), 200'000);
  reading = source->Read();
  ASSERT_TRUE(reading);
  const auto ours =
      std::find_if(reading->sockets->sockets.begin(), reading->sockets->sockets.end(),
                   [&](const TcpSocket& socket) { return socket.local_port == sockets.Port(); });
  ASSERT_NE(ours, reading->sockets->sockets.end());
  if (ours->cgroup == 0) {
    GTEST_SKIP() << "this kernel tells no control groups";
  }
  const auto traffic = sums.Update(*reading->sockets, SteadyTime() + seconds(1));
  ASSERT_TRUE(traffic);
  double received = 0;
  for (const auto& one : *traffic) {
    received += one.received;
  }
  EXPECT_GE(received, 200'000);
}

}  // namespace
}  // namespace limpet::cgroup_network_test
