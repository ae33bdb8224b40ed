#include "exporter/common/web/session.h"

#include <netinet/tcp.h>

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <exception>
#include <type_traits>

#include "exporter/common/web/basic_auth.h"
#include "exporter/common/web/request_reader.h"
#include "exporter/common/web/response_head.h"

namespace limpet::web {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using boost::system::error_code;
using TlsStream = ssl::stream<Socket>;

using UnsentBytes = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_NOTSENT_LOWAT>;

constexpr int kMaxUnsent = 64 << 10;
constexpr std::size_t kTlsRecordBytes = 16U << 10U;
// What a client that was refused may still send before it is cut off.
constexpr std::size_t kLingerBytes = 1U << 20U;
constexpr Duration kLingerTimeout = std::chrono::seconds(2);
constexpr std::string_view kPlainOnTls =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
    "Connection: close\r\n\r\nThis port speaks HTTPS; the request came as plain HTTP.\n";

// Transport: Socket or TlsStream. Every operation's handler holds the session, and every handler
// ends in the next operation or in Close.
template <class Transport>
class Session final : public Connection, public std::enable_shared_from_this<Session<Transport>> {
 public:
  template <class... Arguments>
  explicit Session(Connections& shared, Arguments&&... arguments)
      : shared_(shared),
        stream_(std::forward<Arguments>(arguments)...),
        reader_(shared.limits),
        since_(shared.clock.Steady()) {}

  void Start() override {
    error_code ignored;
    // A response is written whole, so Nagle's algorithm would only hold back its last packet.
    Tcp().set_option(asio::ip::tcp::no_delay(true), ignored);
    // The kernel takes no more than this beyond what the client has room for. Otherwise a client
    // that does not read has 4 MB of responses made for it, and a few hundred of them use up the
    // memory of all of the machine's TCP connections (docs/decisions/0140).
    Tcp().set_option(UnsentBytes(kMaxUnsent), ignored);
    // The first request's time runs from here.
    SetDeadline(shared_.limits.request_timeout);
    if constexpr (kIsTls) {
      stream_.async_handshake(ssl::stream_base::server,
                              Then([this](std::size_t) { ReadMore(); },
                                   [this](const error_code& problem) { OnHandshake(problem); }));
    } else {
      ReadMore();
    }
  }

  void Close() override {
    if (!std::exchange(is_closed_, true)) {
      error_code ignored;
      Tcp().close(ignored);  // ends the operation under way, too
      shared_.Remove(*this);
    }
  }

  void Continue() override {
    if (!is_closed_) {
      Handle(reader_.Received(0));
    }
  }

  // Never while a piece is on its way, so a slow client holds one piece and no queue.
  void Pump() override {
    if (is_closed_ || is_sending_ || !source_) {
      return;
    }
    auto piece = NextPiece();
    if (piece.is_last) {
      source_.reset();
    }
    if (!piece.bytes) {
      piece.is_last ? EndStream() : void();
      return;
    }
    is_sending_ = true;
    // Until it has been sent, the client may be one that never reads: the first to go when there
    // are too many.
    is_idle_ = false;
    body_ = std::move(piece.bytes);
    SetDeadline(shared_.limits.response_timeout);
    asio::async_write(stream_, asio::buffer(*body_), Then([this](std::size_t) { OnPieceSent(); }));
  }

  [[nodiscard]] Usage CurrentUsage() const override {
    return {.since = since_,
            .is_idle_good = is_idle_,
            .is_pipelining = reader_.HasInput() && !reader_.IsHalfWay()};
  }
  [[nodiscard]] SteadyTime Deadline() const override { return deadline_; }

 private:
  static constexpr bool kIsTls = std::is_same_v<Transport, TlsStream>;
  static Socket& Lowest(Socket& stream) { return stream; }
  static Socket& Lowest(TlsStream& stream) { return stream.next_layer(); }
  Socket& Tcp() { return Lowest(stream_); }

  void SetDeadline(Duration from_now) {
    deadline_ = shared_.clock.Steady() + from_now;
    shared_.Watch(deadline_);
  }

  // The handler of an operation: `next` when it went well, else `otherwise`, and nothing at all
  // once the connection is closed.
  template <class Next, class Otherwise>
  auto Then(Next next, Otherwise otherwise) {
    return [self = this->shared_from_this(), next = std::move(next),
            otherwise = std::move(otherwise)](const error_code& problem, std::size_t bytes = 0) {
      if (self->is_closed_) {
        return;
      }
      if (problem) {
        otherwise(problem);
      } else {
        next(bytes);
      }
    };
  }
  template <class Next>
  auto Then(Next next) {
    return Then(std::move(next), [this](const error_code&) { Close(); });
  }

  void OnHandshake(const error_code& problem) {
    if (IsPlainHttp(problem)) {
      // TLS failed before it sent anything, so the client can read this.
      asio::async_write(Tcp(), asio::buffer(kPlainOnTls.data(), kPlainOnTls.size()),
                        Then([this](std::size_t) { ShutDown(); }));
      return;
    }
    if (problem.category() == asio::error::get_ssl_category()) {
      shared_.log.Write(LogLevel::kDebug, "handshake", "TLS handshake: " + problem.message());
    }
    Close();
  }

  void ReadMore() {
    stream_.async_read_some(reader_.Room(),
                            Then([this](std::size_t bytes) { Handle(reader_.Received(bytes)); }));
  }

  void Handle(Incoming incoming) {
    switch (incoming.kind) {
      case Incoming::Kind::kMore:
        // A later request's time runs from its first byte.
        if (std::exchange(is_idle_, false)) {
          SetDeadline(shared_.limits.request_timeout);
        }
        ReadMore();
        break;
      case Incoming::Kind::kRefused:
        Refuse(incoming);
        break;
      case Incoming::Kind::kRequest:
        is_idle_ = false;
        incoming_ = std::move(incoming);
        CheckPassword();
        break;
    }
  }

  void Refuse(const Incoming& incoming) {
    auto response = Text(incoming.status, std::to_string(incoming.status) + " " +
                                              std::string(ReasonPhrase(incoming.status)) + "\n");
    if (incoming.status == 405) {
      response.headers.emplace_back("Allow",
                                    shared_.limits.allow_post ? "GET, HEAD, POST" : "GET, HEAD");
    }
    Answer(response, incoming);
  }

  void CheckPassword() {
    using Verdict = PasswordChecker::Verdict;
    if (!shared_.passwords) {
      Dispatch();
      return;
    }
    const auto credentials = ParseBasicAuth(incoming_.authorization);
    if (!credentials) {
      OnVerdict(Verdict::kWrong);
      return;
    }
    incoming_.request.user = credentials->user;
    // Weak: the checker may outlive us, and its answer comes on its own thread.
    auto done = [weak = this->weak_from_this(), &context = shared_.context](Verdict verdict) {
      asio::post(context, [weak, verdict] {
        const auto self = weak.lock();
        if (self && !self->is_closed_) {
          self->OnVerdict(verdict);
        }
      });
    };
    if (const auto verdict = shared_.passwords->Check(*credentials, client, std::move(done))) {
      OnVerdict(*verdict);
    }
  }

  void OnVerdict(PasswordChecker::Verdict verdict) {
    if (verdict == PasswordChecker::Verdict::kRight) {
      Dispatch();
    } else if (verdict == PasswordChecker::Verdict::kWrong) {
      auto response = Text(401, "Unauthorized\n");
      response.headers.emplace_back("WWW-Authenticate", "Basic realm=\"limpet\"");
      Answer(response, incoming_);
    } else {
      auto response = verdict == PasswordChecker::Verdict::kTooMany
                          ? Text(429, "Too many wrong passwords from your address; try again.\n")
                          : Text(503, "Too many passwords are being checked; try again.\n");
      response.headers.emplace_back("Retry-After", "1");
      Answer(response, incoming_);
    }
  }

  void Dispatch() {
    std::string problem = "an unknown exception";
    incoming_.request.client = client;
    incoming_.request.is_authenticated = shared_.authenticates;
    try {
      const auto response = shared_.handler(incoming_.request);
      response.later ? Await(response.later) : Answer(response, incoming_);
      return;
    } catch (const std::exception& thrown) {
      problem = thrown.what();
    } catch (...) {
    }
    shared_.log.Write(LogLevel::kError, "handler",
                      "answering " + incoming_.request.path + ": " + problem);
    // The client learns no more than that: the text is for the log.
    Answer(Text(500, "500 Internal Server Error\n"), incoming_);
  }

  // The answer is made by another thread; until then the connection does nothing.
  void Await(const std::function<void(Reply)>& later) {
    const auto waiting = ++waiting_;
    SetDeadline(shared_.limits.response_timeout);
    // Weak: who makes it may outlive us.
    later([weak = this->weak_from_this(), &context = shared_.context, waiting](Response response) {
      asio::post(context, [weak, waiting, response = std::move(response)] {
        const auto self = weak.lock();
        if (self && !self->is_closed_ && self->waiting_ == waiting) {
          ++self->waiting_;
          self->Answer(response, self->incoming_);
        }
      });
    });
  }

  void Answer(const Response& response, const Incoming& to) {
    keep_alive_ = to.keep_alive && !response.stream;
    source_ = to.is_head ? nullptr : response.stream;
    head_ = ResponseHead(response, {.is_http10 = to.is_http10,
                                    .keep_alive = to.keep_alive,
                                    .date = shared_.Date(),
                                    .headers = &shared_.headers});
    // HEAD: the fields of the body, not the body.
    body_ = to.is_head ? nullptr : response.body;
    std::string_view body = body_ ? std::string_view(*body_) : std::string_view();
    if constexpr (kIsTls) {
      // ssl::stream makes a record, and so a packet, of each buffer: no packet for the head alone.
      const auto with_head =
          std::min(body.size(), kTlsRecordBytes - std::min(kTlsRecordBytes, head_.size()));
      head_.append(body.substr(0, with_head));
      body.remove_prefix(with_head);
    }
    SetDeadline(shared_.limits.response_timeout);
    asio::async_write(stream_,
                      std::array{asio::const_buffer(head_.data(), head_.size()),
                                 asio::const_buffer(body.data(), body.size())},
                      Then([this](std::size_t) { OnAnswered(); }));
  }

  void OnAnswered() {
    // An idle connection keeps no bytes, and lets go of a page that is out of date.
    head_ = {};
    body_.reset();
    if (source_) {
      WatchPeer();
      OnPieceSent();
      shared_.AddStream(this->shared_from_this());
      return;
    }
    if (!keep_alive_) {
      SayGoodbye();
      return;
    }
    since_ = shared_.clock.Steady();
    // Pipelined: part of the next request is here already, so its time runs from now.
    if (reader_.HasInput()) {
      SetDeadline(shared_.limits.request_timeout);
      shared_.Defer(this->shared_from_this());
      return;
    }
    is_idle_ = true;
    SetDeadline(shared_.limits.idle_timeout);
    ReadMore();
  }

  void OnPieceSent() {
    is_sending_ = false;
    body_.reset();
    if (!source_) {
      EndStream();
      return;
    }
    is_idle_ = true;
    since_ = shared_.clock.Steady();
    SetDeadline(shared_.limits.idle_timeout);
  }

  Stream::Piece NextPiece() {
    try {
      return source_->Next(shared_.clock.Steady());
    } catch (const std::exception& thrown) {
      // The head said 200 long ago: all that can be done is to end.
      shared_.log.Write(LogLevel::kError, "stream", std::string("a stream: ") + thrown.what());
      return {.bytes = nullptr, .is_last = true};
    }
  }

  // While a stream lasts nothing is asked for; but only a read finds out that the client is gone.
  void WatchPeer() {
    stream_.async_read_some(asio::buffer(discarded_), Then([this](std::size_t bytes) {
                              lingered_ += bytes;
                              lingered_ > kLingerBytes ? Close() : WatchPeer();
                            }));
  }

  // The read under way closes the connection once the client has had everything.
  void EndStream() {
    error_code ignored;
    Tcp().shutdown(asio::socket_base::shutdown_send, ignored);
    SetDeadline(kLingerTimeout);
  }

  void SayGoodbye() {
    SetDeadline(kLingerTimeout);
    if constexpr (kIsTls) {
      // Whatever comes of it: the client that does not answer has had its response.
      stream_.async_shutdown(
          Then([this](std::size_t) { ShutDown(); }, [this](const error_code&) { ShutDown(); }));
    } else {
      ShutDown();
    }
  }

  // Closing with bytes unread makes the kernel reset the connection, and the client may lose the
  // answer with it; so what it still sends is read first, up to a bound.
  void ShutDown() {
    error_code ignored;
    Tcp().shutdown(asio::socket_base::shutdown_send, ignored);
    SetDeadline(kLingerTimeout);
    Linger();
  }

  void Linger() {
    Tcp().async_read_some(asio::buffer(discarded_), Then([this](std::size_t bytes) {
                            lingered_ += bytes;
                            lingered_ > kLingerBytes ? Close() : Linger();
                          }));
  }

  Connections& shared_;
  Transport stream_;
  RequestReader reader_;
  Incoming incoming_;                        // the request that is being answered
  std::string head_;                         // of the response on its way
  std::shared_ptr<const std::string> body_;  // sent from where it lies
  std::shared_ptr<Stream> source_;           // of a response without an end
  std::array<char, 512> discarded_{};
  std::size_t lingered_ = 0;
  std::uint64_t waiting_ = 0;  // number of the answer that is awaited
  SteadyTime since_;
  SteadyTime deadline_;
  bool is_idle_ = false;  // has had an answer, and the next request has not begun
  bool keep_alive_ = true;
  bool is_sending_ = false;  // a piece of a stream
  bool is_closed_ = false;
};

}  // namespace

std::shared_ptr<Connection> MakeSession(Connections& shared, Socket socket) {
  if (shared.tls) {
    return std::make_shared<Session<TlsStream>>(shared, std::move(socket), shared.tls->Current());
  }
  return std::make_shared<Session<Socket>>(shared, std::move(socket));
}

}  // namespace limpet::web
