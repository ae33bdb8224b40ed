// http_session.h: one target over one kept connection, on Asio.
//
// Threads: the one that runs `io`.
#pragma once

#include <memory>

#include "diagnoser/sources/fetcher.h"

namespace boost::asio {
class io_context;
}  // namespace boost::asio

namespace limpet {

// Connects at the first Get, and again whenever the connection cannot be kept. Context and clock
// must outlive it.
[[nodiscard]] std::unique_ptr<Connection> OpenSession(boost::asio::io_context& io,
                                                      const Clock& clock, Endpoint endpoint);

}  // namespace limpet
