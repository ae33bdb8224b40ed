// Real sockets on loopback, really dumped. Machines without inet_diag skip these.
#include "exporter/io/netlink.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "tests/support/loopback_sockets.h"

namespace limpet::netlink_test {
namespace {

using testing::LoopbackSockets;

bool HasDiag() {
  DiagSocket diag({.ports = {{1, 1}}});
  const auto dump = diag.Dump();
  return dump.has_value() || dump.error().code == ErrorCode::kTimeout;
}

std::ptrdiff_t CountState(const TcpSockets& sockets, std::uint8_t state) {
  return std::count_if(sockets.sockets.begin(), sockets.sockets.end(),
                       [state](const TcpSocket& s) { return s.state == state; });
}

TEST(DiagSocket, SeesBothEndsOfHundredsOfConnectionsAndTheirListener) {
  if (!HasDiag()) {
    GTEST_SKIP() << "the kernel has no inet_diag here";
  }
  const LoopbackSockets loopback(AF_INET, 300);
  ASSERT_TRUE(loopback.Good());
  DiagSocket diag({.ports = {{loopback.Port(), loopback.Port()}}, .with_congestion = true});
  const auto dump = diag.Dump();
  ASSERT_TRUE(dump) << dump.error().Text();
  EXPECT_EQ(CountState(**dump, kTcpEstablished), 600);
  EXPECT_EQ(CountState(**dump, kTcpListen), 1);
  for (const auto& socket : (*dump)->sockets) {
    EXPECT_TRUE(socket.local_port == loopback.Port() || socket.remote_port == loopback.Port());
    if (socket.state == kTcpEstablished) {
      EXPECT_TRUE(socket.local.IsLoopback());
      EXPECT_GT(socket.cwnd.value_or(0), 0U);
      EXPECT_TRUE(socket.details);
      EXPECT_FALSE(socket.Congestion().empty());
      EXPECT_NE(socket.id, 0U);
    }
  }
}

TEST(DiagSocket, BringsBothFamiliesInOneDump) {
  const LoopbackSockets four(AF_INET, 3);
  const LoopbackSockets six(AF_INET6, 4);
  if (!HasDiag() || !six.Good()) {
    GTEST_SKIP() << "no inet_diag or no IPv6 here";
  }
  auto ports =
      Normalise(std::vector<PortRange>{{four.Port(), four.Port()}, {six.Port(), six.Port()}});
  DiagSocket diag({.ports = ports});
  const auto dump = diag.Dump();
  ASSERT_TRUE(dump) << dump.error().Text();
  EXPECT_EQ(CountState(**dump, kTcpEstablished), 14);
  EXPECT_EQ(CountState(**dump, kTcpListen), 2);
}

TEST(DiagSocket, BytesAckedFollowWhatIsSentAndTheIdStays) {
  if (!HasDiag()) {
    GTEST_SKIP() << "the kernel has no inet_diag here";
  }
  const LoopbackSockets loopback(AF_INET, 1);
  ASSERT_TRUE(loopback.Good());
  DiagSocket diag({.ports = {{loopback.Port(), loopback.Port()}}});
  const auto client = [&]() -> TcpSocket {
    const auto dump = diag.Dump();
    for (const auto& socket : (*dump)->sockets) {
      if (socket.remote_port == loopback.Port()) {
        return socket;
      }
    }
    return {};
  };
  const auto before = client();
  const std::vector<char> data(10'000);
  ASSERT_EQ(::send(loopback.Client(0), data.data(), data.size(), 0), 10'000);
  std::vector<char> received(10'000);
  ASSERT_EQ(::recv(loopback.Server(0), received.data(), received.size(), MSG_WAITALL), 10'000);
  auto after = client();
  // The last acknowledgement may be a moment behind the data.
  for (int i = 0; i < 10'000 && after.details->bytes_acked < 10'000; ++i) {
    after = client();
  }
  EXPECT_EQ(before.id, after.id);
  EXPECT_GE(after.details->bytes_acked - before.details->bytes_acked, 10'000U);
}

TEST(DiagSocket, KeepsAtMostMaxSockets) {
  if (!HasDiag()) {
    GTEST_SKIP() << "the kernel has no inet_diag here";
  }
  const LoopbackSockets loopback(AF_INET, 20);
  ASSERT_TRUE(loopback.Good());
  DiagSocket diag({.ports = {{loopback.Port(), loopback.Port()}}, .max_sockets = 10});
  const auto dump = diag.Dump();
  ASSERT_TRUE(dump);
  EXPECT_EQ((*dump)->sockets.size(), 10U);
  EXPECT_EQ((*dump)->dropped, 31U);
}

TEST(DiagSocket, TheKernelTakesTheFilterOfTheDefaultPortsAndOfTheMost) {
  if (!HasDiag()) {
    GTEST_SKIP() << "the kernel has no inet_diag here";
  }
  DiagSocket usual({.ports = Normalise(kFileSystemPorts)});
  EXPECT_TRUE(usual.Dump());
  std::vector<PortRange> many;
  for (std::uint16_t i = 0; i < kMaxPortRanges; ++i) {
    const auto port = static_cast<std::uint16_t>(1'000 + 2 * i);
    many.push_back({port, port});
  }
  DiagSocket most({.ports = many});
  const auto dump = most.Dump();
  EXPECT_TRUE(dump) << dump.error().Text();
}

TEST(DiagSocket, LooksIntoAnotherNetworkNamespaceByPath) {
  if (!HasDiag() || ::geteuid() != 0) {
    GTEST_SKIP() << "needs root and inet_diag";
  }
  const LoopbackSockets loopback(AF_INET, 2);
  ASSERT_TRUE(loopback.Good());
  DiagSocket diag(
      {.ports = {{loopback.Port(), loopback.Port()}}, .network_namespace = "/proc/self/ns/net"});
  const auto dump = diag.Dump();
  if (!dump && dump.error().code == ErrorCode::kPermission) {
    GTEST_SKIP() << "setns is not allowed here";
  }
  ASSERT_TRUE(dump) << dump.error().Text();
  EXPECT_EQ(CountState(**dump, kTcpEstablished), 4);
}

TEST(DiagSocket, NamesTheNamespaceThatIsNotThere) {
  DiagSocket diag({.ports = {{1, 1}}, .network_namespace = "/run/netns/nowhere"});
  const auto dump = diag.Dump();
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().message,
            "network namespace /run/netns/nowhere: No such file or directory");
}

}  // namespace
}  // namespace limpet::netlink_test
