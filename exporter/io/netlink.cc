#include "exporter/io/netlink.h"

#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>

#include <cerrno>
#include <optional>
#include <thread>
#include <utility>

#include "exporter/io/netlink_exchange.h"
#include "exporter/kernel/netlink_bytes.h"

namespace limpet {
namespace {

using netlink::kSockDiag;

constexpr int kAttempts = 3;

Result<Descriptor> OpenHere() { return netlink::OpenSocket(NETLINK_SOCK_DIAG, kSockDiag); }

// A socket keeps the namespace it was made in. The thread that moves there ends there, so nothing
// of the program can be left behind in the wrong namespace.
Result<Descriptor> OpenIn(const std::string& path) {
  Result<Descriptor> opened = Descriptor();
  std::thread([&] {
    const Descriptor target(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!target.IsOpen() || ::setns(target.Get(), CLONE_NEWNET) != 0) {
      opened = netlink::SocketProblem(errno, "network namespace " + path, kSockDiag);
      return;
    }
    opened = OpenHere();
  }).join();
  return opened;
}

}  // namespace

Result<Descriptor> OpenDiagSocket(const std::string& network_namespace) {
  return network_namespace.empty() ? OpenHere() : OpenIn(network_namespace);
}

DiagSocket::DiagSocket(DiagSocketOptions options)
    : options_(std::move(options)), reply_(options_.max_sockets) {}

Result<const TcpSockets*> DiagSocket::Dump() {
  if (!socket_.IsOpen()) {
    auto opened = OpenDiagSocket(options_.network_namespace);
    if (!opened) {
      return opened.error();
    }
    socket_ = *std::move(opened);
  }
  for (int attempt = 1;; ++attempt) {
    const auto ended = DumpOnce();
    if (!ended) {
      // What is still on its way belongs to a dump nobody waits for: begin with a fresh socket.
      socket_ = Descriptor();
      return ended.error();
    }
    // An interrupted dump may miss connections; the last attempt is taken as it is.
    if (*ended == DiagReply::Progress::kDone || attempt == kAttempts) {
      return &reply_.Sockets();
    }
  }
}

Result<DiagReply::Progress> DiagSocket::DumpOnce() {
  const auto request =
      EncodeDiagRequest(options_.ports, options_.with_congestion, ++sequence_, options_.states);
  // The number tells this dump's messages from those of one that was given up.
  reply_.Begin(sequence_);
  auto progress = DiagReply::Progress::kMore;
  const auto ended = netlink::Exchange(socket_, request, options_.timeout, kSockDiag, buffer_,
                                       [&](std::span<const std::byte> datagram) -> Result<bool> {
                                         const auto added = reply_.Add(datagram);
                                         if (!added) {
                                           return added.error();
                                         }
                                         progress = *added;
                                         return progress != DiagReply::Progress::kMore;
                                       });
  if (!ended) {
    return ended.error();
  }
  return progress;
}

}  // namespace limpet
