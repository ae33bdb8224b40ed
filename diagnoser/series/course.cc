#include "diagnoser/series/course.h"

#include <cmath>
#include <optional>
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

// An imbalance beside the traffic that it may be a share of.
struct ShareFit {
  double share = 0;
  double slope = 0;
  double error = 0;  // of the slope, standard
  double left = 0;   // around share * traffic, of the imbalance

  [[nodiscard]] bool IsSteady() const { return left <= kSteady; }
};

// nullopt: too little is known, or there is no such imbalance, or traffic that varies.
std::optional<ShareFit> FitShare(const Course& imbalance, const Course& traffic) {
  std::vector<double> u;
  std::vector<double> x;
  for (std::size_t i = 0; i < kCourseBlocks; ++i) {
    if (!IsMissing(imbalance[i]) && !IsMissing(traffic[i])) {
      u.push_back(imbalance[i]);
      x.push_back(traffic[i]);
    }
  }
  if (u.size() < kLeastBlocks) {
    return std::nullopt;
  }
  const double share = Mean(u) / Mean(x);
  const double squares = Products(x, x);
  if (!(Mean(u) > 0 && Mean(x) > 0 && squares > 0)) {
    return std::nullopt;
  }
  const double slope = Products(u, x) / squares;
  const auto count = static_cast<double>(u.size());
  const double rest = std::max(0.0, Products(u, u) - slope * slope * squares);
  // Both have the same mean.
  const double left = Products(u, u) - 2 * share * Products(u, x) + share * share * squares;
  return ShareFit{.share = share,
                  .slope = slope,
                  .error = std::sqrt(rest / (count - 2) / squares),
                  .left = std::sqrt(std::max(0.0, left) / count) / Mean(u)};
}

}  // namespace

Course MakeCourse(std::span<const double> values) {
  Course course{};
  for (std::size_t i = 0; i < kCourseBlocks; ++i) {
    const auto begin = i * values.size() / kCourseBlocks;
    const auto end = (i + 1) * values.size() / kCourseBlocks;
    double sum = 0;
    std::size_t known = 0;
    for (const double value : values.subspan(begin, end - begin)) {
      if (!IsMissing(value)) {
        sum += value;
        ++known;
      }
    }
    course[i] = known == 0 ? kMissing : sum / static_cast<double>(known);
  }
  return course;
}

bool IsSteadyShare(const Course& imbalance, const Course& traffic) {
  const auto fit = FitShare(imbalance, traffic);
  return fit && fit->IsSteady();
}

bool Follows(const Course& imbalance, const Course& traffic) {
  const auto fit = FitShare(imbalance, traffic);
  return fit && fit->slope >= kSlope * fit->share && fit->slope > kSure * fit->error &&
         fit->IsSteady();
}

}  // namespace limpet
