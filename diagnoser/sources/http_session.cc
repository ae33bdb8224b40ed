#include "diagnoser/sources/http_session.h"

#include <fmt/core.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "diagnoser/sources/http_problem.h"
#include "diagnoser/sources/http_request.h"
#include "diagnoser/sources/http_response.h"
#include "diagnoser/sources/tls_client.h"

namespace limpet {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace ssl = boost::asio::ssl;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

constexpr std::size_t kMaxReadAhead = 256U << 10U;
// Beast reads as much at once as the buffer has room, and by itself makes it hardly larger than its
// smallest read, 512 bytes: many calls for a page.
constexpr std::size_t kReadAhead = 32U << 10U;
constexpr std::uint32_t kMaxHeader = 32U << 10U;

// One TCP connection and all that its operations under way may touch. Their handlers hold it, so
// that a request can be given up at any moment.
struct Transport {
  explicit Transport(asio::io_context& io) : socket(io), read_ahead(kMaxReadAhead) {
    read_ahead.reserve(kReadAhead);
  }

  Tcp::socket socket;
  std::optional<ssl::context> context;  // declared first: the stream refers to it
  std::optional<ssl::stream<Tcp::socket&>> tls;
  beast::flat_buffer read_ahead;
  http::request<http::string_body> request;
  std::optional<http::response_parser<http::string_body>> parser;

  void Close() {
    error_code ignored;
    socket.close(ignored);
  }
};
using TransportPtr = std::shared_ptr<Transport>;

// The life of one target: connects when needed, asks, keeps the connection. Boost 1.74 cannot
// cancel a single operation, so every request has a number, and handlers of an earlier one do
// nothing.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(asio::io_context& io, const Clock& clock, Endpoint endpoint)
      : io_(io), clock_(clock), endpoint_(std::move(endpoint)), resolver_(io), timer_(io) {}

  void SetPath(std::string path) { endpoint_.path = std::move(path); }

  void Get(Duration timeout, std::function<void(FetchResult)> done) {
    upload_.reset();
    Begin(timeout, std::move(done));
  }

  void Send(Upload upload, Duration timeout, std::function<void(FetchResult)> done) {
    upload_ = std::move(upload);
    Begin(timeout, std::move(done));
  }

  void Abort() {
    ++request_;
    done_ = nullptr;
    timer_.cancel();
    resolver_.cancel();
    Disconnect();
  }

 private:
  void Begin(Duration timeout, std::function<void(FetchResult)> done) {
    done_ = std::move(done);
    timeout_ = timeout;
    began_ = clock_.Steady();
    asked_at_ = clock_.Now();
    const auto request = ++request_;
    timer_.expires_after(timeout);
    timer_.async_wait([self = shared_from_this(), request](error_code code) {
      if (!code && request == self->request_) {
        self->HandleTimeout();
      }
    });
    reused_ = transport_ != nullptr;
    if (reused_) {
      Write();
    } else {
      Connect();
    }
  }

  // Wraps a handler so that it is skipped once its request is over, and keeps alive what it
  // touches.
  template <class Handler>
  auto Guard(Handler handler) {
    return [self = shared_from_this(), transport = transport_, request = request_, handler](
               error_code code, auto&&... more) {
      if (request == self->request_) {
        handler(*self, code, more...);
      }
    };
  }

  template <class Function>
  void WithStream(Function function) {
    if (transport_->tls) {
      function(*transport_->tls);
    } else {
      function(transport_->socket);
    }
  }

  void Connect() {
    transport_ = std::make_shared<Transport>(io_);
    if (!addresses_.empty()) {
      ConnectTo();
      return;
    }
    error_code not_a_number;
    const auto address = asio::ip::make_address(endpoint_.host, not_a_number);
    if (!not_a_number) {
      addresses_ = {Tcp::endpoint(address, endpoint_.port)};
      ConnectTo();
      return;
    }
    stage_ = Stage::kResolving;
    resolver_.async_resolve(
        endpoint_.host, std::to_string(endpoint_.port),
        Guard([](Session& self, error_code code, const Tcp::resolver::results_type& found) {
          if (code) {
            self.Fail(FetchFailure::kResolve,
                      "no address for " + self.endpoint_.host + ": " + code.message());
            return;
          }
          // Kept for later connections: one look-up a second and target would be a burden.
          for (const auto& entry : found) {
            self.addresses_.push_back(entry.endpoint());
          }
          self.ConnectTo();
        }));
  }

  void ConnectTo() {
    stage_ = Stage::kConnecting;
    asio::async_connect(transport_->socket, addresses_,
                        Guard([](Session& self, error_code code, const auto& /*which*/) {
                          if (code) {
                            self.Fail(FetchFailure::kConnect, "cannot connect: " + code.message());
                            return;
                          }
                          // A request fits one packet; Nagle would hold it back.
                          error_code ignored;
                          self.transport_->socket.set_option(Tcp::no_delay(true), ignored);
                          if (self.endpoint_.https) {
                            self.StartTls();
                          } else {
                            self.Write();
                          }
                        }));
  }

  void StartTls() {
    stage_ = Stage::kHandshake;
    const auto& tls = endpoint_.tls;
    try {
      // Made for every connection, so that a renewed certificate or authority is read again.
      transport_->context.emplace(MakeTlsContext(tls));
      transport_->tls.emplace(transport_->socket, *transport_->context);
      ExpectName(*transport_->tls, tls.server_name.empty() ? endpoint_.host : tls.server_name, tls);
    } catch (const boost::system::system_error& failed) {
      Fail(FetchFailure::kTls,
           std::string("cannot use ca_file, cert_file or key_file: ") + failed.code().message());
      return;
    } catch (const std::runtime_error& failed) {  // not a file that OpenSSL should read
      Fail(FetchFailure::kTls,
           std::string("cannot use ca_file, cert_file or key_file: ") + failed.what());
      return;
    }
    transport_->tls->async_handshake(
        ssl::stream_base::client, Guard([](Session& self, error_code code) {
          if (code) {
            const auto& named = self.endpoint_.tls.server_name;
            self.Fail(FetchFailure::kTls,
                      ExplainHandshake(code, VerifyResult(*self.transport_->tls),
                                       named.empty() ? self.endpoint_.host : named));
            return;
          }
          self.Write();
        }));
  }

  void Write() {
    stage_ = Stage::kSending;
    // Again: connecting may have taken most of a second, and readings are dated by this instant.
    asked_at_ = clock_.Now();
    transport_->request =
        upload_ ? MakeUpload(endpoint_, timeout_, *upload_) : MakeRequest(endpoint_, timeout_);
    transport_->parser.emplace();
    transport_->parser->header_limit(kMaxHeader);
    transport_->parser->body_limit(endpoint_.max_body);
    WithStream([&](auto& stream) {
      http::async_write(stream, transport_->request,
                        Guard([](Session& self, error_code code, std::size_t) {
                          if (code) {
                            self.HandleBreak(code);
                            return;
                          }
                          self.ReadHeader();
                        }));
    });
  }

  // Header and body apart, so that a timeout can say which one it waited for.
  void ReadHeader() {
    stage_ = Stage::kHeader;
    WithStream([&](auto& stream) {
      http::async_read_header(stream, transport_->read_ahead, *transport_->parser,
                              Guard([](Session& self, error_code code, std::size_t) {
                                if (code) {
                                  self.HandleBreak(code);
                                  return;
                                }
                                self.ReadBody();
                              }));
    });
  }

  void ReadBody() {
    stage_ = Stage::kBody;
    WithStream([&](auto& stream) {
      http::async_read(stream, transport_->read_ahead, *transport_->parser,
                       Guard([](Session& self, error_code code, std::size_t) {
                         if (code) {
                           self.HandleBreak(code);
                           return;
                         }
                         self.HandleAnswer();
                       }));
    });
  }

  void HandleBreak(error_code code) {
    const bool untouched = !transport_->parser || !transport_->parser->got_some();
    // A kept connection that the server has closed meanwhile shows only when it is used: once more
    // on a fresh one, within the same time.
    if (reused_ && untouched && code != http::error::header_limit) {
      reused_ = false;
      Disconnect();
      Connect();
      return;
    }
    auto problem = ExplainBreak(code, stage_, untouched, endpoint_.max_body, endpoint_.https);
    Fail(problem.failure, std::move(problem.text));
  }

  void HandleAnswer() {
    auto message = transport_->parser->release();
    // Bytes behind the answer mean a wrong length: what follows cannot be trusted.
    if (!message.keep_alive() || transport_->read_ahead.size() > 0) {
      Disconnect();
    }
    Finish(upload_ ? ReadReceipt(message) : ReadResponse(std::move(message), endpoint_));
  }

  void HandleTimeout() {
    auto text = fmt::format("not done within {} s, {}", ToSeconds(timeout_), Describe(stage_));
    if (stage_ == Stage::kBody && transport_ && transport_->parser) {
      text += " (" + std::to_string(transport_->parser->get().body().size()) + " bytes so far)";
    }
    resolver_.cancel();
    Fail(FetchFailure::kTimeout, std::move(text));
  }

  void Fail(FetchFailure failure, std::string text) {
    Disconnect();
    if (failure == FetchFailure::kConnect || failure == FetchFailure::kTimeout) {
      addresses_.clear();  // the name may have moved
    }
    Finish({.failure = failure, .error = std::move(text), .body = {}});
  }

  void Finish(FetchResult result) {
    ++request_;  // the timer may be due already: its handler must find another number
    timer_.cancel();
    result.asked_at = asked_at_;
    result.took = clock_.Steady() - began_;
    const auto done = std::exchange(done_, nullptr);
    // Not from inside Get: the caller may not be ready for its answer yet.
    asio::post(io_, [self = shared_from_this(), request = request_, done,
                     result = std::move(result)]() mutable {
      if (request == self->request_) {
        done(std::move(result));
      }
    });
  }

  void Disconnect() {
    if (transport_) {
      transport_->Close();
      transport_.reset();
    }
  }

  asio::io_context& io_;
  const Clock& clock_;
  Endpoint endpoint_;
  std::optional<Upload> upload_;  // what is sent; nullopt: a page is asked for
  Tcp::resolver resolver_;
  asio::steady_timer timer_;
  std::vector<Tcp::endpoint> addresses_;
  TransportPtr transport_;     // null: not connected
  std::uint64_t request_ = 0;  // number of the one under way
  std::function<void(FetchResult)> done_;
  Duration timeout_{};
  SteadyTime began_;
  UnixTime asked_at_;
  Stage stage_ = Stage::kConnecting;
  bool reused_ = false;  // the connection has answered before
};

// What the caller holds. Operations under way keep the session alive, so its end must be said.
class SessionConnection final : public Connection {
 public:
  explicit SessionConnection(std::shared_ptr<Session> session) : session_(std::move(session)) {}
  ~SessionConnection() override { session_->Abort(); }
  SessionConnection(const SessionConnection&) = delete;
  SessionConnection& operator=(const SessionConnection&) = delete;

  void SetPath(std::string path) override { session_->SetPath(std::move(path)); }
  void Get(Duration timeout, std::function<void(FetchResult)> done) override {
    session_->Get(timeout, std::move(done));
  }
  void Send(Upload upload, Duration timeout, std::function<void(FetchResult)> done) override {
    session_->Send(std::move(upload), timeout, std::move(done));
  }

 private:
  std::shared_ptr<Session> session_;
};

}  // namespace

std::unique_ptr<Connection> OpenSession(asio::io_context& io, const Clock& clock,
                                        Endpoint endpoint) {
  return std::make_unique<SessionConnection>(
      std::make_shared<Session>(io, clock, std::move(endpoint)));
}

}  // namespace limpet
