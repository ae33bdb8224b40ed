// inbox.h: pages on their way from the fetcher's thread to the diagnosis.
//
// Bounded by bytes: when the diagnosis cannot keep up, new pages are refused and counted instead of
// filling the memory.
// Threads: all functions may be called from any thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "diagnoser/sources/target_status.h"
#include "exporter/common/time.h"

namespace limpet {

class Inbox {
 public:
  explicit Inbox(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // False when it was refused. One page is always taken, however large.
  bool Put(FetchedPage page);
  // All that is there, oldest first; waits for some until `deadline` or Wake.
  [[nodiscard]] std::vector<FetchedPage> Take(SteadyTime deadline);
  // Ends a Take that waits.
  void Wake();
  [[nodiscard]] std::uint64_t Refused() const;

 private:
  const std::size_t max_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<FetchedPage> pages_;
  std::size_t bytes_ = 0;
  std::uint64_t refused_ = 0;
  bool woken_ = false;
};

}  // namespace limpet
