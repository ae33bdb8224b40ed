// workers.h: threads that help the one that asks, and whose work ends before it is used.
//
//   Workers workers(3);                                    // beside the caller's thread
//   workers.ForEach(groups.size(), [&](std::size_t i) { results[i] = Judge(groups[i]); });
//   auto slice = workers.Start<Slice>([&] { return Read(file); });
//   workers.Await(slice);                                  // helps with what is queued meanwhile
//   … slice.get() …
//
// Nothing is shared but what a task was given: results come back through ForEach's end or the
// future, which order everything that was written before.
// Threads: one thread starts and awaits; parts of a ForEach may call ForEach, other tasks do not
// ask.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "diagnoser/detect/side_by_side.h"

namespace limpet {

class Workers {
 public:
  // May be 0: then the caller does everything itself.
  explicit Workers(std::size_t threads);
  // Ends what was started.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  [[nodiscard]] std::size_t Threads() const { return threads_.size(); }

  // body(0) to body(count - 1), each once, on whichever thread, the caller's included; back when
  // all are done. Throws what one of them threw.
  void ForEach(std::size_t count, const std::function<void(std::size_t)>& body);

  // The same as a computation asks for it. The workers must outlive it.
  [[nodiscard]] SideBySide HandsOut() {
    return [this](std::size_t count, const std::function<void(std::size_t)>& body) {
      ForEach(count, body);
    };
  }

  // Soon, on another thread; when there is none, on the caller's as soon as it asks for the result.
  template <class T>
  [[nodiscard]] std::future<T> Start(std::function<T()> work) {
    if (threads_.empty()) {
      return std::async(std::launch::deferred, std::move(work));
    }
    auto task = std::make_shared<std::packaged_task<T()>>(std::move(work));
    auto result = task->get_future();
    Post([task] { (*task)(); }, Place::kLast);
    return result;
  }

  // Waits until the result is there, or another thread is at it and nothing else is left to do, the
  // caller does what waits for a thread.
  template <class T>
  void Await(const std::future<T>& result) {
    while (result.wait_for(std::chrono::seconds(0)) == std::future_status::timeout && HelpOnce()) {
    }
  }

 private:
  // Does what was posted first; false: nothing waits.
  bool HelpOnce();
  // First: somebody waits for it.
  enum class Place { kFirst, kLast };
  void Post(std::function<void()> task, Place place);
  void Work();

  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<std::function<void()>> tasks_;
  bool ends_ = false;
  std::vector<std::thread> threads_;  // last: they use all of the above
};

// Returns how many threads a command has for itself: the processor's cores, at least 1.
[[nodiscard]] std::size_t CountCores();

}  // namespace limpet
