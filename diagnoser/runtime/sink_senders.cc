#include "diagnoser/runtime/sink_senders.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "diagnoser/publish/sink_message.h"
#include "diagnoser/runtime/syslog_socket.h"
#include "diagnoser/sources/address.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPatience = 10s;  // for a sink's answer

// The object that a patch is about stands in its path.
std::string ConditionPath(const std::string& body) {
  const auto json = nlohmann::json::parse(body, nullptr, false);
  const auto node = json.value(nlohmann::json::json_pointer("/metadata/name"), std::string());
  return "/api/v1/nodes/" + UrlEncoded(node) + "/status";
}

// A sink that has had the message already, at an attempt whose answer was lost, is content.
bool HasIt(SinkKind kind, const FetchResult& result) {
  constexpr unsigned kConflict = 409;
  return kind == SinkKind::kKubernetesEvent && result.status == kConflict;
}

// A server that is no node of Kubernetes never will be: its messages must not hold up the others'.
bool KnowsNoSuchNode(SinkKind kind, const FetchResult& result) {
  return kind == SinkKind::kKubernetesCondition && result.IsNotFound();
}

OutboxEntry WithoutBody(OutboxEntry entry) {
  entry.body.clear();
  return entry;
}

}  // namespace

SinkSenders::SinkSenders(Fetcher* fetcher, std::function<void()> wake)
    : fetcher_(fetcher), shared_(std::make_shared<Shared>()) {
  shared_->wake = std::move(wake);
}

SinkSenders::~SinkSenders() {
  for (auto& [name, sink] : sinks_) {
    sink->connection.reset();
  }
  // What still comes finds nobody to wake.
  const std::lock_guard lock(shared_->mutex);
  shared_->wake = nullptr;
}

// A connection belongs to the fetcher's thread, and so does its end.
void SinkSenders::Release(std::shared_ptr<Sink> sink) {
  fetcher_->Post([sink = std::move(sink)] { sink->connection.reset(); });
}

// One that is as before keeps its connection, and what is on its way.
void SinkSenders::SetSinks(const std::vector<SinkSettings>& sinks) {
  if (fetcher_ == nullptr) {
    return;
  }
  std::map<std::string, std::shared_ptr<Sink>> next;
  for (const auto& settings : sinks) {
    auto known = sinks_.find(settings.name);
    if (known != sinks_.end() && known->second->settings == settings) {
      next[settings.name] = std::move(known->second);
      sinks_.erase(known);
    } else {
      next[settings.name] = std::make_shared<Sink>(Sink{.settings = settings});
    }
  }
  for (auto& [name, sink] : sinks_) {
    Release(std::move(sink));
  }
  sinks_ = std::move(next);
}

bool SinkSenders::IsBusy(const std::string& sink) const {
  const auto found = sinks_.find(sink);
  return found == sinks_.end() || found->second->busy;
}

void SinkSenders::Send(const OutboxEntry& entry) {
  const auto& sink = sinks_.at(entry.sink);
  sink->busy = true;
  if (sink->settings.kind == SinkKind::kSyslog) {
    const auto error = SendToSyslog(sink->settings.socket, entry.body);
    Tell(*shared_, {.entry = WithoutBody(entry),
                    .ok = error.empty(),
                    .error = error,
                    .retry_after = std::nullopt});
    return;
  }
  fetcher_->Post([sink, shared = shared_, fetcher = fetcher_, entry] {
    if (!sink->connection) {
      sink->connection = fetcher->Open(sink->settings.endpoint);
    }
    const auto kind = sink->settings.kind;
    const bool patches = kind == SinkKind::kKubernetesCondition;
    if (patches) {
      sink->connection->SetPath(ConditionPath(entry.body));
    }
    sink->connection->Send({.body = entry.body,
                            .content_type = SinkContentType(kind),
                            .method = patches ? "PATCH" : "POST"},
                           kPatience,
                           [shared, entry = WithoutBody(entry), kind](const FetchResult& result) {
                             Tell(*shared, {.entry = entry,
                                            .ok = !result.failure || HasIt(kind, result),
                                            .refused = KnowsNoSuchNode(kind, result),
                                            .error = result.error,
                                            .retry_after = result.retry_after});
                           });
  });
}

void SinkSenders::Tell(Shared& shared, Outcome outcome) {
  const std::lock_guard lock(shared.mutex);
  shared.outcomes.push_back(std::move(outcome));
  if (shared.wake) {
    shared.wake();
  }
}

std::vector<SinkSenders::Outcome> SinkSenders::Take() {
  std::vector<Outcome> outcomes;
  {
    const std::lock_guard lock(shared_->mutex);
    outcomes.swap(shared_->outcomes);
  }
  for (const auto& outcome : outcomes) {
    if (const auto sink = sinks_.find(outcome.entry.sink); sink != sinks_.end()) {
      sink->second->busy = false;
    }
  }
  return outcomes;
}

// A sink that is down for a day is asked 150 times.
Duration SinkPause(std::uint32_t attempts) {
  constexpr Duration kFirst = 5s;
  constexpr Duration kLongest = 10min;
  return attempts >= 7 ? kLongest : std::min<Duration>(kLongest, kFirst * (1U << attempts));
}

}  // namespace limpet
