// connections.h: what the connections of one server share, and the list of them.
//
// Threads: all of it on the server's one thread, except that `log` may be used by any.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/common/log.h"
#include "exporter/common/time.h"
#include "exporter/common/web/eviction.h"
#include "exporter/common/web/http.h"
#include "exporter/common/web/limits.h"
#include "exporter/common/web/password.h"
#include "exporter/common/web/tls.h"

namespace limpet::web {

// With the executor's type, not the default any_executor, whose virtual calls a request pays.
using Executor = boost::asio::io_context::executor_type;
using TcpStream = boost::beast::basic_stream<boost::asio::ip::tcp, Executor>;

// One client, from the first byte to the last (session.cc).
class Connection {
 public:
  Connection() = default;
  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  virtual void Start() = 0;
  virtual void Close() = 0;  // may be called at any time, and again
  [[nodiscard]] virtual Usage CurrentUsage() const = 0;

  std::size_t index = 0;  // in the list
};

class Connections {
 public:
  static constexpr Duration kLogInterval = std::chrono::minutes(1);

  Connections(Handler handler_in, const Limits& limits_in, LogSink log_in)
      : handler(std::move(handler_in)),
        limits(limits_in),
        log(std::move(log_in), clock, kLogInterval) {}

  const RealClock clock;
  boost::asio::io_context context{1};  // one thread
  const Handler handler;
  const Limits limits;
  RateLimitedLog log;
  std::shared_ptr<TlsContext> tls;             // null: plain HTTP
  std::shared_ptr<PasswordChecker> passwords;  // null: open to all
  std::vector<std::pair<std::string, std::string>> headers;

  // A new connection; over the bound it takes the place of another.
  void Admit(TcpStream stream);
  // Closes the connection of least use (eviction.h); false when there is none.
  bool MakeRoom();
  void Remove(const Connection& connection);
  void CloseAll();
  // For the Date field; made once a second.
  std::string_view Date();

 private:
  // Each is held here until it closes, so one that waits for its password stays alive.
  std::vector<std::shared_ptr<Connection>> list_;
  std::chrono::sys_seconds date_at_{};
  std::string date_;
};

}  // namespace limpet::web
