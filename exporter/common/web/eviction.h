// eviction.h: when there are too many connections, which one is of least use?
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>

#include "exporter/common/time.h"

namespace limpet::web {

struct Usage {
  SteadyTime since;                // its last complete response, or when it came
  bool is_idle_good = false;       // has had a response and is between two requests
  bool is_pipelining = false;      // has sent more requests than it has had responses for
  std::size_t of_same_client = 1;  // connections of its address, this one included
};

// The index of the connection to close for a new one. First those that pipeline, are half way
// through something (slow or half-open clients) or have never asked for anything; they get a second
// to, unless they pipeline, which no scraper does. Then a scraper between two requests: it loses
// nothing but a reconnect. Among either, the client with the most connections pays before others,
// so a client that floods displaces itself; then the oldest goes. `usages` is not empty.
[[nodiscard]] std::size_t LeastUseful(std::span<const Usage> usages, SteadyTime now);

}  // namespace limpet::web
