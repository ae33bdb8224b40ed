// abandoned.h: a piece of work on a thread of its own, which is left behind when it hangs.
//
// A read of a dead drive's file may sleep in the kernel for ever and cannot be interrupted. So the
// work gets everything it needs by value, says what it is about to touch, and shares nothing with
// the owner but its result.
// Bound:   kMaxHanging threads are left behind, at the lowest priority, since the kernel begins
// some
//          reads again and again (`speed` while another holds the RTNL lock); with so many no
//          further work begins. One more waits for the next piece of work.
// Threads: one owner; `WorkPlace` is the working thread's.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
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

// Tells what the work is about to touch: `unit` is skipped from then on if it hangs there.
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
    if (worker_) {
      Dismiss();
    }
  }

  [[nodiscard]] bool IsRunning() const { return is_running_; }
  [[nodiscard]] bool HasRoom() const { return hanging_.size() < kMaxHanging; }

  // False when no thread can be had. `unit`: where the work is until it says otherwise, be its
  // thread ever so late.
  bool Start(Work work, std::string_view unit = {}) {
    if (!worker_ && !Engage()) {
      return false;
    }
    worker_->place.Enter(unit, unit);
    const std::lock_guard lock(worker_->mutex);
    worker_->work = std::move(work);
    worker_->is_done = false;
    worker_->changed.notify_all();
    is_running_ = true;
    return true;
  }

  // The outcome, waited for at most so long; nullopt while it is not there. An exception of the
  // work is thrown here.
  [[nodiscard]] std::optional<Outcome> Take(Duration patience) {
    if (!is_running_) {
      return std::nullopt;
    }
    std::unique_lock lock(worker_->mutex);
    if (!worker_->changed.wait_for(lock, patience, [&] { return worker_->is_done; })) {
      return std::nullopt;
    }
    is_running_ = false;
    if (auto thrown = std::exchange(worker_->thrown, nullptr)) {
      std::rethrow_exception(thrown);
    }
    return std::exchange(worker_->outcome, std::nullopt);
  }

  // Leaves behind what is running; where it hangs.
  WorkPlace::Where Abandon() {
    auto where = worker_->place.Get();
    if (const auto thread = worker_->thread.load(); thread > 0) {
      constexpr int kLowest = 19;
      ::setpriority(PRIO_PROCESS, static_cast<id_t>(thread), kLowest);
    }
    hanging_.push_back(worker_);
    Dismiss();
    return where;
  }
  // Called after a reload: what hangs of `before` hangs still, and counts.
  void Inherit(AbandonableWork& before) {
    if (before.is_running_) {
      std::unique_lock lock(before.worker_->mutex);
      const bool is_done = before.worker_->changed.wait_for(
          lock, std::chrono::milliseconds(100), [&] { return before.worker_->is_done; });
      lock.unlock();
      if (!is_done) {
        (void)before.Abandon();
      }
    }
    std::move(before.hanging_.begin(), before.hanging_.end(), std::back_inserter(hanging_));
    before.hanging_.clear();
  }
  // Returns where those left behind still hang.
  [[nodiscard]] std::vector<WorkPlace::Where> Hanging() {
    std::erase_if(hanging_, [](const auto& one) {
      const std::lock_guard lock(one->mutex);
      return one->is_done;
    });
    std::vector<WorkPlace::Where> places;
    for (const auto& one : hanging_) {
      places.push_back(one->place.Get());
    }
    return places;
  }

 private:
  // State that a thread shares with its owner.
  struct Worker {
    WorkPlace place;
    std::atomic<pid_t> thread{0};  // 0 before it runs
    std::mutex mutex;              // of what follows
    std::condition_variable changed;
    Work work;  // the thread's own until it is done
    bool is_done = false;
    bool is_dismissed = false;
    std::optional<Outcome> outcome;
    std::exception_ptr thrown;
  };

  // The thread stays for the next piece of work: a new one for each costs more than most pieces.
  bool Engage() {
    auto worker = std::make_shared<Worker>();
    try {
      thread_ = std::thread([worker] { Run(*worker); });
    } catch (const std::system_error&) {
      return false;
    }
    worker_ = std::move(worker);
    return true;
  }
  void Dismiss() {
    const auto worker = std::exchange(worker_, nullptr);
    {
      const std::lock_guard lock(worker->mutex);
      worker->is_dismissed = true;
      worker->changed.notify_all();
    }
    if (std::exchange(is_running_, false)) {
      thread_.detach();
    } else {
      thread_.join();
    }
  }

  static void Run(Worker& worker) {
    worker.thread = ::gettid();
    std::unique_lock lock(worker.mutex);
    while (true) {
      worker.changed.wait(lock, [&] { return worker.work || worker.is_dismissed; });
      if (!worker.work) {
        return;
      }
      lock.unlock();
      std::optional<Outcome> outcome;
      std::exception_ptr thrown;
      try {
        outcome = worker.work(worker.place);
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      worker.work = nullptr;  // with all that it held, before anybody hears that it is done
      worker.outcome = std::move(outcome);
      worker.thrown = std::move(thrown);
      worker.is_done = true;
      worker.changed.notify_all();
    }
  }

  std::shared_ptr<Worker> worker_;  // null without a thread
  std::thread thread_;
  bool is_running_ = false;
  std::vector<std::shared_ptr<Worker>> hanging_;
};

}  // namespace limpet
