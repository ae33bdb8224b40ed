// sink_senders.h: one message at a time on its way to each sink, by the fetcher that also scrapes:
// the same TLS, limits and errors. A sink that hangs holds up no other.
//
// Threads: one at a time; what the fetcher's thread finds out waits until it is taken.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "diagnoser/incidents/settings.h"
#include "diagnoser/incidents/store.h"
#include "diagnoser/sources/fetcher.h"

namespace limpet {

class SinkSenders {
 public:
  struct Outcome {
    OutboxEntry entry;  // without its body
    bool ok = false;
    bool refused = false;  // it is about a node that the sink does not know: never to be sent
    std::string error;
    std::optional<Duration> retry_after;
  };

  // `wake` is called on the fetcher's thread when there is something to take.
  SinkSenders(Fetcher* fetcher, std::function<void()> wake);
  // The fetcher has been stopped.
  ~SinkSenders();
  SinkSenders(const SinkSenders&) = delete;
  SinkSenders& operator=(const SinkSenders&) = delete;

  // Replaces the sinks; what is on its way to others is forgotten.
  void SetSinks(const std::vector<SinkSettings>& sinks);
  [[nodiscard]] bool IsBusy(const std::string& sink) const;
  // The sink must not be busy.
  void Send(const OutboxEntry& entry);
  [[nodiscard]] std::vector<Outcome> Take();

 private:
  struct Sink {
    SinkSettings settings;
    std::unique_ptr<Connection> connection;  // made and used on the fetcher's thread
    bool busy = false;
  };
  struct Shared {
    std::mutex mutex;
    std::vector<Outcome> outcomes;
    std::function<void()> wake;
  };

  void Release(std::shared_ptr<Sink> sink);
  static void Tell(Shared& shared, Outcome outcome);

  Fetcher* fetcher_;
  std::shared_ptr<Shared> shared_;
  std::map<std::string, std::shared_ptr<Sink>> sinks_;
};

// The pause before the next attempt: 5 s, doubled each time, 10 minutes at most.
[[nodiscard]] Duration SinkPause(std::uint32_t attempts);

}  // namespace limpet
