// listen.h: a listening TCP socket for an address.
//
// Errors:  the address, what the kernel said, and what to do about it.
// Threads: any; a host name is looked up with getaddrinfo, which may block.
#pragma once

#include <cstdint>
#include <string>

#include "exporter/common/result.h"
#include "exporter/common/web/address.h"

namespace limpet::web {

struct ListeningSocket {
  int fd = -1;  // owned by the caller
  bool is_ipv6 = false;
  std::uint16_t port = 0;  // the real one
  std::string address;     // "[::]:9836"
};

// An empty host or "::" listens on IPv6 and IPv4; an empty host where IPv6 is off, on IPv4 alone.
// A name with several addresses: the first that works, IPv4 before IPv6.
[[nodiscard]] Result<ListeningSocket> Listen(const ListenAddress& address);

}  // namespace limpet::web
