#include "exporter/io/netlink_exchange.h"

#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>

namespace limpet::netlink {
namespace {

// The kernel fills datagrams up to 32 KiB for readers with room (af_netlink.c).
constexpr std::size_t kBufferBytes = 64U << 10U;

}  // namespace

Error SocketProblem(int number, std::string_view doing, const char* where) {
  const bool denied = number == EPERM || number == EACCES;
  return {denied ? ErrorCode::kPermission : ErrorCode::kUnavailable,
          std::string(doing) + ": " + std::generic_category().message(number), where};
}

Result<Descriptor> OpenSocket(int protocol, const char* where) {
  Descriptor socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol));
  if (!socket.IsOpen()) {
    return SocketProblem(errno, "socket", where);
  }
  return socket;
}

Result<void> Exchange(const Descriptor& socket, std::span<const std::byte> request,
                      Duration timeout, const char* where, std::vector<std::byte>& buffer,
                      const std::function<Result<bool>(std::span<const std::byte>)>& add) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  buffer.resize(kBufferBytes);
  if (::send(socket.Get(), request.data(), request.size(), 0) < 0) {
    return SocketProblem(errno, "send", where);
  }
  while (true) {
    // The kernel answers within the calls themselves; waiting is for a kernel that does not.
    sockaddr_nl sender{};
    socklen_t sender_bytes = sizeof(sender);
    const auto got =
        ::recvfrom(socket.Get(), buffer.data(), buffer.size(), MSG_DONTWAIT | MSG_TRUNC,
                   reinterpret_cast<sockaddr*>(&sender), &sender_bytes);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      pollfd waiting{.fd = socket.Get(), .events = POLLIN, .revents = 0};
      if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) == 0) {
        return Error{ErrorCode::kTimeout, "no answer in time", where};
      }
      continue;
    }
    if (got < 0) {
      return SocketProblem(errno, "recv", where);
    }
    if (static_cast<std::size_t>(got) > buffer.size()) {
      return Error{ErrorCode::kTooLarge, "a datagram of " + std::to_string(got) + " bytes", where};
    }
    if (sender.nl_pid != 0) {
      continue;  // not from the kernel
    }
    const auto is_complete = add(std::span(buffer).first(static_cast<std::size_t>(got)));
    if (!is_complete) {
      return is_complete.error();
    }
    if (*is_complete) {
      return {};
    }
    if (std::chrono::steady_clock::now() > deadline) {
      return Error{ErrorCode::kTimeout, "the answer does not end in time", where};
    }
  }
}

}  // namespace limpet::netlink
