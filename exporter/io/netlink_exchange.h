// netlink_exchange.h: a request to the kernel over a netlink socket, and its answer.
//
// Errors:  kUnavailable (no netlink here, as in some containers), kPermission, kTimeout, kTooLarge,
//          and those of `add`; `where` names the family.
// Threads: a socket belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "exporter/common/descriptor.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet::netlink {

// Returns the error of the system call `doing`.
[[nodiscard]] Error SocketProblem(int number, std::string_view doing, const char* where);

// Returns a socket of one protocol (NETLINK_SOCK_DIAG, …) in the thread's network namespace.
[[nodiscard]] Result<Descriptor> OpenSocket(int protocol, const char* where);

// Sends the request and has `add` take each datagram of the kernel until that returns true: the
// answer is complete. `buffer` is room that is used again.
[[nodiscard]] Result<void> Exchange(
    const Descriptor& socket, std::span<const std::byte> request, Duration timeout,
    const char* where, std::vector<std::byte>& buffer,
    const std::function<Result<bool>(std::span<const std::byte>)>& add);

}  // namespace limpet::netlink
