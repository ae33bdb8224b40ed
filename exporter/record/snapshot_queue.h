// snapshot_queue.h: samples on their way from the sampler to a disk that may be slow just now.
//
// Bound:   the oldest go when there are more than `max_waiting`; how many did is counted.
// Threads: Push and Close may be called by any thread, Pop by one.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>

#include "exporter/sampler/snapshot.h"

namespace limpet {

class SnapshotQueue {
 public:
  explicit SnapshotQueue(std::size_t max_waiting) : max_waiting_(max_waiting) {}

  void Push(SnapshotPtr snapshot);
  // Pop gives what is left, then null.
  void Close();
  // Waits for the next one; null: closed, and nothing is left.
  [[nodiscard]] SnapshotPtr Pop();
  [[nodiscard]] std::size_t Dropped() const;

 private:
  const std::size_t max_waiting_;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable arrived_;
  std::deque<SnapshotPtr> waiting_;
  std::size_t dropped_ = 0;
  bool closed_ = false;
};

}  // namespace limpet
