#include "exporter/kernel/tcp_socket.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <string>

namespace limpet::tcp_socket_test {
namespace {

IpAddress V6(const std::string& text) {
  IpAddress address;
  ::inet_pton(AF_INET6, text.c_str(), address.bytes.data());
  return address;
}

TEST(IpAddress, PrintsBothFamilies) {
  const std::uint8_t four[] = {10, 0, 1, 200};
  EXPECT_EQ(IpAddress::FromV4(four).Text(), "10.0.1.200");
  EXPECT_EQ(V6("fe80::1").Text(), "fe80::1");
}

TEST(IpAddress, AMappedAddressIsTheIPv4Address) {
  const std::uint8_t four[] = {10, 0, 1, 200};
  EXPECT_EQ(V6("::ffff:10.0.1.200"), IpAddress::FromV4(four));
  EXPECT_EQ(V6("::ffff:10.0.1.200").Text(), "10.0.1.200");
}

TEST(IpAddress, KnowsTheLoopbackOfBothFamilies) {
  EXPECT_TRUE(V6("::1").IsLoopback());
  EXPECT_TRUE(V6("::ffff:127.3.2.1").IsLoopback());
  EXPECT_FALSE(V6("::2").IsLoopback());
  EXPECT_FALSE(V6("::ffff:128.0.0.1").IsLoopback());
}

TEST(TcpSockets, HaveDetailsWhenTheirConnectionsDo) {
  TcpSockets sockets;
  EXPECT_TRUE(sockets.HaveDetails());
  sockets.sockets.push_back({.state = kTcpListen});
  EXPECT_TRUE(sockets.HaveDetails());
  sockets.sockets.push_back({.state = kTcpEstablished, .cwnd = 7});
  EXPECT_FALSE(sockets.HaveDetails());
  sockets.sockets.back().details = TcpDetails{};
  EXPECT_TRUE(sockets.HaveDetails());
}

}  // namespace
}  // namespace limpet::tcp_socket_test
