// mailbox.h: messages on their way from many threads to one, which reads them in order.
//
//   Mailbox<std::variant<Page, Reload, Status>> mailbox(256 << 20);
//   mailbox.Offer(page, page.size());          // refused when there is too much already
//   mailbox.Replace(Status{...});              // only the latest counts
//   for (auto& message : mailbox.Receive(deadline)) std::visit(…, message);
//
// Bounded: what is offered by its bytes and its place in the queue, what is replaced by the number
// of its types. Nobody who sends ever waits.
// Threads: all functions may be called from any thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

template <class Message>
class Mailbox {
 public:
  explicit Mailbox(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // False when there is no room for `bytes` more, beside the message itself: it is dropped and
  // counted. The first message is always let in, however large.
  bool Offer(Message message, std::size_t bytes) {
    bytes += sizeof(Message);
    {
      const std::lock_guard lock(mutex_);
      if (bytes_ > 0 && bytes_ + bytes > max_bytes_) {
        ++refused_;
        return false;
      }
      bytes_ += bytes;
      messages_.push_back(std::move(message));
    }
    arrived_.notify_one();
    return true;
  }

  // Takes the place of a message of the same type that is still waiting, and of those of the types
  // `Superseded`; comes after all others.
  template <class... Superseded, class Latest>
  void Replace(Latest latest) {
    {
      const std::lock_guard lock(mutex_);
      std::erase_if(messages_, [](const Message& waiting) {
        return std::holds_alternative<Latest>(waiting) ||
               (std::holds_alternative<Superseded>(waiting) || ...);
      });
      messages_.emplace_back(std::in_place_type<Latest>, std::move(latest));
      replaced_ = true;
    }
    arrived_.notify_one();
    hurry_.notify_one();
  }

  // All that is there, in the order it came; waits for some until `deadline` or Close. After the
  // first it waits for `linger` more, within the deadline: what is offered meanwhile wakes nobody.
  // What replaces is not kept waiting.
  [[nodiscard]] std::vector<Message> Receive(SteadyTime deadline, Duration linger = {}) {
    std::unique_lock lock(mutex_);
    arrived_.wait_until(lock, deadline, [this] { return closed_ || !messages_.empty(); });
    if (linger > Duration::zero()) {
      const auto end = std::min(deadline, std::chrono::steady_clock::now() + linger);
      hurry_.wait_until(lock, end, [this] { return closed_ || replaced_; });
    }
    return TakeAll();
  }
  // The same without a deadline; nothing once it is closed and empty.
  [[nodiscard]] std::vector<Message> Receive() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return closed_ || !messages_.empty(); });
    return TakeAll();
  }

  // Ends all waiting; what is there may still be received.
  void Close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    arrived_.notify_all();
    hurry_.notify_all();
  }
  [[nodiscard]] bool Closed() const {
    const std::lock_guard lock(mutex_);
    return closed_;
  }
  [[nodiscard]] std::uint64_t Refused() const {
    const std::lock_guard lock(mutex_);
    return refused_;
  }

 private:
  std::vector<Message> TakeAll() {
    bytes_ = 0;
    replaced_ = false;
    return std::exchange(messages_, {});
  }

  const std::size_t max_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::condition_variable hurry_;  // of who lingers
  std::vector<Message> messages_;
  std::size_t bytes_ = 0;  // offered
  std::uint64_t refused_ = 0;
  bool replaced_ = false;  // one of the messages is of Replace
  bool closed_ = false;
};

}  // namespace limpet
