// tls.h: the server's TLS settings and files as a context for Asio's streams.
//
// Errors:  Create names the file and what is wrong with it.
// Threads: a context belongs to one thread, Create may run on another before.
#pragma once

#include <memory>

#include "exporter/common/log.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"
#include "exporter/common/web/web_config.h"

namespace boost::asio::ssl {
class context;
}
namespace boost::system {
class error_code;
}

namespace limpet::web {

class TlsContext {
 public:
  // Reads the files. The clock must outlive the context.
  [[nodiscard]] static Result<std::unique_ptr<TlsContext>> Create(const TlsConfig& config,
                                                                  const Clock& clock, LogSink log);
  virtual ~TlsContext() = default;

  // Returns the context for the next connection, whose stream keeps what it needs of it: the
  // reference is valid until the next call. At most once a second this looks whether the files have
  // changed and reads them again; files that cannot work are logged, and the ones in use stay in
  // use.
  [[nodiscard]] virtual boost::asio::ssl::context& Current() = 0;
};

// A handshake's error: somebody speaks HTTP to us without TLS.
[[nodiscard]] bool IsPlainHttp(const boost::system::error_code& problem);

}  // namespace limpet::web
