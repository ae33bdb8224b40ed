#include "diagnoser/detect/profile/mixture.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace limpet {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct Gaussian {
  Vector mean;
  Matrix covariance;
};

constexpr double kMinWeight = 1;  // point's worth of responsibility
constexpr std::size_t kMaxRestarts = 20;
constexpr double kNothing = -std::numeric_limits<double>::infinity();  // to compare with

// Mean and covariance of the points (columns) under weights, the ridge added.
Gaussian Estimate(const Matrix& points, const Eigen::RowVectorXd& weights, double ridge) {
  const double total = weights.sum();
  Gaussian estimate;
  estimate.mean = (points * weights.transpose()) / total;
  const Matrix centred = points.colwise() - estimate.mean;
  const Matrix weighted = centred.array().rowwise() * weights.array();
  estimate.covariance = weighted * centred.transpose() / total;
  // Rounding leaves the halves a digit apart.
  estimate.covariance = ((estimate.covariance + estimate.covariance.transpose()) / 2).eval();
  estimate.covariance.diagonal().array() += ridge;
  return estimate;
}

// Of every point, log density under one Gaussian and squared distance to it.
struct Densities {
  Eigen::RowVectorXd log_density;
  Eigen::RowVectorXd squared;
};
Densities FindDensities(const Matrix& points, const Gaussian& gaussian) {
  // The ridge keeps the covariance positive definite, so this cannot fail.
  const Eigen::LLT<Matrix> cholesky(gaussian.covariance);
  Matrix solved = points.colwise() - gaussian.mean;
  cholesky.matrixL().solveInPlace(solved);
  const double half_log_determinant = cholesky.matrixLLT().diagonal().array().log().sum();
  const auto size = static_cast<double>(points.rows());
  Densities densities;
  densities.squared = solved.colwise().squaredNorm();
  densities.log_density = (-densities.squared.array() / 2 - half_log_determinant -
                           size / 2 * std::log(2 * std::numbers::pi))
                              .matrix();
  return densities;
}

struct Expectation {
  Matrix responsibility;  // profile by point
  double log_likelihood = 0;
  Eigen::RowVectorXd nearest;  // of every point, squared distance to its nearest profile
};
Expectation Expect(const Matrix& points, const std::vector<Gaussian>& gaussians) {
  const auto k = static_cast<Eigen::Index>(gaussians.size());
  Expectation result;
  result.responsibility.resize(k, points.cols());
  auto& nearest = result.nearest;
  for (Eigen::Index i = 0; i < k; ++i) {
    const auto densities = FindDensities(points, gaussians[static_cast<std::size_t>(i)]);
    result.responsibility.row(i) = densities.log_density;
    nearest = i == 0 ? densities.squared : nearest.cwiseMin(densities.squared).eval();
  }
  const double log_prior = -std::log(static_cast<double>(k));
  for (Eigen::Index j = 0; j < points.cols(); ++j) {
    auto column = result.responsibility.col(j);
    // Densities of far points are all 0 as doubles; relative to the largest one is 1.
    const double most = column.maxCoeff();
    column = (column.array() - most).exp().matrix();
    const double sum = column.sum();
    column /= sum;
    result.log_likelihood += most + std::log(sum) + log_prior;
  }
  return result;
}

std::vector<Profile> MakeProfiles(const std::vector<Gaussian>& gaussians) {
  std::vector<Profile> profiles;
  profiles.reserve(gaussians.size());
  for (const auto& one : gaussians) {
    profiles.push_back(
        {.mean = {one.mean.data(), one.mean.data() + one.mean.size()},
         .covariance = {one.covariance.data(), one.covariance.data() + one.covariance.size()}});
  }
  return profiles;
}

// One Gaussian a cluster; an empty cluster keeps its centre and has the spread of all points.
std::vector<Gaussian> Begin(const Matrix& points, const Clustering& start, const Gaussian& all,
                            double ridge) {
  std::vector<Gaussian> gaussians;
  for (std::size_t i = 0; i < start.centres.size(); ++i) {
    Eigen::RowVectorXd member(points.cols());
    for (Eigen::Index j = 0; j < points.cols(); ++j) {
      member[j] = start.labels[static_cast<std::size_t>(j)] == i ? 1 : 0;
    }
    auto gaussian = all;
    if (member.sum() > 0) {
      gaussian = Estimate(points, member, ridge);
    } else {
      gaussian.mean = Eigen::Map<const Vector>(start.centres[i].data(), points.rows());
    }
    gaussians.push_back(std::move(gaussian));
  }
  return gaussians;
}

// The Gaussians that fit the responsibilities best. One that has lost its points begins anew at the
// point that all others explain worst; returns how many did.
std::size_t Maximize(const Matrix& points, Expectation expectation, const Gaussian& all,
                     std::size_t restarts_left, double ridge, std::vector<Gaussian>& gaussians) {
  std::size_t restarts = 0;
  for (std::size_t i = 0; i < gaussians.size(); ++i) {
    const Eigen::RowVectorXd weights = expectation.responsibility.row(static_cast<Eigen::Index>(i));
    if (weights.sum() >= kMinWeight || restarts >= restarts_left) {
      if (weights.sum() > 0) {
        gaussians[i] = Estimate(points, weights, ridge);
      }
      continue;
    }
    Eigen::Index farthest = 0;
    expectation.nearest.maxCoeff(&farthest);
    expectation.nearest[farthest] = 0;  // two that are empty must not begin as one
    gaussians[i] = {.mean = points.col(farthest), .covariance = all.covariance};
    ++restarts;
  }
  return restarts;
}

}  // namespace

Mixture FitMixture(const Points& given, const Clustering& start, const MixtureOptions& options) {
  const auto size = static_cast<Eigen::Index>(given.dimensions);
  const auto count = static_cast<Eigen::Index>(given.size());
  const Eigen::Map<const Matrix> map(given.values.data(), size, count);
  const Matrix points = map;
  const auto all = Estimate(points, Eigen::RowVectorXd::Ones(count), options.ridge);
  auto gaussians = Begin(points, start, all, options.ridge);
  Mixture result;
  std::vector<Gaussian> before = gaussians;
  double last = kNothing;
  for (std::size_t round = 0; round <= options.most_rounds; ++round) {
    auto expectation = Expect(points, gaussians);
    const double now = expectation.log_likelihood;
    // The ridge and rounding can make a round lose: then the one before was the best.
    if (now < last) {
      gaussians = before;
      result.converged = true;
      break;
    }
    result.log_likelihoods.push_back(now);
    if (now - last < options.tolerance * std::abs(last)) {
      result.converged = true;
      break;
    }
    if (round == options.most_rounds) {
      break;
    }
    before = gaussians;
    const auto restarts = Maximize(points, std::move(expectation), all,
                                   kMaxRestarts - result.restarts, options.ridge, gaussians);
    result.restarts += restarts;
    // A new beginning may cost likelihood at first and must not be taken for the end.
    last = now;
    if (restarts > 0) {
      last = kNothing;
    }
  }
  result.profiles = MakeProfiles(gaussians);
  return result;
}

}  // namespace limpet
