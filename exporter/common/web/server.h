// server.h: the web server of both programs: one thread, one Handler, any number of scrapers.
//
// HTTP/1.0 and 1.1 with keep-alive and pipelining; GET and HEAD, and POST where Limits allow it
// (anything else: 405). With a
// WebConfig also TLS, basic authentication and further header fields. A response's body is sent
// from where it lies: a thousand scrapers of one page share its bytes.
//
// Hostile clients cost at most their connection: see Limits. A connection over the bound closes
// the one that was of least use, so an honest scraper always gets in.
// Errors:  Start fails with the address or file, what is wrong and what to do. Later trouble (bad
//          new certificate, exception in the handler: 500) goes to the log, at most once a minute
//          for each kind.
// Threads: Start, Reload, Stop and the destructor belong to the owner's thread; the accessors may
//          be called from any. The Handler runs on the server's own thread, one call at a time,
//          never after Stop. The LogSink is called from the server's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exporter/common/log.h"
#include "exporter/common/result.h"
#include "exporter/common/web/http.h"
#include "exporter/common/web/limits.h"
#include "exporter/common/web/web_config.h"

namespace limpet::web {

struct ServerOptions {
  // ":9836" (every address, IPv4 and IPv6), "127.0.0.1:0" (a free port), "[::1]:9836", "host:port".
  std::vector<std::string> listen_addresses;
  std::optional<WebConfig> config;  // none: plain HTTP, open to all
  Limits limits;
};

class Server {
 public:
  // Listens on every address, or on none when one of them fails.
  [[nodiscard]] static Result<std::unique_ptr<Server>> Start(const ServerOptions& options,
                                                             Handler handler, LogSink log);
  virtual ~Server() = default;  // stops

  // The port of the first address; with port 0 the one the kernel gave.
  [[nodiscard]] virtual std::uint16_t Port() const = 0;
  // Returns what is listened on, in the order of the options: "[::]:9836", "127.0.0.1:41234".
  [[nodiscard]] virtual std::vector<std::string> Addresses() const = 0;
  // Another configuration for new connections and requests; when it cannot work the old one stays.
  [[nodiscard]] virtual Result<void> Reload(std::optional<WebConfig> config) = 0;
  // Closes everything and waits for the thread; a second call does nothing.
  virtual void Stop() = 0;
};

}  // namespace limpet::web
