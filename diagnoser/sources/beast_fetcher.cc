#include <fmt/core.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "diagnoser/sources/fetcher.h"
#include "diagnoser/sources/page.h"
#include "exporter/common/exposition/negotiate.h"
#include "exporter/common/text.h"

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
constexpr std::size_t kMaxReason = 2048;  // of a refusal, for people

// One TCP connection and all that its operations under way may touch. Their handlers hold it, so
// that a request can be given up at any moment.
struct Wire {
  explicit Wire(asio::io_context& io) : socket(io), read_ahead(kMaxReadAhead) {
    read_ahead.reserve(kReadAhead);
  }

  Tcp::socket socket;
  std::optional<ssl::context> context;
  std::optional<ssl::stream<Tcp::socket&>> tls;
  beast::flat_buffer read_ahead;
  http::request<http::empty_body> request;
  std::optional<http::response_parser<http::string_body>> parser;

  void Close() {
    error_code ignored;
    socket.close(ignored);
  }
};
using WirePtr = std::shared_ptr<Wire>;

std::string Base64(std::string_view text) {
  std::string out((text.size() + 2) / 3 * 4 + 1, '\0');  // and a final NUL
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                  reinterpret_cast<const unsigned char*>(text.data()),
                  static_cast<int>(text.size()));
  out.pop_back();
  return out;
}

http::request<http::empty_body> MakeRequest(const Endpoint& endpoint, Duration timeout) {
  http::request<http::empty_body> request(http::verb::get, endpoint.path, 11);
  const bool is_ipv6 = endpoint.host.find(':') != std::string::npos;
  request.set(http::field::host, (is_ipv6 ? "[" + endpoint.host + "]" : endpoint.host) + ":" +
                                     std::to_string(endpoint.port));
  request.set(http::field::user_agent, "Limpet/" LIMPET_VERSION);
  request.set(http::field::accept,
              endpoint.accept.empty() ? std::string(kAcceptBoth) : endpoint.accept);
  request.set(http::field::accept_encoding, endpoint.compressed ? "gzip" : "identity");
  request.set("X-Prometheus-Scrape-Timeout-Seconds", fmt::format("{}", ToSeconds(timeout)));
  if (!endpoint.basic_auth.username.empty()) {
    request.set(http::field::authorization, "Basic " + Base64(endpoint.basic_auth.username + ":" +
                                                              endpoint.basic_auth.password));
  } else if (!endpoint.authorization.empty()) {
    request.set(http::field::authorization, endpoint.authorization);
  }
  for (const auto& [name, value] : endpoint.headers) {
    request.set(name, value);
  }
  return request;
}

// Throws boost::system::system_error when a file cannot be used.
ssl::context MakeContext(const TlsClient& tls) {
  ssl::context context(ssl::context::tls_client);
  context.set_options(ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
  if (tls.ca_file.empty()) {
    context.set_default_verify_paths();
  } else {
    context.load_verify_file(tls.ca_file);
  }
  if (!tls.cert_file.empty()) {
    context.use_certificate_chain_file(tls.cert_file);
    context.use_private_key_file(tls.key_file, ssl::context::pem);
  }
  context.set_verify_mode(tls.insecure_skip_verify ? ssl::verify_none : ssl::verify_peer);
  return context;
}

enum class Stage { kResolving, kConnecting, kHandshake, kSending, kHeader, kBody };

std::string_view Doing(Stage stage) {
  switch (stage) {
    case Stage::kResolving:
      return "looking up its name";
    case Stage::kConnecting:
      return "connecting";
    case Stage::kHandshake:
      return "in the TLS handshake";
    case Stage::kSending:
      return "sending the request";
    case Stage::kHeader:
      return "waiting for an answer";
    case Stage::kBody:
      return "reading the page";
  }
  return "";
}

// The life of one target: connects when needed, asks, keeps the connection. Every request has a
// number; a handler of an earlier one finds that its number is over and does nothing.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(asio::io_context& io, const Clock& clock, Endpoint endpoint)
      : io_(io), clock_(clock), endpoint_(std::move(endpoint)), resolver_(io), timer_(io) {}

  void SetPath(std::string path) { endpoint_.path = std::move(path); }

  void Get(Duration timeout, std::function<void(FetchResult)> done) {
    done_ = std::move(done);
    timeout_ = timeout;
    began_ = clock_.Steady();
    asked_at_ = clock_.Now();
    const auto turn = ++turn_;
    timer_.expires_after(timeout);
    timer_.async_wait([self = shared_from_this(), turn](error_code code) {
      if (!code && turn == self->turn_) {
        self->TimedOut();
      }
    });
    reused_ = wire_ != nullptr;
    if (reused_) {
      Send();
    } else {
      Connect();
    }
  }

  void Abort() {
    ++turn_;
    done_ = nullptr;
    timer_.cancel();
    resolver_.cancel();
    Drop();
  }

 private:
  // Wraps a step so that it is skipped once its request is over, and keeps alive what it touches.
  template <class Step>
  auto Guarded(Step step) {
    return [self = shared_from_this(), wire = wire_, turn = turn_, step](error_code code,
                                                                         auto&&... more) {
      if (turn == self->turn_) {
        step(*self, code, more...);
      }
    };
  }

  template <class Use>
  void OnStream(Use use) {
    if (wire_->tls) {
      use(*wire_->tls);
    } else {
      use(wire_->socket);
    }
  }

  void Connect() {
    wire_ = std::make_shared<Wire>(io_);
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
        Guarded([](Session& self, error_code code, const Tcp::resolver::results_type& found) {
          if (code) {
            self.Fail(FetchFailure::kResolve,
                      "no address for " + self.endpoint_.host + ": " + code.message());
            return;
          }
          for (const auto& entry : found) {
            self.addresses_.push_back(entry.endpoint());
          }
          self.ConnectTo();
        }));
  }

  void ConnectTo() {
    stage_ = Stage::kConnecting;
    asio::async_connect(wire_->socket, addresses_,
                        Guarded([](Session& self, error_code code, const auto& /*which*/) {
                          if (code) {
                            self.Fail(FetchFailure::kConnect, "cannot connect: " + code.message());
                            return;
                          }
                          error_code ignored;
                          self.wire_->socket.set_option(Tcp::no_delay(true), ignored);
                          if (self.endpoint_.https) {
                            self.Handshake();
                          } else {
                            self.Send();
                          }
                        }));
  }

  void Handshake() {
    stage_ = Stage::kHandshake;
    const auto& tls = endpoint_.tls;
    const auto& name = tls.server_name.empty() ? endpoint_.host : tls.server_name;
    try {
      wire_->context.emplace(MakeContext(tls));
      wire_->tls.emplace(wire_->socket, *wire_->context);
      if (!tls.insecure_skip_verify) {
        wire_->tls->set_verify_callback(ssl::host_name_verification(name));
      }
    } catch (const boost::system::system_error& failed) {
      Fail(FetchFailure::kTls,
           std::string("cannot use ca_file, cert_file or key_file: ") + failed.code().message());
      return;
    }
    error_code not_a_number;
    (void)asio::ip::make_address(name, not_a_number);
    if (not_a_number) {  // a name: say it, servers of many names need it (not for an address)
      SSL_ctrl(wire_->tls->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
               const_cast<char*>(name.c_str()));
    }
    wire_->tls->async_handshake(
        ssl::stream_base::client, Guarded([](Session& self, error_code code) {
          if (code) {
            self.Fail(FetchFailure::kTls, "TLS handshake failed: " + code.message());
            return;
          }
          self.Send();
        }));
  }

  void Send() {
    stage_ = Stage::kSending;
    asked_at_ = clock_.Now();
    wire_->request = MakeRequest(endpoint_, timeout_);
    wire_->parser.emplace();
    wire_->parser->header_limit(kMaxHeader);
    wire_->parser->body_limit(endpoint_.max_body);
    OnStream([&](auto& stream) {
      http::async_write(stream, wire_->request,
                        Guarded([](Session& self, error_code code, std::size_t) {
                          if (code) {
                            self.Broken(code);
                            return;
                          }
                          self.ReadHeader();
                        }));
    });
  }

  void ReadHeader() {
    stage_ = Stage::kHeader;
    OnStream([&](auto& stream) {
      http::async_read_header(stream, wire_->read_ahead, *wire_->parser,
                              Guarded([](Session& self, error_code code, std::size_t) {
                                if (code) {
                                  self.Broken(code);
                                  return;
                                }
                                self.ReadBody();
                              }));
    });
  }

  void ReadBody() {
    stage_ = Stage::kBody;
    OnStream([&](auto& stream) {
      http::async_read(stream, wire_->read_ahead, *wire_->parser,
                       Guarded([](Session& self, error_code code, std::size_t) {
                         if (code) {
                           self.Broken(code);
                           return;
                         }
                         self.Answered();
                       }));
    });
  }

  // A kept connection that the server has closed meanwhile shows only when it is used: once more
  // on a fresh one, within the same time.
  void Broken(error_code code) {
    const bool untouched = !wire_->parser || !wire_->parser->got_some();
    if (reused_ && untouched && code != http::error::header_limit) {
      reused_ = false;
      Drop();
      Connect();
      return;
    }
    if (code == http::error::body_limit) {
      Fail(FetchFailure::kTooLarge,
           "the page is over " + std::to_string(endpoint_.max_body) + " bytes (body_size_limit)");
    } else if (stage_ == Stage::kSending || (untouched && code == http::error::end_of_stream)) {
      Fail(FetchFailure::kConnect, "closed the connection without an answer");
    } else if (code == http::error::partial_message || code == asio::error::connection_reset ||
               code == ssl::error::stream_truncated) {
      Fail(FetchFailure::kProtocol, "closed the connection in the middle of its answer");
    } else {
      Fail(FetchFailure::kProtocol,
           "expected an HTTP answer; " + std::string(Doing(stage_)) + ": " + code.message());
    }
  }

  void Answered() {
    auto message = wire_->parser->release();
    const auto field = [&](http::field name) {
      const auto value = message[name];
      return std::string(value.data(), value.size());
    };
    const auto content_type = field(http::field::content_type);
    const auto content_encoding = field(http::field::content_encoding);
    const auto location = field(http::field::location);
    // Bytes behind the answer mean a wrong length: what follows cannot be trusted.
    if (!message.keep_alive() || wire_->read_ahead.size() > 0) {
      Drop();
    }
    const auto status = message.result_int();
    const auto retry_after = ParseU64(field(http::field::retry_after));
    const bool wants_reason = !endpoint_.accept.empty() && status != 200;
    auto reason = wants_reason ? message.body().substr(0, kMaxReason) : std::string();
    auto page = ReadAnswer({.status = message.result_int(),
                            .content_type = content_type,
                            .content_encoding = content_encoding,
                            .location = location,
                            .accept = endpoint_.accept,
                            .body = std::move(message.body())},
                           endpoint_.max_body);
    if (auto* problem = std::get_if<FetchProblem>(&page)) {
      FetchResult failed{.failure = problem->failure,
                         .error = std::move(problem->text),
                         .body = std::move(reason)};
      failed.status = status;
      if (retry_after && *retry_after < 86'400) {
        failed.retry_after = std::chrono::seconds(*retry_after);
      }
      Finish(std::move(failed));
      return;
    }
    auto& decoded = std::get<DecodedPage>(page);
    Finish({.failure = std::nullopt,
            .error = {},
            .body = std::move(decoded.body),
            .status = status,
            .format = decoded.format});
  }

  void TimedOut() {
    auto text = fmt::format("not done within {} s, {}", ToSeconds(timeout_), Doing(stage_));
    if (stage_ == Stage::kBody && wire_ && wire_->parser) {
      text += " (" + std::to_string(wire_->parser->get().body().size()) + " bytes so far)";
    }
    resolver_.cancel();
    Fail(FetchFailure::kTimeout, std::move(text));
  }

  void Fail(FetchFailure failure, std::string text) {
    Drop();
    if (failure == FetchFailure::kConnect || failure == FetchFailure::kTimeout) {
      addresses_.clear();  // the name may have moved
    }
    Finish({.failure = failure, .error = std::move(text), .body = {}});
  }

  void Finish(FetchResult result) {
    ++turn_;
    timer_.cancel();
    result.asked_at = asked_at_;
    result.took = clock_.Steady() - began_;
    const auto done = std::exchange(done_, nullptr);
    // Not from inside Get: the caller may not be ready for its answer yet.
    asio::post(
        io_, [self = shared_from_this(), turn = turn_, done, result = std::move(result)]() mutable {
          if (turn == self->turn_) {
            done(std::move(result));
          }
        });
  }

  void Drop() {
    if (wire_) {
      wire_->Close();
      wire_.reset();
    }
  }

  asio::io_context& io_;
  const Clock& clock_;
  Endpoint endpoint_;
  Tcp::resolver resolver_;
  asio::steady_timer timer_;
  std::vector<Tcp::endpoint> addresses_;
  WirePtr wire_;  // null: not connected
  std::uint64_t turn_ = 0;
  std::function<void(FetchResult)> done_;
  Duration timeout_{};
  SteadyTime began_;
  UnixTime asked_at_;
  Stage stage_ = Stage::kConnecting;
  bool reused_ = false;
};

class BeastConnection final : public Connection {
 public:
  explicit BeastConnection(std::shared_ptr<Session> session) : session_(std::move(session)) {}
  ~BeastConnection() override { session_->Abort(); }
  BeastConnection(const BeastConnection&) = delete;
  BeastConnection& operator=(const BeastConnection&) = delete;

  void SetPath(std::string path) override { session_->SetPath(std::move(path)); }
  void Get(Duration timeout, std::function<void(FetchResult)> done) override {
    session_->Get(timeout, std::move(done));
  }

 private:
  std::shared_ptr<Session> session_;
};

// Connections must be gone before the fetcher is: their sockets belong to its io_context.
class BeastFetcher final : public Fetcher {
 public:
  explicit BeastFetcher(const Clock& clock)
      : clock_(clock), work_(io_.get_executor()), thread_([this] { io_.run(); }) {}
  ~BeastFetcher() override { BeastFetcher::Stop(); }
  BeastFetcher(const BeastFetcher&) = delete;
  BeastFetcher& operator=(const BeastFetcher&) = delete;

  std::unique_ptr<Connection> Open(const Endpoint& endpoint) override {
    return std::make_unique<BeastConnection>(std::make_shared<Session>(io_, clock_, endpoint));
  }

  void RunAt(SteadyTime when, std::function<void()> task) override {
    auto timer = std::make_shared<asio::steady_timer>(io_);
    timer->expires_at(std::chrono::time_point_cast<std::chrono::steady_clock::duration>(when));
    timer->async_wait([timer, task = std::move(task)](error_code code) {
      if (!code) {
        task();
      }
    });
  }

  void Post(std::function<void()> task) override { asio::post(io_, std::move(task)); }

  void Stop() override {
    if (thread_.joinable()) {
      io_.stop();
      thread_.join();
    }
  }

 private:
  const Clock& clock_;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Fetcher> StartFetcher(const Clock& clock) {
  return std::make_unique<BeastFetcher>(clock);
}

}  // namespace limpet
