// Real connections on loopback. Machines without inet_diag skip these.
#include "exporter/io/closed_connections.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "tests/support/loopback_sockets.h"

namespace limpet::closed_connections_test {
namespace {

TEST(ClosedConnections, AreToldWithWhatTheySent) {
  ClosedConnections connections("");
  std::vector<TcpSocket> closed;
  EXPECT_FALSE(connections.Read(closed)) << "nobody listened before";
  if (!connections.Read(closed)) {
    GTEST_SKIP() << "the kernel does not tell";
  }
  std::uint16_t port = 0;
  {
    const testing::LoopbackSockets loopback(AF_INET, 3);
    ASSERT_TRUE(loopback.Good());
    port = loopback.Port();
    const std::vector<char> data(10'000);
    ASSERT_EQ(::send(loopback.Server(0), data.data(), data.size(), 0), 10'000);
    std::vector<char> received(10'000);
    ASSERT_EQ(::recv(loopback.Client(0), received.data(), received.size(), MSG_WAITALL), 10'000);
  }
  // The kernel tells from a thread of its own.
  std::vector<TcpSocket> ours;
  for (int i = 0; i < 1000 && ours.size() < 3; ++i) {
    ::usleep(1000);
    EXPECT_TRUE(connections.Read(closed));
    std::copy_if(closed.begin(), closed.end(), std::back_inserter(ours), [&](const auto& socket) {
      return socket.remote_port != 0 && (socket.local_port == port || socket.remote_port == port);
    });
  }
  ASSERT_EQ(ours.size(), 3U) << "the end that resets forgets its peer and its totals";
  EXPECT_TRUE(std::ranges::any_of(ours, [&](const auto& socket) {
    return socket.local_port == port && socket.details && socket.details->bytes_acked >= 10'000;
  }));
}

TEST(ClosedConnections, AForeignNamespaceThatIsNotThereTellsNothing) {
  ClosedConnections connections("/no/such/namespace");
  std::vector<TcpSocket> closed;
  for (int i = 0; i < 12; ++i) {
    EXPECT_FALSE(connections.Read(closed));
  }
}

TEST(ClosedConnections, MoreThanTheMostIsASample) {
  ClosedConnections connections("");
  std::vector<TcpSocket> closed;
  connections.Read(closed);
  if (!connections.Read(closed)) {
    GTEST_SKIP() << "the kernel does not tell";
  }
  for (int i = 0; i < 12; ++i) {
    const testing::LoopbackSockets loopback(AF_INET, 200);
    ASSERT_TRUE(loopback.Good());
  }
  ::usleep(100'000);
  EXPECT_FALSE(connections.Read(closed));
  EXPECT_FALSE(closed.empty());
  EXPECT_LE(closed.size(), ClosedConnections::kMostClosed);
  for (int i = 0; i <= ClosedConnections::kRest; ++i) {
    EXPECT_FALSE(connections.Read(closed)) << "it rests, then listens";
  }
  EXPECT_TRUE(connections.Read(closed));
}

}  // namespace
}  // namespace limpet::closed_connections_test
