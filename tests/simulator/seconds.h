// seconds.h: time inside a simulated run, and what happened in each of its seconds.
//
// Threads: values.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

namespace limpet::simulator {

// Instants are seconds since the beginning of the run.
using Seconds = std::chrono::duration<double>;

// Adds up a struct of doubles by the second in which things happen, also ahead of time: the end of
// a transfer is known when it begins. What falls beyond the run is kept in one last place, so that
// nothing is lost from Total().
template <class Row>
class BySecond {
 public:
  explicit BySecond(std::size_t seconds) : rows_(seconds + 1) {}

  [[nodiscard]] Row& At(Seconds when) { return rows_[PlaceOf(when)]; }
  [[nodiscard]] const Row& Of(std::size_t second) const {
    return rows_[std::min(second, rows_.size() - 1)];
  }
  // Calls add(row, part) for every second touched by [from, to); the parts add up to 1.
  template <class Add>
  void Spread(Seconds from, Seconds to, const Add& add) {
    const auto first = PlaceOf(from);
    const auto last = PlaceOf(to);
    if (first == last || to <= from) {
      add(rows_[first], 1.0);
      return;
    }
    const double span = (to - from).count();
    double done = 0;
    for (auto i = first; i < last; ++i) {
      const double part =
          (static_cast<double>(i + 1) - std::max(from.count(), static_cast<double>(i))) / span;
      add(rows_[i], part);
      done += part;
    }
    add(rows_[last], std::max(0.0, 1 - done));
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }

 private:
  [[nodiscard]] std::size_t PlaceOf(Seconds when) const {
    const double second = std::floor(std::max(0.0, when.count()));
    return std::min(static_cast<std::size_t>(second), rows_.size() - 1);
  }
  std::vector<Row> rows_;
};

}  // namespace limpet::simulator
