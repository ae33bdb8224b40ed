// An honest scraper among 200 clients that are slow or stop half way.
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "exporter/common/web/server.h"
#include "tests/exporter/common/web/client.h"

namespace limpet::web::hostile_test {
namespace {

using limpet::testing::Client;

constexpr int kHostile = 200;
constexpr int kScrapes = 100;
constexpr auto kBound = std::chrono::milliseconds(50);

class HostileTest : public ::testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    const auto page = std::make_shared<const std::string>(19'000, 'x');
    const auto big = std::make_shared<const std::string>(32U << 20U, 'x');
    auto server = Server::Start(
        {.listen_addresses = {"127.0.0.1:0"}, .limits = {.max_connections = GetParam()}},
        [page, big](const Request& request) {
          Response response;
          response.body = request.path == "/big" ? big : page;
          return response;
        },
        [](LogLevel, std::string_view) {});
    ASSERT_TRUE(server) << server.error().Text();
    server_ = *std::move(server);
  }

  // Keeps 200 clients at it until told to stop; those that the server closes come again.
  void BeHostile() {
    std::vector<std::unique_ptr<Client>> clients(kHostile);
    for (std::size_t round = 0; !is_over_; ++round) {
      for (std::size_t i = 0; i < clients.size() && !is_over_; ++i) {
        if (!clients[i] || !Annoy(*clients[i], i)) {
          clients[i] = std::make_unique<Client>(server_->Port());
          clients[i]->Send(Beginning(i));
        }
      }
      ++rounds_;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a drip, not a flood
    }
  }

  static std::string Beginning(std::size_t i) {
    switch (i % 6) {
      case 0:
        return "";
      case 1:
        return "GET /metrics HTTP/1.1\r\nHost: x\r\n";
      case 2:  // and reads nothing of it
        return "GET /big HTTP/1.1\r\nHost: x\r\n\r\n";
      case 4: {  // nor of these
        std::string requests;
        for (int request = 0; request < 100; ++request) {
          requests += "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
        }
        return requests;
      }
      case 3:
        return "GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n";
      default:
        return "\x16\x03\x01\x02";
    }
  }

  // The next drop; false when the server has closed.
  static bool Annoy(Client& client, std::size_t i) {
    switch (i % 6) {
      case 1:
        return client.Send("A: b\r\n");
      case 3:
        return client.Send("x");
      default:
        return client.IsOpen();
    }
  }

  // The 95th percentile of scrapes, half of them on new connections. A machine that is busy with
  // other things may delay a few; a server that is held up delays them all.
  std::chrono::nanoseconds Scrape() {
    std::vector<std::chrono::nanoseconds> took;
    auto kept = std::make_unique<Client>(server_->Port());
    for (int i = 0; i < kScrapes; ++i) {
      const auto start = std::chrono::steady_clock::now();
      auto response = i % 2 == 0 ? Client(server_->Port()).Get("/metrics") : kept->Get("/metrics");
      if (response.empty()) {  // the kept one was closed for somebody else: a scraper comes again
        kept = std::make_unique<Client>(server_->Port());
        response = kept->Get("/metrics");
      }
      took.push_back(std::chrono::steady_clock::now() - start);
      EXPECT_GT(response.size(), 19'000U);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    std::sort(took.begin(), took.end());
    return took[took.size() * 95 / 100];
  }

  std::unique_ptr<Server> server_;
  std::atomic<bool> is_over_ = false;
  std::atomic<int> rounds_ = 0;
};

TEST_P(HostileTest, AnHonestScraperIsServedInTime) {
  std::thread hostile([this] { BeHostile(); });
  while (rounds_ < 2) {
    std::this_thread::yield();
  }
  auto best = std::chrono::nanoseconds::max();
  for (int attempt = 0; attempt < 5 && best >= kBound; ++attempt) {
    best = std::min(best, Scrape());
  }
  is_over_ = true;
  hostile.join();
  EXPECT_LT(best, kBound);
  RecordProperty("p95_us", static_cast<int>(best.count() / 1000));
}

// With room for all, and with room for a quarter of them.
INSTANTIATE_TEST_SUITE_P(MaxConnections, HostileTest, ::testing::Values(512U, 50U));

}  // namespace
}  // namespace limpet::web::hostile_test
