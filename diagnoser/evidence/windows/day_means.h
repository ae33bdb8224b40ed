// day_means.h: what the components of a group did over a day, in little memory: of each metric the
// mean of every hour's window means, and of those the median.
//
// Days are those of UTC by the time of the data, so that a replay finds the same ones.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/verdict/events.h"
#include "exporter/common/time.h"

namespace limpet {

class DayMeans {
 public:
  static constexpr std::size_t kMinHours = 12;  // fewer are no day

  // The means of one window of a metric; fastest in the order of their names. Windows of a later
  // day than those before begin a new day: read Medians first.
  void Record(std::size_t metric, UnixTime end, std::span<const ComponentWindow> components);
  // Returns whether a window that ends at `end` is of a later day than those recorded.
  [[nodiscard]] bool IsOver(UnixTime end) const;
  // Returns medians of the day so far; components with fewer than kMinHours are left out.
  [[nodiscard]] std::map<std::string, double> Medians(std::size_t metric) const;

  void Forget(const std::function<bool(const std::string& component)>& is_gone);

 private:
  struct Hours {
    std::array<float, 24> means{};  // of the hours in `known`
    std::uint32_t known = 0;        // bit h: hour h
    std::uint32_t hour = 0;         // the one being added up
    std::uint32_t count = 0;
    double sum = 0;
    void Add(std::uint32_t at, double mean);
    [[nodiscard]] std::vector<double> All() const;
  };

  std::int64_t day_ = -1;  // since 1970
  std::vector<std::map<std::string, Hours>> metrics_;
};

}  // namespace limpet
