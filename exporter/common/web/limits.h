// limits.h: what one client, and all of them together, may cost.
//
// Threads: values.
#pragma once

#include <chrono>
#include <cstddef>

#include "exporter/common/time.h"

namespace limpet::web {

struct Limits {
  // An idle connection costs 4 kB; descriptors that collectors and files need stay free whatever
  // this says.
  std::size_t max_connections = 6000;
  std::size_t max_tls_connections = 400;  // 112 kB each: OpenSSL and its buffers
  std::size_t header_bytes = 16U << 10U;  // request line and fields; over it: 431
  // Read of a request, and but for POST thrown away; over it: 413.
  std::size_t body_bytes = 64U << 10U;
  // POST reaches the handler, with its body; otherwise it is 405.
  bool allow_post = false;
  // Counted from the accepted connection, or the first byte of a later request, to its last byte;
  // the TLS handshake is within it. Against clients that send a byte now and then.
  Duration request_timeout = std::chrono::seconds(10);
  // The pause between two requests. Longer than any usual scrape interval: reconnecting costs more.
  Duration idle_timeout = std::chrono::minutes(5);
  // The limit for a whole response that cannot be sent at once. Against clients that read a byte
  // now and then.
  Duration response_timeout = std::chrono::seconds(30);
};

}  // namespace limpet::web
