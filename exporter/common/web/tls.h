// tls.h: TLS on a non-blocking socket: OpenSSL behind plain calls.
//
// Errors:  Create names the file and what is wrong with it.
// Threads: a context and its sessions belong to one thread, Create may run on another before.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "exporter/common/log.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"
#include "exporter/common/web/web_config.h"

namespace limpet::web {

enum class IoStatus {
  kDone,       // `bytes` of them
  kWantRead,   // again when the socket can be read
  kWantWrite,  // again when it can be written
  kClosed,     // by the other side, or broken
  kPlainHttp,  // only while shaking hands: somebody speaks HTTP to us without TLS
};

struct IoResult {
  IoStatus status = IoStatus::kClosed;
  std::size_t bytes = 0;
};

class TlsSession {
 public:
  virtual ~TlsSession() = default;
  [[nodiscard]] virtual IoResult Handshake() = 0;
  [[nodiscard]] virtual IoResult Read(std::span<char> into) = 0;
  // After kWantRead or kWantWrite call again with the same bytes (they may have moved).
  [[nodiscard]] virtual IoResult Write(std::string_view bytes) = 0;
  virtual void SayGoodbye() = 0;  // close_notify, as far as it can be sent at once
  // What went wrong, for the log; empty when the other side just left.
  [[nodiscard]] virtual std::string Problem() const = 0;
};

class TlsContext {
 public:
  // Reads the files. The clock must outlive the context.
  [[nodiscard]] static Result<std::unique_ptr<TlsContext>> Create(const TlsConfig& config,
                                                                  const Clock& clock, LogSink log);
  virtual ~TlsContext() = default;

  // `fd` stays the caller's and must outlive the session. At most once a second this looks whether
  // the files have changed and reads them again; files that cannot work are logged, and the ones
  // in use stay in use.
  [[nodiscard]] virtual Result<std::unique_ptr<TlsSession>> Open(int fd) = 0;
};

}  // namespace limpet::web
