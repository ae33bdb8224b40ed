#include "diagnoser/runtime/inbox.h"

#include <utility>

namespace limpet {

bool Inbox::Put(FetchedPage page) {
  const auto size = page.result.body.size();
  {
    const std::lock_guard lock(mutex_);
    if (!pages_.empty() && bytes_ + size > max_bytes_) {
      ++refused_;
      return false;
    }
    bytes_ += size;
    pages_.push_back(std::move(page));
  }
  arrived_.notify_one();
  return true;
}

std::vector<FetchedPage> Inbox::Take(SteadyTime deadline) {
  std::unique_lock lock(mutex_);
  arrived_.wait_until(lock, deadline, [this] { return woken_ || !pages_.empty(); });
  woken_ = false;
  bytes_ = 0;
  return std::exchange(pages_, {});
}

void Inbox::Wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  arrived_.notify_one();
}

std::uint64_t Inbox::Refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

}  // namespace limpet
