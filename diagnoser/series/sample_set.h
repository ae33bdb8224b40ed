// sample_set.h: the samples of all components taking part in one window, one after the other.
//
// Holes are gone: every component has its own number of samples.
// Threads: a value.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace limpet {

class SampleSet {
 public:
  SampleSet() = default;
  // `count` components with `each` samples.
  SampleSet(std::vector<double> values, std::size_t count, std::size_t each)
      : values_(std::move(values)) {
    values_.resize(count * each);
    for (std::size_t i = 1; i <= count; ++i) {
      ends_.push_back(i * each);
    }
  }
  // Room for `count` components with `each` samples.
  void Reserve(std::size_t count, std::size_t each) {
    values_.reserve(count * each);
    ends_.reserve(count);
  }
  // Appends a component. Returns its number.
  std::size_t Add(std::span<const double> samples) {
    values_.insert(values_.end(), samples.begin(), samples.end());
    ends_.push_back(values_.size());
    return ends_.size() - 1;
  }

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::span<const double> Of(std::size_t component) const {
    const std::size_t begin = component == 0 ? 0 : ends_[component - 1];
    return std::span(values_).subspan(begin, ends_[component] - begin);
  }
  // May be changed in place; valid until the next Add.
  [[nodiscard]] std::span<double> Mutable(std::size_t component) {
    const std::size_t begin = component == 0 ? 0 : ends_[component - 1];
    return std::span(values_).subspan(begin, ends_[component] - begin);
  }
  [[nodiscard]] std::span<const double> All() const { return values_; }

 private:
  std::vector<double> values_;
  std::vector<std::size_t> ends_;
};

}  // namespace limpet
