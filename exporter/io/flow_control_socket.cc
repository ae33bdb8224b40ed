#include "exporter/io/flow_control_socket.h"

#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <vector>

namespace limpet {
namespace {

constexpr std::size_t kReplyBytes = 64U << 10U;
constexpr timeval kPatience = {.tv_sec = 2, .tv_usec = 0};
constexpr int kMaxDatagrams = 4096;  // of one answer

Error FromErrno(int number, std::string_view doing) {
  const bool denied = number == EPERM || number == EACCES;
  const bool late = number == EAGAIN || number == EWOULDBLOCK;
  return {denied ? ErrorCode::kPermission
          : late ? ErrorCode::kTimeout
                 : ErrorCode::kUnavailable,
          std::string(doing) + ": " + std::generic_category().message(number), "netlink ethtool"};
}

// A socket of one protocol of netlink.
class Asking {
 public:
  explicit Asking(int protocol)
      : fd_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol)), buffer_(kReplyBytes) {
    if (fd_ >= 0) {
      (void)::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof(kPatience));
    }
  }
  ~Asking() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  // Has `reply` take all of the answer.
  Result<void> Ask(const std::vector<std::byte>& request, FlowControlReply& reply) {
    if (fd_ < 0 || ::send(fd_, request.data(), request.size(), 0) < 0) {
      return FromErrno(errno, fd_ < 0 ? "socket" : "send");
    }
    for (int i = 0; i < kMaxDatagrams; ++i) {
      const auto got = ::recv(fd_, buffer_.data(), buffer_.size(), MSG_TRUNC);
      if (got < 0 && errno == EINTR) {
        continue;
      }
      if (got < 0) {
        return FromErrno(errno, "recv");
      }
      const auto size = std::min(static_cast<std::size_t>(got), buffer_.size());
      const auto is_complete = reply.Add(std::span(buffer_).first(size));
      if (!is_complete) {
        return is_complete.error();
      }
      if (*is_complete) {
        return {};
      }
    }
    return Error{ErrorCode::kTooLarge, "the answer does not end", "netlink ethtool"};
  }

 private:
  int fd_;
  std::vector<std::byte> buffer_;
};

}  // namespace

Result<FlowControls> AskFlowControl(std::span<const std::string> devices) {
  FlowControlReply reply;
  std::uint32_t sequence = 0;
  Asking ethtool(NETLINK_GENERIC);
  reply.Begin(++sequence);
  auto asked = ethtool.Ask(EncodeEthtoolRequest(sequence), reply);
  if (asked && reply.Family()) {
    reply.Begin(++sequence);
    asked = ethtool.Ask(EncodePauseRequest(*reply.Family(), sequence), reply);
  }
  Asking dcb(NETLINK_ROUTE);
  for (const auto& device : devices) {
    reply.Begin(++sequence);
    // Most drivers have no PFC, and a kernel may have none at all.
    (void)dcb.Ask(EncodePfcRequest(device, sequence), reply);
  }
  FlowControls found;
  for (const auto& [device, counts] : reply.Interfaces()) {
    if (std::find(devices.begin(), devices.end(), device) != devices.end()) {
      found.emplace(device, counts);
    }
  }
  if (!asked && found.empty()) {
    return asked.error();
  }
  return found;
}

}  // namespace limpet
