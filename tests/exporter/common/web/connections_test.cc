#include "exporter/common/web/connections.h"

#include <gtest/gtest.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <vector>

#include "tests/exporter/common/web/client.h"

namespace limpet::web::connections_test {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::tcp;
using limpet::testing::Client;

TEST(ClientKey, IsTheAddressAndOfIpv6TheNetwork) {
  const auto key = [](const char* text) { return MakeClientKey(make_address(text)); };
  EXPECT_EQ(key("192.0.2.1"), key("::ffff:192.0.2.1"));
  EXPECT_NE(key("192.0.2.1"), key("192.0.2.2"));
  EXPECT_EQ(key("2001:db8::1"), key("2001:db8::ffff:1"));
  EXPECT_NE(key("2001:db8::1"), key("2001:db8:0:1::1"));
}

// The loop runs only when a test says so.
class ConnectionsTest : public ::testing::Test {
 protected:
  // A client and its connection.
  Client Come() {
    Client client(acceptor_.local_endpoint().port());
    Socket socket(connections_.context);
    acceptor_.accept(socket);
    connections_.Admit(std::move(socket));
    return client;
  }
  void Run() {
    connections_.context.restart();
    while (connections_.context.poll_one() > 0) {
    }
  }

  int requests_ = 0;
  Connections connections_{[this](const Request&) {
                             ++requests_;
                             return Text(200, "page\n");
                           },
                           Limits(), [](LogLevel, std::string_view) {}};
  tcp::acceptor acceptor_{connections_.context, tcp::endpoint(make_address("127.0.0.1"), 0)};
};

TEST_F(ConnectionsTest, NoMoreOfThemThanThereAreDescriptors) {
  connections_.SetBound(2);
  const auto first = Come();
  const auto second = Come();
  const auto third = Come();
  Run();
  EXPECT_FALSE(first.IsOpen());
  EXPECT_TRUE(second.IsOpen());
  EXPECT_TRUE(third.IsOpen());
  connections_.CloseAll();
}

TEST_F(ConnectionsTest, OneThatClosesWhileItWaitsForItsTurnIsNotServed) {
  auto client = Come();
  client.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
  while (requests_ == 0) {
    connections_.context.restart();
    connections_.context.poll_one();
  }
  connections_.CloseAll();
  Run();
  EXPECT_EQ(requests_, 1);
}

}  // namespace
}  // namespace limpet::web::connections_test
