#include "exporter/record/snapshot_queue.h"

#include <utility>

namespace limpet {

void SnapshotQueue::Push(SnapshotPtr snapshot) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(snapshot));
  if (waiting_.size() > max_waiting_) {
    waiting_.pop_front();
    ++dropped_;
  }
  arrived_.notify_one();
}

void SnapshotQueue::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  arrived_.notify_one();
}

SnapshotPtr SnapshotQueue::Pop() {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
  if (waiting_.empty()) {
    return nullptr;
  }
  auto first = std::move(waiting_.front());
  waiting_.pop_front();
  return first;
}

std::size_t SnapshotQueue::Dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace limpet
