// fake_fetcher.h: a Fetcher without sockets or threads: a test sets what each host answers and
// moves the time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/sources/fetcher.h"
#include "tests/support/manual_clock.h"

namespace limpet::testing {

class FakeFetcher final : public Fetcher {
 public:
  explicit FakeFetcher(ManualClock& clock) : clock_(clock) {}

  // By host; a host that is not here never answers (its timeout is not simulated).
  std::map<std::string, std::function<FetchResult()>> answers;
  std::map<std::string, int> opened;  // connections so far, by host
  std::vector<std::string> asked;     // paths that were set, one a Get; the last is being answered

  std::vector<std::string> sent;     // bodies, in order
  std::vector<std::string> methods;  // of these

  std::unique_ptr<Connection> Open(const Endpoint& endpoint) override {
    ++opened[endpoint.host];
    return std::make_unique<FakeConnection>(*this, endpoint.host);
  }
  void RunAt(SteadyTime when, std::function<void()> task) override {
    tasks_.emplace(when, std::move(task));
  }
  void Post(std::function<void()> task) override { RunAt(clock_.Steady(), std::move(task)); }
  void Stop() override { tasks_.clear(); }

  // Runs everything that is due within the next `by`, in order.
  void Run(Duration by) {
    const auto end = clock_.Steady() + by;
    while (!tasks_.empty() && tasks_.begin()->first <= end) {
      auto node = tasks_.extract(tasks_.begin());
      if (node.key() > clock_.Steady()) {
        clock_.Advance(node.key() - clock_.Steady());
      }
      node.mapped()();
    }
    clock_.Advance(end - clock_.Steady());
  }

 private:
  class FakeConnection final : public Connection {
   public:
    FakeConnection(FakeFetcher& fetcher, std::string host)
        : fetcher_(fetcher), host_(std::move(host)), alive_(std::make_shared<bool>(true)) {}
    ~FakeConnection() override { *alive_ = false; }
    FakeConnection(const FakeConnection&) = delete;
    FakeConnection& operator=(const FakeConnection&) = delete;

    void SetPath(std::string path) override { path_ = std::move(path); }
    void Send(Upload upload, Duration timeout, std::function<void(FetchResult)> done) override {
      fetcher_.methods.push_back(upload.method);
      fetcher_.sent.push_back(std::move(upload.body));
      Get(timeout, std::move(done));
    }
    void Get(Duration, std::function<void(FetchResult)> done) override {
      const auto found = fetcher_.answers.find(host_);
      if (found == fetcher_.answers.end()) {
        return;
      }
      fetcher_.asked.push_back(path_);
      auto result = found->second();
      result.asked_at = fetcher_.clock_.Now();
      fetcher_.Post([alive = alive_, done = std::move(done), result = std::move(result)] {
        if (*alive) {
          done(result);
        }
      });
    }

   private:
    FakeFetcher& fetcher_;
    std::string host_;
    std::string path_;
    std::shared_ptr<bool> alive_;
  };

  ManualClock& clock_;
  std::multimap<SteadyTime, std::function<void()>> tasks_;
};

}  // namespace limpet::testing
