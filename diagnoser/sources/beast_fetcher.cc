#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <thread>
#include <utility>

#include "diagnoser/sources/fetcher.h"
#include "diagnoser/sources/http_session.h"

namespace limpet {
namespace {

namespace asio = boost::asio;

// Connections must be gone before the fetcher is: their sockets belong to its io_context.
class BeastFetcher final : public Fetcher {
 public:
  // The work guard keeps the thread while there are no targets yet.
  explicit BeastFetcher(const Clock& clock)
      : clock_(clock), work_(io_.get_executor()), thread_([this] { io_.run(); }) {}
  ~BeastFetcher() override { BeastFetcher::Stop(); }
  BeastFetcher(const BeastFetcher&) = delete;
  BeastFetcher& operator=(const BeastFetcher&) = delete;

  std::unique_ptr<Connection> Open(const Endpoint& endpoint) override {
    return OpenSession(io_, clock_, endpoint);
  }

  void RunAt(SteadyTime when, std::function<void()> task) override {
    auto timer = std::make_shared<asio::steady_timer>(io_);
    timer->expires_at(std::chrono::time_point_cast<std::chrono::steady_clock::duration>(when));
    timer->async_wait([timer, task = std::move(task)](boost::system::error_code code) {
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
