// session.h: one connection of the server, from the first byte to the last.
//
// It runs until the socket would block, waits, and runs on.
// Threads: the server's.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "exporter/common/time.h"
#include "exporter/common/web/eviction.h"
#include "exporter/common/web/http.h"
#include "exporter/common/web/loop.h"
#include "exporter/common/web/outgoing.h"
#include "exporter/common/web/password.h"
#include "exporter/common/web/request_reader.h"
#include "exporter/common/web/tls.h"

namespace limpet::web {

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Loop& loop, Socket socket)
      : loop_(loop),
        socket_(std::move(socket)),
        reader_(loop.limits),
        since_(loop.clock.Steady()) {}

  void Start();
  void Close();  // may be called at any time, and again

  [[nodiscard]] SteadyTime Deadline() const { return deadline_; }
  [[nodiscard]] Usage CurrentUsage() const {
    return {since_, has_answered_ && state_ == State::kReading && !reader_.IsHalfWay()};
  }

  std::size_t index = 0;  // in the loop's list

 private:
  enum class State { kHandshake, kReading, kChecking, kWriting, kLingering, kClosed };
  enum class Next { kGoOn, kWait };

  void Run();  // steps until one has to wait
  Next Step();

  Next ShakeHands();
  Next ReadMore();
  IoResult Read();
  Next Take(std::string_view bytes);
  void Refuse(const Incoming& incoming);
  void CheckPassword();
  void OnVerdict(PasswordChecker::Verdict verdict);
  void Dispatch();
  void Answer(const Response& response, const Incoming& to);
  Next WriteMore();
  IoResult Write(const std::array<std::string_view, 2>& pieces);
  // The response is out: on to the next request, or to the end.
  Next Finish();
  // Reads what the client still sends, so that it gets to read our answer.
  Next Linger();
  Next WaitOrClose(IoStatus status);
  void SetDeadline(Duration from_now);

  Loop& loop_;
  Socket socket_;
  std::unique_ptr<TlsSession> tls_;  // null: plain HTTP
  RequestReader reader_;
  Incoming incoming_;  // the request that is being answered
  Outgoing outgoing_;
  State state_ = State::kReading;
  SteadyTime since_;
  SteadyTime deadline_;
  std::size_t lingered_ = 0;
  unsigned requests_ = 0;
  bool has_answered_ = false;
  bool is_drained_ = false;       // the last read emptied the socket
  bool is_request_timed_ = true;  // the request's deadline is set
  bool is_write_timed_ = false;   // the response's is
  bool is_last_ = false;          // close after this response
  bool must_linger_ = false;
};

}  // namespace limpet::web
