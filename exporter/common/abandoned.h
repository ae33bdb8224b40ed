// abandoned.h: a piece of work on a thread of its own, which is left behind when it hangs.
//
// A read of a dead drive's file may sleep in the kernel for ever and cannot be interrupted. So the
// work gets everything it needs by value, says what it is about to touch, and shares nothing with
// the owner but its result.
// Bound:   kMaxHanging threads are left behind; with so many no further work begins.
// Threads: one owner; `WorkPlace` is the working thread's.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

// What the work is about to touch: `unit` is skipped from then on if it hangs there.
class WorkPlace {
 public:
  void Enter(std::string_view unit, std::string_view path) {
    const std::lock_guard lock(mutex_);
    unit_ = unit;
    path_ = path;
  }
  struct Where {
    std::string unit;
    std::string path;
  };
  [[nodiscard]] Where Get() const {
    const std::lock_guard lock(mutex_);
    return {unit_, path_};
  }

 private:
  mutable std::mutex mutex_;
  std::string unit_;
  std::string path_;
};

template <class Outcome>
class AbandonableWork {
 public:
  static constexpr std::size_t kMaxHanging = 4;
  using Work = std::function<Outcome(WorkPlace&)>;

  AbandonableWork() = default;
  AbandonableWork(const AbandonableWork&) = delete;
  AbandonableWork& operator=(const AbandonableWork&) = delete;
  ~AbandonableWork() {
    if (running_) {
      Leave();
    }
  }

  [[nodiscard]] bool IsRunning() const { return running_ != nullptr; }
  [[nodiscard]] bool HasRoom() const { return hanging_.size() < kMaxHanging; }

  // False when no thread can be had. `unit`: where the work is until it says otherwise, be its
  // thread ever so late.
  bool Start(Work work, std::string_view unit = {}) {
    auto shared = std::make_shared<Shared>();
    shared->place.Enter(unit, unit);
    try {
      thread_ = std::thread([shared, work = std::move(work)] { Run(*shared, work); });
    } catch (const std::system_error&) {
      return false;
    }
    running_ = std::move(shared);
    return true;
  }

  // The outcome, waited for at most so long; nullopt while it is not there. An exception of the
  // work is thrown here.
  [[nodiscard]] std::optional<Outcome> Take(Duration patience) {
    if (!running_) {
      return std::nullopt;
    }
    std::unique_lock lock(running_->mutex);
    if (!running_->ended.wait_for(lock, patience, [&] { return running_->done; })) {
      return std::nullopt;
    }
    lock.unlock();
    thread_.join();
    const auto shared = std::exchange(running_, nullptr);
    if (shared->thrown) {
      std::rethrow_exception(shared->thrown);
    }
    return std::move(shared->outcome);
  }

  // Leaves behind what is running; where it hangs.
  WorkPlace::Where Abandon() {
    hanging_.push_back(running_);
    return Leave();
  }
  // Where those left behind still hang.
  [[nodiscard]] std::vector<WorkPlace::Where> Hanging() {
    std::erase_if(hanging_, [](const auto& one) {
      const std::lock_guard lock(one->mutex);
      return one->done;
    });
    std::vector<WorkPlace::Where> places;
    for (const auto& one : hanging_) {
      places.push_back(one->place.Get());
    }
    return places;
  }

 private:
  struct Shared {
    WorkPlace place;
    std::mutex mutex;  // of what follows
    std::condition_variable ended;
    bool done = false;
    std::optional<Outcome> outcome;
    std::exception_ptr thrown;
  };

  static void Run(Shared& shared, const Work& work) {
    std::optional<Outcome> outcome;
    std::exception_ptr thrown;
    try {
      outcome = work(shared.place);
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(shared.mutex);
    shared.outcome = std::move(outcome);
    shared.thrown = thrown;
    shared.done = true;
    shared.ended.notify_all();
  }
  WorkPlace::Where Leave() {
    thread_.detach();
    return std::exchange(running_, nullptr)->place.Get();
  }

  std::shared_ptr<Shared> running_;
  std::thread thread_;
  std::vector<std::shared_ptr<Shared>> hanging_;
};

}  // namespace limpet
