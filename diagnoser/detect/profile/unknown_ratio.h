// unknown_ratio.h: how much of what hosts do the model does not know; too much, and it is stale.
//
// Ratio: unknown labels of all labels of the last 10 minutes, all hosts together.
// Stale: labels have been coming for 10 minutes, and the ratio is over 5 %.
// Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace limpet {

class UnknownRatio {
 public:
  static constexpr std::int64_t kSeconds = 600;
  static constexpr double kMax = 0.05;

  // The labels of all hosts in one second.
  struct Second {
    std::int64_t second = 0;  // Unix time
    std::size_t labels = 0;
    std::size_t unknown = 0;  // of them
    bool operator==(const Second&) const = default;
  };

  // Seconds rise.
  void Record(const Second& now) {
    while (!seconds_.empty() && seconds_.front().second <= now.second - kSeconds) {
      labels_ -= seconds_.front().labels;
      unknown_ -= seconds_.front().unknown;
      seconds_.pop_front();
    }
    last_ = now.second;
    if (now.labels == 0) {
      return;
    }
    if (seconds_.empty()) {
      since_ = now.second;
    }
    seconds_.push_back(now);
    labels_ += now.labels;
    unknown_ += now.unknown;
  }

  [[nodiscard]] double Ratio() const {
    return labels_ == 0 ? 0.0 : static_cast<double>(unknown_) / static_cast<double>(labels_);
  }
  [[nodiscard]] bool Stale() const { return last_ - since_ >= kSeconds && Ratio() > kMax; }

  // Returns what outlives a restart: these, given to a new one.
  [[nodiscard]] const std::deque<Second>& Seconds() const { return seconds_; }
  [[nodiscard]] std::int64_t Since() const { return since_; }
  void Restore(std::int64_t since, const std::deque<Second>& seconds) {
    for (const auto& second : seconds) {
      Record(second);
    }
    since_ = since;
  }

 private:
  std::deque<Second> seconds_;  // those with labels
  std::size_t labels_ = 0;      // sums over them
  std::size_t unknown_ = 0;
  std::int64_t since_ = 0;  // labels have been coming, with no 10 minutes without
  std::int64_t last_ = 0;
};

}  // namespace limpet
