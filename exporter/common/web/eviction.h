// eviction.h: when there are too many connections, which one is of least use?
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>

#include "exporter/common/time.h"

namespace limpet::web {

struct Usage {
  SteadyTime since;           // its last complete response, or when it came
  bool is_idle_good = false;  // has had a response and is between two requests
};

// The index of the connection to close for a new one. First the oldest that is half way through
// something (slow or half-open clients) or has never asked for anything; those younger than a
// second get the time to. Then the scraper that is longest between two requests: it loses nothing
// but a reconnect. Then the oldest. `usages` is not empty.
[[nodiscard]] std::size_t LeastUseful(std::span<const Usage> usages, SteadyTime now);

}  // namespace limpet::web
