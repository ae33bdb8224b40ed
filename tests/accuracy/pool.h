// pool.h: the same function over many items by several threads, results in the items' order.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace limpet::accuracy {

// `progress` is called under a lock, after each item, with how many are done.
template <class Item, class Function>
auto MapAll(const std::vector<Item>& items, std::size_t threads, const Function& function,
            const std::function<void(std::size_t)>& progress) {
  using Out = decltype(function(items.front()));
  std::vector<std::optional<Out>> slots(items.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t done = 0;
  const auto work = [&] {
    for (auto i = next++; i < items.size(); i = next++) {
      slots[i] = function(items[i]);
      const std::lock_guard lock(mutex);
      progress(++done);
    }
  };
  std::vector<std::jthread> workers;
  for (std::size_t i = 1; i < threads; ++i) {
    workers.emplace_back(work);
  }
  work();
  workers.clear();
  std::vector<Out> results;
  results.reserve(slots.size());
  for (auto& slot : slots) {
    results.push_back(std::move(*slot));
  }
  return results;
}

}  // namespace limpet::accuracy
