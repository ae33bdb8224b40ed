// stats.h: mean, median, quantile and nearness, as docs/how-it-decides.md defines them.
//
// Threads: pure. The input of all but Near must not be empty and holds no missing samples.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace limpet {

[[nodiscard]] double Mean(std::span<const double> values);
// Even count: the mean of the middle two.
[[nodiscard]] double Median(std::vector<double> values);
// The middle two in ascending order; odd count: twice the middle one.
[[nodiscard]] std::array<double, 2> MiddleTwo(std::vector<double> values);
// The same as Median of values in ascending order.
[[nodiscard]] double SortedMedian(std::span<const double> sorted);
// The place of a quantile (R's type 7) among values in ascending order, p in [0, 1].
struct QuantilePlace {
  std::size_t low = 0;
  std::size_t high = 0;
  double beyond = 0;  // part of the way from the one to the other

  [[nodiscard]] double Between(double at_low, double at_high) const {
    return at_low + beyond * (at_high - at_low);
  }
};
[[nodiscard]] QuantilePlace PlaceOfQuantile(std::size_t count, double p);
// R's type 7 of values in ascending order.
[[nodiscard]] double SortedQuantile(std::span<const double> sorted, double p);
// Third quartile minus first, of values in ascending order.
[[nodiscard]] double SortedIqr(std::span<const double> sorted);
// The same of values in any order.
[[nodiscard]] double Iqr(std::vector<double> values);
// 1.4826 times the median distance from the median: a normal distribution's standard deviation,
// which a few values far away do not change much.
[[nodiscard]] double MedianScatter(std::vector<double> values);
// Qn of Rousseeuw and Croux (1993), also a normal distribution's standard deviation: of all
// differences between two values the largest of the smallest quarter (of four values the second
// smallest). It stays what it is within the halves when these lie far apart, which no distance from
// a middle does, and of like values it is the steadier estimate. O(n log n); 0 for fewer than two.
[[nodiscard]] double PairScatter(std::vector<double> values);
// |a-b| <= 1e-9 * max(|a|, |b|): equal but for rounding.
[[nodiscard]] bool Near(double a, double b);

}  // namespace limpet
