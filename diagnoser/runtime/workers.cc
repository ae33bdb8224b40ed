#include "diagnoser/runtime/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>

namespace limpet {
namespace {

// One ForEach. Whoever helps too late finds no number left and touches nothing of the caller's.
class Round {
 public:
  Round(std::size_t count, const std::function<void(std::size_t)>& body)
      : count_(count), body_(body) {}

  void Help() {
    for (auto i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) {
      try {
        body_(i);
      } catch (...) {
        // The others go on: the caller must not leave while somebody still uses what it owns.
        const std::lock_guard lock(mutex_);
        failure_ = failure_ ? failure_ : std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      if (++done_ == count_) {
        all_done_.notify_one();
      }
    }
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    all_done_.wait(lock, [this] { return done_ == count_; });
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  const std::size_t count_;
  const std::function<void(std::size_t)>& body_;  // the caller's, who waits for the last number
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable all_done_;
  std::size_t done_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

Workers::Workers(std::size_t threads) {
  threads_.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { Work(); });
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  posted_.notify_all();
  for (auto& thread : threads_) {
    thread.join();
  }
}

void Workers::ForEach(std::size_t count, const std::function<void(std::size_t)>& body) {
  // Without anybody to help, the caller's own loop is what one core is fastest with.
  if (threads_.empty() || count < 2) {
    for (std::size_t i = 0; i < count; ++i) {
      body(i);
    }
    return;
  }
  const auto round = std::make_shared<Round>(count, body);
  for (std::size_t i = 0; i < std::min(threads_.size(), count - 1); ++i) {
    // Before what reads ahead: the caller waits for this.
    Post([round] { round->Help(); }, Place::kFirst);
  }
  round->Help();
  round->Wait();
}

void Workers::Post(std::function<void()> task, Place place) {
  {
    const std::lock_guard lock(mutex_);
    if (place == Place::kFirst) {
      tasks_.push_front(std::move(task));
    } else {
      tasks_.push_back(std::move(task));
    }
  }
  posted_.notify_one();
}

bool Workers::HelpOnce() {
  std::function<void()> task;
  {
    const std::lock_guard lock(mutex_);
    if (tasks_.empty()) {
      return false;
    }
    task = std::move(tasks_.front());
    tasks_.pop_front();
  }
  task();
  return true;
}

void Workers::Work() {
  while (true) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      posted_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
      // What was posted before the end is still done: others may wait for it.
      if (tasks_.empty()) {
        return;
      }
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

std::size_t CountCores() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace limpet
