#include "exporter/kernel/tcp_socket.h"

#include <arpa/inet.h>

#include <algorithm>

namespace limpet {
namespace {

constexpr std::array<std::uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr std::array<std::uint8_t, 16> kLoopback6 = {0, 0, 0, 0, 0, 0, 0, 0,
                                                     0, 0, 0, 0, 0, 0, 0, 1};

}  // namespace

IpAddress IpAddress::FromV4(const std::uint8_t* four) {
  IpAddress address;
  std::copy(kMappedPrefix.begin(), kMappedPrefix.end(), address.bytes.begin());
  std::copy_n(four, 4, address.bytes.begin() + kMappedPrefix.size());
  return address;
}

bool IpAddress::IsV4() const {
  return std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), bytes.begin());
}

bool IpAddress::IsLoopback() const { return IsV4() ? bytes[12] == 127 : bytes == kLoopback6; }

std::string IpAddress::Text() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const bool v4 = IsV4();
  ::inet_ntop(v4 ? AF_INET : AF_INET6, bytes.data() + (v4 ? kMappedPrefix.size() : 0), text.data(),
              text.size());
  return text.data();
}

// Listening sockets never have any details.
const TcpSocket* TcpSockets::FirstConnection() const {
  const auto connection = std::find_if(sockets.begin(), sockets.end(), [](const TcpSocket& socket) {
    return socket.state == kTcpEstablished;
  });
  return connection == sockets.end() ? nullptr : &*connection;
}

bool TcpSockets::HaveDetails() const {
  const auto* connection = FirstConnection();
  return connection == nullptr || connection->details.has_value();
}

bool TcpSockets::CountSegments() const {
  const auto* connection = FirstConnection();
  return connection == nullptr || (connection->details && connection->details->segments_sent);
}

}  // namespace limpet
