#include "exporter/io/closed_connections.h"

#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <sys/socket.h>

#include <cerrno>
#include <span>
#include <utility>

#include "exporter/io/netlink.h"

namespace limpet {
namespace {

constexpr int kQueueBytes = 4 << 20;
constexpr std::size_t kDatagramBytes = 8192;

template <class T>
bool Set(const Descriptor& socket, int level, int option, T value) {
  return ::setsockopt(socket.Get(), level, option, &value, sizeof(value)) == 0;
}

}  // namespace

void ClosedConnections::Listen() {
  auto opened = OpenDiagSocket(network_namespace_);
  if (!opened) {
    return;
  }
  auto socket = *std::move(opened);
  if (!Set(socket, SOL_SOCKET, SO_RCVBUFFORCE, kQueueBytes)) {
    Set(socket, SOL_SOCKET, SO_RCVBUF, kQueueBytes);  // as much as net.core.rmem_max allows
  }
  // Without an address of its own it would count as the kernel's, which is told nothing.
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  const bool bound =
      ::bind(socket.Get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  const auto join = [&](int group) {
    return bound && Set(socket, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, group);
  };
  const bool four = join(SKNLGRP_INET_TCP_DESTROY);
  const bool six = join(SKNLGRP_INET6_TCP_DESTROY);
  if (four || six) {
    socket_ = std::move(socket);
  }
}

bool ClosedConnections::Read(std::vector<TcpSocket>& closed) {
  closed.clear();
  if (rest_ > 0) {
    --rest_;
    return false;
  }
  if (!socket_.IsOpen()) {
    Listen();
    rest_ = socket_.IsOpen() ? 0 : kRest;
    return false;
  }
  buffer_.resize(kDatagramBytes);
  while (closed.size() < kMostClosed) {
    sockaddr_nl sender{};
    socklen_t sender_bytes = sizeof(sender);
    const auto got = ::recvfrom(socket_.Get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT,
                                reinterpret_cast<sockaddr*>(&sender), &sender_bytes);
    if ((got < 0 && errno == EINTR) || (got >= 0 && sender.nl_pid != 0)) {
      continue;  // only the kernel knows
    }
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return true;
    }
    // The queue was full, or this is no message of that kind.
    if (got < 0 || !AddClosed(std::span(buffer_).first(static_cast<std::size_t>(got)), closed)) {
      break;
    }
  }
  socket_ = Descriptor();
  rest_ = kRest;
  return false;
}

}  // namespace limpet
