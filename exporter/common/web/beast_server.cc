#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <thread>
#include <utility>

#include "exporter/common/web/connections.h"
#include "exporter/common/web/listen.h"
#include "exporter/common/web/server.h"
#include "exporter/common/web/signals_blocked.h"

namespace limpet::web {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Acceptor = asio::basic_socket_acceptor<tcp, Executor>;

constexpr Duration kAcceptPause = std::chrono::milliseconds(100);
constexpr int kAcceptsPerTurn = 15;
constexpr rlim_t kOwnDescriptors = 128;

// What a WebConfig becomes.
struct Access {
  std::shared_ptr<TlsContext> tls;
  std::shared_ptr<PasswordChecker> passwords;
  std::vector<std::pair<std::string, std::string>> headers;
  bool authenticates = false;
};

Result<Access> MakeAccess(const std::optional<WebConfig>& config, Connections& connections) {
  Access access;
  if (!config) {
    return access;
  }
  if (config->tls) {
    auto tls = TlsContext::Create(*config->tls, connections.clock,
                                  [&connections](LogLevel level, std::string_view text) {
                                    connections.log.Write(level, text, text);
                                  });
    if (!tls) {
      return tls.error();
    }
    access.tls = *std::move(tls);
  }
  if (!config->users.empty()) {
    access.passwords = std::make_shared<PasswordChecker>(config->users, connections.clock);
    if (connections.passwords) {
      // Scrapers would all have to be checked again, perhaps in the middle of a flood of guesses.
      access.passwords->Inherit(*connections.passwords);
    }
  }
  access.headers = config->headers;
  access.authenticates = RequiresAuthentication(config);
  return access;
}

class BeastServer final : public Server {
 public:
  BeastServer(Handler handler, const Limits& limits, LogSink log)
      : connections_(std::move(handler), limits, std::move(log)) {}
  ~BeastServer() override { Stop(); }
  BeastServer(const BeastServer&) = delete;
  BeastServer& operator=(const BeastServer&) = delete;

  Result<void> Begin(const ServerOptions& options) {
    const SignalsBlocked blocked;  // the server's and the password checker's threads inherit it
    auto access = MakeAccess(options.config, connections_);
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
      // All addresses or none: a server that half works is noticed too late.
      const auto socket = Listen(*address);
      if (!socket) {
        return socket.error();
      }
      auto& listener = *listeners_.emplace_back(std::make_unique<Listener>(connections_.context));
      listener.socket = *socket;
      listener.acceptor.assign(socket->is_ipv6 ? tcp::v6() : tcp::v4(), socket->fd);
      listener.acceptor.non_blocking(true);
    }
    BoundByDescriptors();
    for (auto& listener : listeners_) {
      Accept(*listener);
    }
    thread_ = std::thread([this] { connections_.context.run(); });
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
    auto access = MakeAccess(config, connections_);
    if (!access) {
      return access.error();
    }
    if (!thread_.joinable()) {
      return {};
    }
    // On the loop, so that no request sees half of the old and half of the new.
    std::promise<void> swapped;
    asio::post(connections_.context, [&] {
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
    asio::post(connections_.context, [this] {
      stopping_ = true;
      for (auto& listener : listeners_) {
        error_code ignored;
        listener->acceptor.close(ignored);
        listener->pause.cancel();
      }
      connections_.CloseAll();  // then the loop runs out of work
    });
    thread_.join();
  }

 private:
  struct Listener {
    explicit Listener(asio::io_context& context) : acceptor(context), pause(context) {}
    ListeningSocket socket;
    Acceptor acceptor;
    Timer pause;
  };

  // Collectors open files at every tick: clients must leave them descriptors.
  void BoundByDescriptors() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
      connections_.SetBound(std::max(limit.rlim_cur, 2 * kOwnDescriptors) - kOwnDescriptors);
    }
  }

  void Swap(Access& access) {
    connections_.tls.swap(access.tls);
    connections_.passwords.swap(access.passwords);
    connections_.headers.swap(access.headers);
    connections_.authenticates = access.authenticates;
  }

  void Accept(Listener& listener) {
    listener.acceptor.async_accept([this, &listener](const error_code& problem, Socket socket) {
      // What was accepted before Stop closed the acceptor is told afterwards, as a success:
      // accepting again would find a closed acceptor, for ever.
      if (stopping_) {
        return;
      }
      if (!problem) {
        connections_.Admit(std::move(socket));
        AdmitWaiting(listener);
      } else if (problem != asio::error::connection_aborted && !FreeDescriptor(listener, problem)) {
        // Trying again at once would find the same shortage and spin.
        listener.pause.expires_after(kAcceptPause);
        listener.pause.async_wait([this, &listener](const error_code&) {
          if (!stopping_) {
            Accept(listener);
          }
        });
        return;
      }
      Accept(listener);
    });
  }

  // Some of those that came together with the first. Not all of them: who is connected already
  // would wait for a flood of new ones.
  void AdmitWaiting(Listener& listener) {
    for (int i = 0; i < kAcceptsPerTurn; ++i) {
      error_code problem;
      auto socket = listener.acceptor.accept(problem);
      if (problem) {
        return;  // nobody waits, or the next Accept sees what is wrong
      }
      connections_.Admit(std::move(socket));
    }
  }

  // Without a free descriptor an honest client would wait in the kernel's queue for a slow one.
  bool FreeDescriptor(const Listener& listener, const error_code& problem) {
    connections_.log.Write(LogLevel::kWarning, "accept",
                           "accepting on " + listener.socket.address + ": " + problem.message());
    return problem == asio::error::no_descriptors && connections_.MakeRoom();
  }

  Connections connections_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  bool stopping_ = false;  // on the loop
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, Handler handler,
                                              LogSink log) {
  auto server = std::make_unique<BeastServer>(std::move(handler), options.limits, std::move(log));
  if (auto begun = server->Begin(options); !begun) {
    return begun.error();
  }
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace limpet::web
