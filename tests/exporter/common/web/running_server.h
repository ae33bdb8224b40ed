// running_server.h: a fixture with a server on a free loopback port, for tests of what clients see.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "exporter/common/web/server.h"
#include "tests/exporter/common/web/client.h"

namespace limpet::testing {

class RunningServer : public ::testing::Test {
 protected:
  // Of the password "secret", at the least cost there is, from htpasswd -nbBC 4.
  static constexpr const char* kHash =
      "$2y$04$yiiWHzQrOr7iHiMfLc7.0OWeEsmVN3VkqnSWGT4EV/ZYn6nW5WY7q";

  // Answers with the path, the query and the fields; "/big" is 4 MB.
  std::uint16_t Start(web::ServerOptions options = {}) {
    if (options.listen_addresses.empty()) {
      options.listen_addresses = {"127.0.0.1:0"};
    }
    auto server = web::Server::Start(
        options, [this](const web::Request& request) { return Handle(request); }, Sink());
    if (!server) {
      ADD_FAILURE() << server.error().Text();
      return 0;
    }
    server_ = *std::move(server);
    return server_->Port();
  }
  // From now on "/held" waits for the promise.
  std::shared_ptr<std::promise<void>> Hold() {
    auto promise = std::make_shared<std::promise<void>>();
    held_ = promise->get_future().share();
    return promise;
  }
  // Lets "scraper" in with the password "secret", nobody else.
  std::uint16_t StartWithPassword() {
    web::WebConfig config;
    config.users = {{"scraper", kHash}};
    return Start({.listen_addresses = {}, .config = config, .limits = {}});
  }

  // All that a new connection is told when it sends this.
  std::string Exchange(std::string_view bytes) {
    Client client(server_->Port());
    client.Send(bytes);
    return client.ReceiveAll();
  }

  LogSink Sink() {
    return [this](LogLevel, std::string_view text) {
      const std::lock_guard lock(mutex_);
      log_.append(text).append("\n");
    };
  }
  std::string Log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }

  std::atomic<int> requests_ = 0;
  std::atomic<int> streams_ = 0;             // open now
  std::atomic<int> requests_at_honest_ = 0;  // how many when "/honest" was asked for
  std::shared_ptr<const std::string> big_ = std::make_shared<const std::string>(4U << 20U, 'x');

 private:
  // "1\n", "2\n", "3\n", 4 MB, "5\n" and the end.
  class Counting final : public web::Stream {
   public:
    Counting(std::atomic<int>& count, const std::string& big) : count_(count), big_(big) {
      ++count_;
    }
    ~Counting() override { --count_; }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;
    Piece Next(SteadyTime /*now*/) override {
      ++next_;
      return {.bytes = std::make_shared<const std::string>(
                  next_ == 4 ? big_ : std::to_string(next_) + "\n"),
              .is_last = next_ == 5};
    }

   private:
    std::atomic<int>& count_;
    const std::string& big_;
    int next_ = 0;
  };

  web::Response Handle(const web::Request& request) {
    ++requests_;
    if (request.path == "/held" && held_.valid()) {
      held_.wait();
    }
    if (request.path == "/honest") {
      requests_at_honest_ = requests_.load();
    }
    if (request.path == "/throws") {
      throw std::runtime_error("it does");
    }
    if (request.path == "/stream") {
      web::Response response;
      response.content_type = "text/event-stream";
      response.stream = std::make_shared<Counting>(streams_, *big_);
      return response;
    }
    if (request.path == "/big") {
      web::Response response;
      response.body = big_;
      return response;
    }
    return web::Text(200, request.method + " [" + request.path + "] [" + request.query + "] [" +
                              request.accept + "] [" + request.accept_encoding + "]");
  }

  std::shared_future<void> held_;
  std::mutex mutex_;
  std::string log_;

 protected:
  std::unique_ptr<web::Server> server_;  // last: it uses the others
};

}  // namespace limpet::testing
