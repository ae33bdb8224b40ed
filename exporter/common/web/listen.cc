#include "exporter/common/web/listen.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

namespace limpet::web {
namespace {

constexpr int kReceiveBytes = 32 << 10;

struct Candidate {
  int family;
  sockaddr_storage where;
  socklen_t size;
};

Error FromErrno(int number, const ListenAddress& address) {
  const auto where = "listen address " + FormatAddress(address.host, address.port);
  const auto said = std::generic_category().message(number);
  switch (number) {
    case EADDRINUSE: {
      const auto port = std::to_string(address.port);
      return {ErrorCode::kUnavailable,
              "is in use; stop the program that has it (ss -ltnp 'sport = :" + port +
                  "' shows which) or give another --web.listen-address",
              where};
    }
    case EACCES:
    case EPERM:
      return {ErrorCode::kPermission, said + "; ports below 1024 need root or CAP_NET_BIND_SERVICE",
              where};
    case EADDRNOTAVAIL:
      return {ErrorCode::kInvalid, "this machine has no such address (ip addr shows them)", where};
    default:
      return {ErrorCode::kInternal, said, where};
  }
}

template <class T>
Candidate From(int family, const T& address) {
  Candidate candidate{family, {}, sizeof address};
  reinterpret_cast<T&>(candidate.where) = address;
  return candidate;
}

std::vector<Candidate> Everywhere(std::uint16_t port) {
  // IPv6 first: with IPV6_V6ONLY off it serves both. IPv4 alone where the kernel has no IPv6.
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  return {From(AF_INET6, six), From(AF_INET, four)};
}

Result<std::vector<Candidate>> LookUp(const ListenAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* first = nullptr;
  const auto port = std::to_string(address.port);
  const int code = ::getaddrinfo(address.host.c_str(), port.c_str(), &hints, &first);
  if (code != 0) {
    return Error{ErrorCode::kNotFound,
                 std::string("cannot find this host: ") + ::gai_strerror(code),
                 "listen address " + FormatAddress(address.host, address.port)};
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(first, &::freeaddrinfo);
  std::vector<Candidate> found;
  // IPv4 first: "localhost" then is what scrapers mostly try.
  for (const int family : {AF_INET, AF_INET6}) {
    for (const auto* one = first; one != nullptr; one = one->ai_next) {
      if (one->ai_family == AF_INET && family == AF_INET) {
        found.push_back(From(family, reinterpret_cast<const sockaddr_in&>(*one->ai_addr)));
      } else if (one->ai_family == AF_INET6 && family == AF_INET6) {
        found.push_back(From(family, reinterpret_cast<const sockaddr_in6&>(*one->ai_addr)));
      }
    }
  }
  return found;
}

// 0, or errno.
int Bind(int fd, const Candidate& candidate) {
  const int on = 1;
  const int off = 0;
  // REUSEADDR: a restart must not wait for the connections in TIME_WAIT. V6ONLY: the system's
  // default (net.ipv6.bindv6only) may be either. RCVBUF: connections inherit it; requests are
  // small, and what is sent on top of them need not fill the kernel's memory.
  const bool failed =
      ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      (candidate.family == AF_INET6 &&
       ::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) != 0) ||
      ::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &kReceiveBytes, sizeof kReceiveBytes) != 0 ||
      ::bind(fd, reinterpret_cast<const sockaddr*>(&candidate.where), candidate.size) != 0 ||
      ::listen(fd, SOMAXCONN) != 0;
  return failed ? errno : 0;
}

Result<ListeningSocket> Describe(int fd, const ListenAddress& address) {
  Candidate bound{AF_UNSPEC, {}, sizeof(sockaddr_storage)};
  auto* where = reinterpret_cast<sockaddr*>(&bound.where);
  char host[NI_MAXHOST] = "";
  if (::getsockname(fd, where, &bound.size) != 0 ||
      ::getnameinfo(where, bound.size, host, sizeof host, nullptr, 0, NI_NUMERICHOST) != 0) {
    return FromErrno(errno, address);
  }
  const bool is_ipv6 = bound.where.ss_family == AF_INET6;
  const auto port = is_ipv6 ? reinterpret_cast<const sockaddr_in6&>(bound.where).sin6_port
                            : reinterpret_cast<const sockaddr_in&>(bound.where).sin_port;
  return ListeningSocket{fd, is_ipv6, ntohs(port), FormatAddress(host, ntohs(port))};
}

}  // namespace

Result<ListeningSocket> Listen(const ListenAddress& address) {
  auto candidates = address.host.empty() ? Result(Everywhere(address.port)) : LookUp(address);
  if (!candidates) {
    return candidates.error();
  }
  int problem = EADDRNOTAVAIL;
  for (const auto& candidate : *candidates) {
    const int fd = ::socket(candidate.family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
      problem = errno;
      continue;
    }
    problem = Bind(fd, candidate);
    if (problem == 0) {
      auto socket = Describe(fd, address);
      if (!socket) {
        ::close(fd);
      }
      return socket;
    }
    ::close(fd);
    if (problem == EADDRINUSE || problem == EACCES) {
      break;  // not for want of IPv6: IPv4 alone would hide it
    }
  }
  return FromErrno(problem, address);
}

}  // namespace limpet::web
