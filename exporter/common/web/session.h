// session.h: one connection of the server, from the first byte to the last: requests by Beast's
// parser, TLS by Asio's ssl::stream.
//
// Threads: the server's.
#pragma once

#include <memory>

#include "exporter/common/web/connections.h"

namespace limpet::web {

// Speaks TLS when `shared.tls` is set. `shared` must outlive the connection.
[[nodiscard]] std::shared_ptr<Connection> MakeSession(Connections& shared, Socket socket);

}  // namespace limpet::web
