// connections.h: what the connections of one server share, and the list of them.
//
// One timer serves all connections. It is set to the earliest deadline and left alone when
// deadlines move back, as they do with every request; when it fires too early it is set again. A
// timer for each operation, as Beast's streams have it, costs a request more than sending it
// (docs/decisions/0120).
//
// Fairness: a connection that has the next request in its buffer already goes to the back of one
// queue, and of that queue one request is answered each time the loop has looked at all sockets.
// So whoever asks once waits for one answer to those who pipeline, however many they are.
// Threads: all of it on the server's one thread, except that `log` may be used by any.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/common/log.h"
#include "exporter/common/time.h"
#include "exporter/common/web/client_key.h"
#include "exporter/common/web/eviction.h"
#include "exporter/common/web/http.h"
#include "exporter/common/web/limits.h"
#include "exporter/common/web/password.h"
#include "exporter/common/web/tls.h"

namespace limpet::web {

// Names the executor's type, not the default any_executor, whose virtual calls a request pays.
using Executor = boost::asio::io_context::executor_type;
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;
using Timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

// One client, from the first byte to the last (session.cc).
class Connection {
 public:
  Connection() = default;
  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  virtual void Start() = 0;
  virtual void Close() = 0;  // may be called at any time, and again
  // Answers the pipelined request that it gave its turn up for (Connections::Defer).
  virtual void Continue() = 0;
  // Sends what its stream has now (Connections::AddStream).
  virtual void Pump() = 0;
  [[nodiscard]] virtual Usage CurrentUsage() const = 0;
  [[nodiscard]] virtual SteadyTime Deadline() const = 0;  // when to close it

  std::size_t index = 0;  // in the list
  ClientKey client = 0;
};

class Connections {
 public:
  static constexpr Duration kLogInterval = std::chrono::minutes(1);

  Connections(Handler handler_in, const Limits& limits_in, LogSink log_in)
      : handler(std::move(handler_in)),
        limits(limits_in),
        log(std::move(log_in), clock, kLogInterval),
        pump_(context),
        timer_(context) {}

  const RealClock clock;
  boost::asio::io_context context{1};  // one thread
  const Handler handler;
  const Limits limits;
  RateLimitedLog log;
  std::shared_ptr<TlsContext> tls;             // null: plain HTTP
  std::shared_ptr<PasswordChecker> passwords;  // null: open to all
  std::vector<std::pair<std::string, std::string>> headers;
  bool authenticates = false;  // RequiresAuthentication of the configuration

  // Sets how many connections there may be: the limit, or what the descriptors allow.
  void SetBound(std::size_t free_descriptors);
  // A new connection; over the bound it takes the place of another.
  void Admit(Socket socket);
  // Closes the connection of least use (eviction.h); false when there is none.
  bool MakeRoom();
  void Remove(const Connection& connection);
  void CloseAll();
  // Calls Continue later, in turn.
  void Defer(std::shared_ptr<Connection> connection);
  // Calls Pump a few times a second for as long as the connection lives.
  void AddStream(const std::shared_ptr<Connection>& connection);
  // Looks at all deadlines at `deadline`, or earlier.
  void Watch(SteadyTime deadline);
  // Returns the Date field; made once a second.
  std::string_view Date();

 private:
  void CloseOverdue();
  void ServeNext();
  void PumpStreams();

  // Each is held here until it closes, so one that waits for its password stays alive.
  std::vector<std::shared_ptr<Connection>> list_;
  std::map<ClientKey, std::size_t> per_client_;  // how many of the list each has
  std::deque<std::shared_ptr<Connection>> deferred_;
  std::size_t bound_ = std::numeric_limits<std::size_t>::max();  // by descriptors
  std::vector<std::weak_ptr<Connection>> streams_;  // not one timer each: they beat together
  Timer pump_;
  Timer timer_;
  SteadyTime timer_at_ = SteadyTime::max();
  std::chrono::sys_seconds date_at_{};
  std::string date_;
};

}  // namespace limpet::web
