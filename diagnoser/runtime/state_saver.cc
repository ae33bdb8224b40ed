#include "diagnoser/runtime/state_saver.h"

#include <utility>

namespace limpet {

StateSaver::~StateSaver() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void StateSaver::Offer(std::string encoded) {
  {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(encoded);
  }
  changed_.notify_one();
}

void StateSaver::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || waiting_; });
    if (!waiting_) {
      return;
    }
    const auto encoded = std::exchange(waiting_, std::nullopt);
    lock.unlock();
    save_(*encoded);
    lock.lock();
  }
}

}  // namespace limpet
