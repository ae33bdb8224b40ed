#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <future>
#include <thread>
#include <utility>

#include "exporter/common/web/basic_auth.h"
#include "exporter/common/web/eviction.h"
#include "exporter/common/web/listen.h"
#include "exporter/common/web/outgoing.h"
#include "exporter/common/web/password.h"
#include "exporter/common/web/request_reader.h"
#include "exporter/common/web/response_head.h"
#include "exporter/common/web/server.h"
#include "exporter/common/web/tls.h"

// How a request costs four system calls (epoll_wait, recvmsg, sendmsg, epoll_ctl) and no timer:
// the sockets are read and written at once and waited for only when that would block, bodies are
// sent from where they lie, and one timer serves all connections. It is set to the earliest
// deadline and left alone when deadlines move back, as they do with every request; when it fires
// too early it is set again.
namespace limpet::web {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kReadBytes = 16U << 10U;
constexpr std::size_t kTlsRecordBytes = 16U << 10U;
constexpr int kRequestsInARow = 16;  // of one connection, before the others have their turn
constexpr std::size_t kLingerBytes = 1U << 20U;
constexpr Duration kLingerTimeout = std::chrono::seconds(2);
constexpr Duration kAcceptPause = std::chrono::milliseconds(100);
constexpr Duration kLogInterval = std::chrono::minutes(1);

class Session;

// What the sessions of a server share, and the list of them. All of it on the server's thread.
class Loop {
 public:
  Loop(Handler handler_in, const Limits& limits_in, LogSink log_in)
      : handler(std::move(handler_in)),
        limits(limits_in),
        log(std::move(log_in), clock, kLogInterval),
        timer_(context) {}

  const RealClock clock;
  asio::io_context context{1};  // one thread
  const Handler handler;
  const Limits limits;
  RateLimitedLog log;
  std::shared_ptr<TlsContext> tls;             // null: plain HTTP
  std::shared_ptr<PasswordChecker> passwords;  // null: open to all
  std::vector<std::pair<std::string, std::string>> headers;
  std::array<char, kReadBytes> scratch{};  // what a session has just read

  void Admit(tcp::socket socket);
  void MakeRoom();
  void Remove(const Session& session);
  void CloseAll();
  // Looks at all deadlines at `deadline`, or earlier.
  void Watch(SteadyTime deadline);
  std::string_view Date();

 private:
  void CloseOverdue();

  std::vector<std::shared_ptr<Session>> sessions_;
  asio::steady_timer timer_;
  SteadyTime timer_at_ = SteadyTime::max();
  std::chrono::sys_seconds date_at_{};
  std::string date_;
};

// One connection. It runs until a socket would block, waits, and runs on.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Loop& loop, tcp::socket socket)
      : loop_(loop),
        socket_(std::move(socket)),
        reader_(loop.limits),
        since_(loop.clock.Steady()) {}

  void Start() {
    error_code problem;
    socket_.non_blocking(true, problem);
    socket_.set_option(tcp::no_delay(true), problem);
    if (loop_.tls) {
      auto opened = loop_.tls->Open(socket_.native_handle());
      if (!opened) {
        loop_.log.Write(LogLevel::kError, "tls", opened.error().Text());
        Close();
        return;
      }
      tls_ = *std::move(opened);
      state_ = State::kHandshake;
    }
    SetDeadline(loop_.limits.request_timeout);
    Run();
  }

  void Close() {
    if (state_ == State::kClosed) {
      return;
    }
    if (tls_ && state_ != State::kHandshake) {
      tls_->SayGoodbye();
    }
    state_ = State::kClosed;
    error_code ignored;
    socket_.close(ignored);
    loop_.Remove(*this);
  }

  [[nodiscard]] SteadyTime Deadline() const { return deadline_; }
  [[nodiscard]] Usage CurrentUsage() const {
    return {since_, has_answered_ && state_ == State::kReading && !reader_.IsHalfWay()};
  }

  std::size_t index = 0;  // in the loop's list

 private:
  enum class State { kHandshake, kReading, kChecking, kWriting, kLingering, kClosed };
  enum class Next { kGoOn, kWait };

  void Run() {
    while (Step() == Next::kGoOn) {
    }
  }

  Next Step() {
    switch (state_) {
      case State::kHandshake:
        return ShakeHands();
      case State::kReading:
        return reader_.HasInput() && !reader_.IsHalfWay() ? Take("") : ReadMore();
      case State::kWriting:
        return WriteMore();
      case State::kLingering:
        return Linger();
      case State::kChecking:
      case State::kClosed:
        break;
    }
    return Next::kWait;
  }

  Next ShakeHands() {
    const auto result = tls_->Handshake();
    if (result.status == IoStatus::kDone) {
      state_ = State::kReading;
      return Next::kGoOn;
    }
    if (result.status == IoStatus::kPlainHttp) {
      tls_.reset();  // this client could not read our records
      must_linger_ = true;
      Answer(Text(400, "This port speaks HTTPS; the request came as plain HTTP.\n"), {});
      return Next::kGoOn;
    }
    if (result.status == IoStatus::kClosed && !tls_->Problem().empty()) {
      loop_.log.Write(LogLevel::kDebug, "handshake", "TLS handshake: " + tls_->Problem());
    }
    return WaitOrClose(result.status);
  }

  Next ReadMore() {
    if (std::exchange(is_drained_, false)) {
      return WaitOrClose(IoStatus::kWantRead);
    }
    const auto result = Read();
    if (result.status != IoStatus::kDone) {
      return WaitOrClose(result.status);
    }
    return Take(std::string_view(loop_.scratch.data(), result.bytes));
  }

  IoResult Read() {
    if (tls_) {
      return tls_->Read(loop_.scratch);
    }
    error_code problem;
    const auto bytes = socket_.read_some(asio::buffer(loop_.scratch), problem);
    if (problem == asio::error::would_block) {
      return {IoStatus::kWantRead, 0};
    }
    // A short read has emptied the socket: asking again would be a system call for nothing.
    is_drained_ = bytes < loop_.scratch.size();
    return {problem ? IoStatus::kClosed : IoStatus::kDone, bytes};
  }

  Next Take(std::string_view bytes) {
    auto incoming = reader_.Feed(bytes);
    switch (incoming.kind) {
      case Incoming::Kind::kMore:
        // The first request's time runs from the connection's start.
        if (!std::exchange(is_request_timed_, true)) {
          SetDeadline(loop_.limits.request_timeout);
        }
        break;
      case Incoming::Kind::kRefused:
        Refuse(incoming);
        break;
      case Incoming::Kind::kRequest:
        incoming_ = std::move(incoming);
        CheckPassword();
        break;
    }
    return Next::kGoOn;
  }

  void Refuse(const Incoming& incoming) {
    auto response = Text(incoming.status, std::to_string(incoming.status) + " " +
                                              std::string(ReasonPhrase(incoming.status)) + "\n");
    if (incoming.status == 405) {
      response.headers.emplace_back("Allow", "GET, HEAD");
    }
    must_linger_ = true;
    Answer(std::move(response), incoming);
  }

  void CheckPassword() {
    using Verdict = PasswordChecker::Verdict;
    if (!loop_.passwords) {
      Dispatch();
      return;
    }
    const auto credentials = ParseBasicAuth(incoming_.authorization);
    if (!credentials) {
      OnVerdict(Verdict::kWrong);
      return;
    }
    state_ = State::kChecking;
    auto done = [weak = weak_from_this(), &context = loop_.context](Verdict verdict) {
      asio::post(context, [weak, verdict] {
        const auto self = weak.lock();
        if (self && self->state_ == State::kChecking) {
          self->OnVerdict(verdict);
          self->Run();
        }
      });
    };
    if (const auto verdict = loop_.passwords->Check(*credentials, std::move(done))) {
      OnVerdict(*verdict);
    } else {
      SetDeadline(loop_.limits.response_timeout);
    }
  }

  void OnVerdict(PasswordChecker::Verdict verdict) {
    if (verdict == PasswordChecker::Verdict::kRight) {
      Dispatch();
    } else if (verdict == PasswordChecker::Verdict::kWrong) {
      auto response = Text(401, "Unauthorized\n");
      response.headers.emplace_back("WWW-Authenticate", "Basic realm=\"limpet\"");
      Answer(std::move(response), incoming_);
    } else {
      auto response = Text(503, "Too many passwords are being checked; try again.\n");
      response.headers.emplace_back("Retry-After", "1");
      Answer(std::move(response), incoming_);
    }
  }

  void Dispatch() {
    try {
      Answer(loop_.handler(incoming_.request), incoming_);
    } catch (const std::exception& problem) {
      loop_.log.Write(LogLevel::kError, "handler",
                      "answering " + incoming_.request.path + ": " + problem.what());
      Answer(Text(500, "500 Internal Server Error\n"), incoming_);
    } catch (...) {
      loop_.log.Write(LogLevel::kError, "handler",
                      "answering " + incoming_.request.path + ": an unknown exception");
      Answer(Text(500, "500 Internal Server Error\n"), incoming_);
    }
  }

  void Answer(const Response& response, const Incoming& to) {
    is_last_ = !to.keep_alive;
    auto head = ResponseHead(response, {.is_http10 = to.is_http10,
                                        .keep_alive = to.keep_alive,
                                        .date = loop_.Date(),
                                        .headers = &loop_.headers});
    const auto room = kTlsRecordBytes - std::min(kTlsRecordBytes, head.size());
    outgoing_ = Outgoing(std::move(head), to.is_head ? nullptr : response.body, tls_ ? room : 0);
    is_write_timed_ = false;
    state_ = State::kWriting;
  }

  Next WriteMore() {
    if (outgoing_.IsDone()) {
      return Finish();
    }
    const auto pieces = outgoing_.Pieces();
    const auto result = Write(pieces);
    if (result.status == IoStatus::kDone) {
      outgoing_.Sent(result.bytes);
      return Next::kGoOn;
    }
    if (!std::exchange(is_write_timed_, true)) {
      SetDeadline(loop_.limits.response_timeout);
    }
    return WaitOrClose(result.status);
  }

  IoResult Write(const std::array<std::string_view, 2>& pieces) {
    if (tls_) {
      return tls_->Write(pieces[0].empty() ? pieces[1] : pieces[0]);
    }
    error_code problem;
    const std::array buffers = {asio::const_buffer(pieces[0].data(), pieces[0].size()),
                                asio::const_buffer(pieces[1].data(), pieces[1].size())};
    const auto bytes = socket_.write_some(buffers, problem);
    if (problem == asio::error::would_block) {
      return {IoStatus::kWantWrite, 0};
    }
    return {problem ? IoStatus::kClosed : IoStatus::kDone, bytes};
  }

  // The response is out: on to the next request, or to the end.
  Next Finish() {
    outgoing_ = {};
    if (!is_last_) {
      has_answered_ = true;
      since_ = loop_.clock.Steady();
      is_request_timed_ = false;
      state_ = State::kReading;
      SetDeadline(loop_.limits.idle_timeout);
      if (++requests_ % kRequestsInARow == 0 && reader_.HasInput()) {
        asio::post(loop_.context, [self = shared_from_this()] { self->Run(); });
        return Next::kWait;
      }
      return Next::kGoOn;
    }
    if (!must_linger_ && !reader_.HasInput()) {
      Close();
      return Next::kWait;
    }
    // Closing with bytes unread makes the kernel reset the connection, and the client may lose the
    // answer with it; so these are read first.
    if (tls_) {
      tls_->SayGoodbye();
    }
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    state_ = State::kLingering;
    SetDeadline(kLingerTimeout);
    return Next::kGoOn;
  }

  Next Linger() {
    error_code problem;
    const auto bytes = socket_.read_some(asio::buffer(loop_.scratch), problem);
    lingered_ += bytes;
    if (problem == asio::error::would_block) {
      return WaitOrClose(IoStatus::kWantRead);
    }
    if (problem || lingered_ > kLingerBytes) {
      Close();
      return Next::kWait;
    }
    return Next::kGoOn;
  }

  Next WaitOrClose(IoStatus status) {
    if (status != IoStatus::kWantRead && status != IoStatus::kWantWrite) {
      Close();
      return Next::kWait;
    }
    socket_.async_wait(
        status == IoStatus::kWantRead ? tcp::socket::wait_read : tcp::socket::wait_write,
        [self = shared_from_this()](const error_code& problem) {
          if (!problem) {
            self->Run();
          }
        });
    return Next::kWait;
  }

  void SetDeadline(Duration from_now) {
    deadline_ = loop_.clock.Steady() + from_now;
    loop_.Watch(deadline_);
  }

  Loop& loop_;
  tcp::socket socket_;
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

void Loop::Admit(tcp::socket socket) {
  if (sessions_.size() >= limits.max_connections) {
    MakeRoom();
  }
  auto session = std::make_shared<Session>(*this, std::move(socket));
  session->index = sessions_.size();
  sessions_.push_back(session);
  session->Start();
}

void Loop::MakeRoom() {
  if (sessions_.empty()) {
    return;
  }
  std::vector<Usage> usages;
  usages.reserve(sessions_.size());
  for (const auto& session : sessions_) {
    usages.push_back(session->CurrentUsage());
  }
  log.Write(LogLevel::kWarning, "room",
            "over " + std::to_string(sessions_.size()) +
                " connections or no free descriptor; closing the one of least use");
  const auto least = sessions_[LeastUseful(usages, clock.Steady())];
  least->Close();
}

void Loop::Remove(const Session& session) {
  const auto index = session.index;
  std::swap(sessions_[index], sessions_.back());
  sessions_[index]->index = index;
  sessions_.pop_back();
}

void Loop::CloseAll() {
  while (!sessions_.empty()) {
    const auto last = sessions_.back();
    last->Close();
  }
  timer_.cancel();
}

void Loop::Watch(SteadyTime deadline) {
  if (deadline >= timer_at_) {
    return;
  }
  timer_at_ = deadline;
  timer_.expires_at(deadline);
  timer_.async_wait([this](const error_code& problem) {
    if (!problem) {
      CloseOverdue();
    }
  });
}

void Loop::CloseOverdue() {
  timer_at_ = SteadyTime::max();
  const auto now = clock.Steady();
  auto next = SteadyTime::max();
  for (std::size_t i = sessions_.size(); i-- > 0;) {  // backwards: closing moves the last one here
    if (sessions_[i]->Deadline() <= now) {
      const auto overdue = sessions_[i];
      overdue->Close();
    } else {
      next = std::min(next, sessions_[i]->Deadline());
    }
  }
  if (next != SteadyTime::max()) {
    Watch(next);
  }
}

std::string_view Loop::Date() {
  const auto second = std::chrono::floor<std::chrono::seconds>(clock.Now());
  if (second != date_at_) {
    date_at_ = second;
    date_ = HttpDate(second);
  }
  return date_;
}

// While one lives, threads that are started get no signals: those are for the main thread. SIGPIPE
// is among them, which OpenSSL's writes to a closed connection would raise.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
      ::sigdelset(&all, own);
    }
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

// What a WebConfig becomes.
struct Access {
  std::shared_ptr<TlsContext> tls;
  std::shared_ptr<PasswordChecker> passwords;
  std::vector<std::pair<std::string, std::string>> headers;
};

Result<Access> MakeAccess(const std::optional<WebConfig>& config, Loop& loop) {
  Access access;
  if (!config) {
    return access;
  }
  if (config->tls) {
    auto tls = TlsContext::Create(
        *config->tls, loop.clock,
        [&loop](LogLevel level, std::string_view text) { loop.log.Write(level, text, text); });
    if (!tls) {
      return tls.error();
    }
    access.tls = *std::move(tls);
  }
  if (!config->users.empty()) {
    access.passwords = std::make_shared<PasswordChecker>(config->users);
  }
  access.headers = config->headers;
  return access;
}

class BeastServer final : public Server {
 public:
  BeastServer(Handler handler, const Limits& limits, LogSink log)
      : loop_(std::move(handler), limits, std::move(log)) {}
  ~BeastServer() override { Stop(); }
  BeastServer(const BeastServer&) = delete;
  BeastServer& operator=(const BeastServer&) = delete;

  Result<void> Begin(const ServerOptions& options) {
    const SignalsBlocked blocked;
    auto access = MakeAccess(options.config, loop_);
    if (!access) {
      return access.error();
    }
    Swap(*access);
    if (options.listen_addresses.empty()) {
      return Error{ErrorCode::kInvalid, "expected at least one, such as :9836",
                   "--web.listen-address"};
    }
    for (const auto& text : options.listen_addresses) {
      const auto address = ParseListenAddress(text);
      if (!address) {
        return address.error();
      }
      const auto socket = Listen(*address);
      if (!socket) {
        return socket.error();
      }
      auto& listener = *listeners_.emplace_back(std::make_unique<Listener>(loop_.context));
      listener.socket = *socket;
      listener.acceptor.assign(socket->is_ipv6 ? tcp::v6() : tcp::v4(), socket->fd);
      listener.acceptor.non_blocking(true);
    }
    for (auto& listener : listeners_) {
      Accept(*listener);
    }
    thread_ = std::thread([this] { loop_.context.run(); });
    return {};
  }

  std::uint16_t Port() const override { return listeners_.front()->socket.port; }

  std::vector<std::string> Addresses() const override {
    std::vector<std::string> addresses;
    for (const auto& listener : listeners_) {
      addresses.push_back(listener->socket.address);
    }
    return addresses;
  }

  Result<void> Reload(std::optional<WebConfig> config) override {
    const SignalsBlocked blocked;
    auto access = MakeAccess(config, loop_);
    if (!access) {
      return access.error();
    }
    if (!thread_.joinable()) {
      return {};
    }
    std::promise<void> swapped;
    asio::post(loop_.context, [&] {
      Swap(*access);
      swapped.set_value();
    });
    swapped.get_future().wait();
    return {};  // the earlier passwords' worker ends here, not on the loop
  }

  void Stop() override {
    if (!thread_.joinable()) {
      return;
    }
    asio::post(loop_.context, [this] {
      for (auto& listener : listeners_) {
        error_code ignored;
        listener->acceptor.close(ignored);
        listener->pause.cancel();
      }
      loop_.CloseAll();
      loop_.context.stop();
    });
    thread_.join();
  }

 private:
  struct Listener {
    explicit Listener(asio::io_context& context) : acceptor(context), pause(context) {}
    ListeningSocket socket;
    tcp::acceptor acceptor;
    asio::steady_timer pause;
  };

  void Swap(Access& access) {
    loop_.tls.swap(access.tls);
    loop_.passwords.swap(access.passwords);
    loop_.headers.swap(access.headers);
  }

  void Accept(Listener& listener) {
    listener.acceptor.async_accept(
        [this, &listener](const error_code& problem, tcp::socket socket) {
          if (problem == asio::error::operation_aborted) {
            return;
          }
          if (!problem) {
            loop_.Admit(std::move(socket));
          } else if (problem != asio::error::connection_aborted) {
            // No descriptors or no memory left: an honest client waits in the queue meanwhile.
            loop_.log.Write(LogLevel::kWarning, "accept",
                            "accepting on " + listener.socket.address + ": " + problem.message());
            loop_.MakeRoom();
            listener.pause.expires_after(kAcceptPause);
            listener.pause.async_wait([this, &listener](const error_code& stopped) {
              if (!stopped) {
                Accept(listener);
              }
            });
            return;
          }
          Accept(listener);
        });
  }

  Loop loop_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::Start(ServerOptions options, Handler handler, LogSink log) {
  auto server = std::make_unique<BeastServer>(std::move(handler), options.limits, std::move(log));
  if (auto begun = server->Begin(options); !begun) {
    return begun.error();
  }
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace limpet::web
