// scraper.h: asks every target for its page in its own rhythm.
//
// Each target is alone: its own connection, its own phase, at most one request under way. What
// comes, good or bad, goes to the sink, on the fetcher's thread.
//
// Threads: SetTargets from any thread; the fetcher must be stopped before the Scraper is destroyed
// (so that no callback is left), and outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "diagnoser/sources/fetcher.h"
#include "diagnoser/sources/target.h"
#include "diagnoser/sources/target_status.h"
#include "exporter/common/time.h"

namespace limpet {

using TargetPtr = std::shared_ptr<const Target>;

class Scraper {
 public:
  using Sink = std::function<void(FetchedPage)>;
  enum class First {
    kInPhase,  // a new target waits for its phase: thousands are not asked at once
    kAtOnce,
  };

  // The fetcher and the clock must outlive the scraper.
  Scraper(Fetcher& fetcher, const Clock& clock, Sink sink, First first = First::kInPhase)
      : fetcher_(fetcher), clock_(clock), sink_(std::move(sink)), ask_first_(first) {}

  // Replaces the targets. A target that is as before keeps its connection and its rhythm.
  void SetTargets(std::vector<TargetPtr> targets);

 private:
  struct Loop {
    TargetPtr target;
    std::uint64_t number = 0;  // tells this loop from an earlier one of the same node
    std::unique_ptr<Connection> connection;
  };

  void Replace(const std::vector<TargetPtr>& targets);
  void Wait(const Loop& loop);
  void Ask(const std::string& node, std::uint64_t number);
  Loop* Find(const std::string& node, std::uint64_t number);

  Fetcher& fetcher_;
  const Clock& clock_;
  Sink sink_;
  First ask_first_;
  std::map<std::string, Loop> loops_;  // by node; the fetcher's thread only
  std::uint64_t next_number_ = 0;
};

}  // namespace limpet
