// loopback_sockets.h: real established TCP connections of this process with itself.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace limpet::testing {

// Both ends of `connections` connections to one listener on the loopback address of `family`.
// They end with a reset, so that no TIME_WAIT sockets stay behind.
class LoopbackSockets {
 public:
  LoopbackSockets(int family, std::size_t connections) {
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
    listener_ = ::socket(family, SOCK_STREAM, 0);
    sockaddr_storage address{};
    address.ss_family = static_cast<sa_family_t>(family);
    if (family == AF_INET) {
      reinterpret_cast<sockaddr_in*>(&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
      reinterpret_cast<sockaddr_in6*>(&address)->sin6_addr = in6addr_loopback;
    }
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    good_ = ::bind(listener_, generic, length) == 0 && ::listen(listener_, 512) == 0 &&
            ::getsockname(listener_, generic, &length) == 0;
    port_ = ntohs(reinterpret_cast<sockaddr_in*>(&address)->sin_port);
    for (std::size_t i = 0; i < connections && good_; ++i) {
      open_.push_back(::socket(family, SOCK_STREAM, 0));
      good_ = ::connect(open_.back(), generic, length) == 0;
      open_.push_back(::accept(listener_, nullptr, nullptr));
      good_ = good_ && open_.back() >= 0;
    }
  }
  ~LoopbackSockets() {
    const linger reset{.l_onoff = 1, .l_linger = 0};
    for (const int fd : open_) {
      ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
      ::close(fd);
    }
    ::close(listener_);
  }
  LoopbackSockets(const LoopbackSockets&) = delete;
  LoopbackSockets& operator=(const LoopbackSockets&) = delete;

  // False where the family is missing or so many sockets are not allowed.
  [[nodiscard]] bool Good() const { return good_; }
  [[nodiscard]] std::uint16_t Port() const { return port_; }
  [[nodiscard]] int Client(std::size_t i) const { return open_.at(2 * i); }
  [[nodiscard]] int Server(std::size_t i) const { return open_.at(2 * i + 1); }

 private:
  int listener_ = -1;
  std::vector<int> open_;
  std::uint16_t port_ = 0;
  bool good_ = false;
};

}  // namespace limpet::testing
