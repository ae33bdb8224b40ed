#include "diagnoser/sources/scraper.h"

#include <utility>

#include "diagnoser/sources/schedule.h"

namespace limpet {

void Scraper::SetTargets(std::vector<TargetPtr> targets) {
  fetcher_.Post([this, targets = std::move(targets)] { Replace(targets); });
}

void Scraper::Replace(const std::vector<TargetPtr>& targets) {
  std::map<std::string, Loop> old;
  old.swap(loops_);
  for (const auto& target : targets) {
    // A changed endpoint takes a new connection; what is under way on the old one is aborted with
    // it.
    const auto found = old.find(target->node);
    if (found != old.end() && *found->second.target == *target) {
      loops_.insert(old.extract(found));
      continue;
    }
    auto& loop = loops_[target->node];
    loop = {
        .target = target, .number = next_number_++, .connection = fetcher_.Open(target->endpoint)};
    if (ask_first_ == First::kAtOnce) {
      Ask(target->node, loop.number);
    } else {
      Wait(loop);
    }
  }
}

void Scraper::Wait(const Loop& loop) {
  const auto& target = *loop.target;
  const auto wait =
      UntilNext(clock_.Now(), target.interval, FindPhase(target.node, target.interval));
  fetcher_.RunAt(clock_.Steady() + wait,
                 [this, node = target.node, number = loop.number] { Ask(node, number); });
}

void Scraper::Ask(const std::string& node, std::uint64_t number) {
  // Timers cannot be called back: one of a loop that has gone does nothing.
  auto* loop = Find(node, number);
  if (loop == nullptr) {
    return;
  }
  loop->connection->Get(loop->target->timeout, [this, node, number](FetchResult result) {
    const auto* answered = Find(node, number);
    if (answered != nullptr) {
      sink_({.target = answered->target, .result = std::move(result), .arrived = clock_.Steady()});
      // From now, not from when it was due: a slow target skips turns instead of queueing them.
      Wait(*answered);
    }
  });
}

Scraper::Loop* Scraper::Find(const std::string& node, std::uint64_t number) {
  const auto found = loops_.find(node);
  return found == loops_.end() || found->second.number != number ? nullptr : &found->second;
}

}  // namespace limpet
