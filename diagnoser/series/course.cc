#include "diagnoser/series/course.h"

#include <cmath>
#include <vector>

#include "diagnoser/metrics/missing.h"
#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr std::size_t kLeastBlocks = 5;
constexpr double kSlope = 0.3;
constexpr double kSure = 1.5;
constexpr double kSteady = 0.25;  // of the imbalance: what a constant share of the traffic leaves

double Products(std::span<const double> a, std::span<const double> b) {
  const double a_mean = Mean(a);
  const double b_mean = Mean(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += (a[i] - a_mean) * (b[i] - b_mean);
  }
  return sum;
}

}  // namespace

Course MakeCourse(std::span<const double> values) {
  Course course{};
  for (std::size_t i = 0; i < kCourseBlocks; ++i) {
    const auto begin = i * values.size() / kCourseBlocks;
    const auto end = (i + 1) * values.size() / kCourseBlocks;
    std::vector<double> known;
    for (const double value : values.subspan(begin, end - begin)) {
      if (!IsMissing(value)) {
        known.push_back(value);
      }
    }
    course[i] = known.empty() ? kMissing : Mean(known);
  }
  return course;
}

bool Follows(const Course& imbalance, const Course& traffic) {
  std::vector<double> u;
  std::vector<double> x;
  for (std::size_t i = 0; i < kCourseBlocks; ++i) {
    if (!IsMissing(imbalance[i]) && !IsMissing(traffic[i])) {
      u.push_back(imbalance[i]);
      x.push_back(traffic[i]);
    }
  }
  if (u.size() < kLeastBlocks) {
    return false;
  }
  const double share = Mean(u) / Mean(x);
  const double squares = Products(x, x);
  if (!(Mean(u) > 0 && Mean(x) > 0 && squares > 0)) {
    return false;
  }
  const double slope = Products(u, x) / squares;
  const auto count = static_cast<double>(u.size());
  const double rest = std::max(0.0, Products(u, u) - slope * slope * squares);
  const double error = std::sqrt(rest / (count - 2) / squares);
  // What is left around share * x; both have the same mean.
  const double left = Products(u, u) - 2 * share * Products(u, x) + share * share * squares;
  return slope >= kSlope * share && slope > kSure * error &&
         std::sqrt(std::max(0.0, left) / count) <= kSteady * Mean(u);
}

}  // namespace limpet
