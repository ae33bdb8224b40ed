#include "exporter/io/netlink.h"

#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace limpet {
namespace {

// The kernel fills datagrams up to 32 KiB for readers with room (af_netlink.c).
constexpr std::size_t kBufferBytes = 64U << 10U;
constexpr int kAttempts = 3;

Error FromErrno(int number, std::string_view doing, ErrorCode otherwise) {
  const bool denied = number == EPERM || number == EACCES;
  return {denied ? ErrorCode::kPermission : otherwise,
          std::string(doing) + ": " + std::generic_category().message(number), "netlink sock_diag"};
}

int OpenHere() { return ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG); }

// A socket keeps the namespace it was made in. The thread that moves there ends there, so nothing
// of the program can be left behind in the wrong namespace.
Result<int> OpenIn(const std::string& path) {
  Result<int> opened = -1;
  std::thread([&] {
    const int target = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (target < 0) {
      opened = FromErrno(errno, "network namespace " + path, ErrorCode::kUnavailable);
      return;
    }
    const bool moved = ::setns(target, CLONE_NEWNET) == 0;
    const int why = errno;
    ::close(target);
    if (!moved) {
      opened = FromErrno(why, "network namespace " + path, ErrorCode::kUnavailable);
      return;
    }
    const int fd = OpenHere();
    if (fd < 0) {
      opened = FromErrno(errno, "socket", ErrorCode::kUnavailable);
      return;
    }
    opened = fd;
  }).join();
  return opened;
}

}  // namespace

DiagSocket::DiagSocket(DiagSocketOptions options)
    : options_(std::move(options)), reply_(options_.max_sockets) {}

DiagSocket::~DiagSocket() { Close(); }

void DiagSocket::Close() {
  if (fd_ >= 0) {
    ::close(std::exchange(fd_, -1));
  }
}

Result<void> DiagSocket::Open() {
  if (options_.network_namespace.empty()) {
    fd_ = OpenHere();
    if (fd_ < 0) {
      return FromErrno(errno, "socket", ErrorCode::kUnavailable);
    }
  } else {
    auto opened = OpenIn(options_.network_namespace);
    if (!opened) {
      return opened.error();
    }
    fd_ = *opened;
  }
  buffer_.resize(kBufferBytes);
  return {};
}

Result<const TcpSockets*> DiagSocket::Dump() {
  if (fd_ < 0) {
    if (auto opened = Open(); !opened) {
      return opened.error();
    }
  }
  for (int attempt = 1;; ++attempt) {
    const auto ended = DumpOnce();
    if (!ended) {
      // What is still on its way belongs to a dump nobody waits for: begin with a fresh socket.
      Close();
      return ended.error();
    }
    // An interrupted dump may miss connections; the last attempt is taken as it is.
    if (*ended == DiagReply::Progress::kDone || attempt == kAttempts) {
      return &reply_.Sockets();
    }
  }
}

Result<DiagReply::Progress> DiagSocket::DumpOnce() {
  const auto deadline = std::chrono::steady_clock::now() + options_.timeout;
  const auto request =
      EncodeDiagRequest(options_.ports, options_.with_congestion, ++sequence_, options_.states);
  // The number tells this dump's messages from those of one that was given up.
  reply_.Begin(sequence_);
  if (::send(fd_, request.data(), request.size(), 0) < 0) {
    return FromErrno(errno, "send", ErrorCode::kUnavailable);
  }
  while (true) {
    // The kernel answers within the calls themselves; waiting is for a kernel that does not.
    sockaddr_nl sender{};
    socklen_t sender_bytes = sizeof(sender);
    const auto got = ::recvfrom(fd_, buffer_.data(), buffer_.size(), MSG_DONTWAIT | MSG_TRUNC,
                                reinterpret_cast<sockaddr*>(&sender), &sender_bytes);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      pollfd waiting{.fd = fd_, .events = POLLIN, .revents = 0};
      if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) == 0) {
        return Error{ErrorCode::kTimeout, "no answer in time", "netlink sock_diag"};
      }
      continue;
    }
    if (got < 0) {
      return FromErrno(errno, "recv", ErrorCode::kUnavailable);
    }
    if (static_cast<std::size_t>(got) > buffer_.size()) {
      return Error{ErrorCode::kTooLarge, "a datagram of " + std::to_string(got) + " bytes",
                   "netlink sock_diag"};
    }
    if (sender.nl_pid != 0) {
      continue;  // not from the kernel
    }
    auto progress = reply_.Add(std::span(buffer_).first(static_cast<std::size_t>(got)));
    if (!progress || *progress != DiagReply::Progress::kMore) {
      return progress;
    }
    if (std::chrono::steady_clock::now() > deadline) {
      return Error{ErrorCode::kTimeout, "the dump does not end in time", "netlink sock_diag"};
    }
  }
}

}  // namespace limpet
