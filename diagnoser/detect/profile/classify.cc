#include "diagnoser/detect/profile/classify.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace limpet {
namespace {

constexpr double kKnown = 0.999;  // of the seconds of a profile

}  // namespace

struct Classifier::Tables {
  struct One {
    Eigen::VectorXd mean;
    Eigen::MatrixXd lower;  // S = L L^T
    double half_log_determinant = 0;
  };
  ProfileModel model;
  std::vector<One> profiles;
  double limit = 0;
};

Classifier::Classifier(ProfileModel model) {
  auto tables = std::make_unique<Tables>();
  const auto n = static_cast<Eigen::Index>(model.Dimensions());
  for (const auto& profile : model.profiles) {
    const Eigen::Map<const Eigen::MatrixXd> covariance(profile.covariance.data(), n, n);
    const Eigen::LLT<Eigen::MatrixXd> cholesky(covariance);
    Tables::One one{.mean = Eigen::Map<const Eigen::VectorXd>(profile.mean.data(), n),
                    .lower = cholesky.matrixL(),
                    .half_log_determinant = 0};
    // |S| is the square of the product of L's diagonal.
    one.half_log_determinant = one.lower.diagonal().array().log().sum();
    tables->profiles.push_back(std::move(one));
  }
  // Squared distances to the own profile are distributed so, if it is a Gaussian.
  const boost::math::chi_squared distribution(static_cast<double>(model.Dimensions()));
  tables->limit = std::sqrt(boost::math::quantile(distribution, kKnown));
  tables->model = std::move(model);
  tables_ = std::move(tables);
}

Classifier::~Classifier() = default;
Classifier::Classifier(Classifier&&) noexcept = default;
Classifier& Classifier::operator=(Classifier&&) noexcept = default;

const ProfileModel& Classifier::Model() const { return tables_->model; }
double Classifier::Limit() const { return tables_->limit; }

Classified Classifier::Classify(std::span<const double> x) const {
  const Eigen::Map<const Eigen::VectorXd> point(x.data(), static_cast<Eigen::Index>(x.size()));
  Classified best;
  double most = -std::numeric_limits<double>::infinity();
  Eigen::VectorXd solved(point.size());
  for (std::size_t i = 0; i < tables_->profiles.size(); ++i) {
    const auto& profile = tables_->profiles[i];
    solved = point - profile.mean;
    profile.lower.triangularView<Eigen::Lower>().solveInPlace(solved);
    const double squared = solved.squaredNorm();
    // ln density without the constants that all profiles share.
    const double score = -profile.half_log_determinant - squared / 2;
    if (i == 0 || score > most) {
      most = score;
      best = {.label = i + 1, .distance = std::sqrt(squared)};
    }
  }
  // Written so that a distance that is no number is unknown, too.
  if (!(best.distance <= tables_->limit)) {
    best.label = tables_->profiles.size() + 1;
  }
  return best;
}

std::optional<Classified> Classifier::Classify(const HostSample& sample) const {
  const auto x = Normalise(tables_->model, sample);
  return x ? std::optional(Classify(*x)) : std::nullopt;
}

}  // namespace limpet
