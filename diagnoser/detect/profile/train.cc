#include "diagnoser/detect/profile/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnoser/detect/profile/classify.h"
#include "diagnoser/detect/profile/histograms.h"
#include "diagnoser/detect/profile/kmeans.h"
#include "diagnoser/detect/profile/mixture.h"

namespace limpet {
namespace {

// With fewer points a profile would fit single seconds.
constexpr std::size_t kSecondsPerProfile = 10;
constexpr double kConstant = 1e-9;  // relative: what rounding leaves of a constant's deviation
constexpr int kSteps = 100;         // multiples of 0.01 up to 1
constexpr int kMargin = 5;          // of them

// Mean and deviation of ln(sample + 1) of one metric.
struct Spread {
  std::size_t count = 0;
  double sigma = 0;
  double largest = 0;
};
Spread MeasureSpread(const std::vector<HostRun>& runs, std::size_t metric) {
  Spread spread;
  double sum = 0;
  // Two passes: a sum of squares of large numbers would lose the small deviations.
  const auto each = [&](const auto& use) {
    for (const auto& run : runs) {
      for (const auto& seconds : run.seconds) {
        for (const auto& sample : seconds) {
          if (!IsMissing(sample[metric])) {
            use(std::log(sample[metric] + 1));
          }
        }
      }
    }
  };
  each([&](double x) {
    ++spread.count;
    sum += x;
    spread.largest = std::max(spread.largest, x);
  });
  const double mean = sum / static_cast<double>(std::max<std::size_t>(1, spread.count));
  double squares = 0;
  each([&](double x) { squares += (x - mean) * (x - mean); });
  spread.sigma = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, spread.count)));
  return spread;
}

bool IsWanted(HostMetric metric, const std::vector<HostMetric>& wanted) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), metric) != wanted.end();
}

void ChooseMetrics(const std::vector<HostRun>& runs, const std::vector<HostMetric>& wanted,
                   TrainedProfiles& trained) {
  std::vector<Spread> spreads;
  std::size_t most = 0;
  for (std::size_t metric = 0; metric < kHostMetrics; ++metric) {
    spreads.push_back(MeasureSpread(runs, metric));
    most = std::max(most, spreads.back().count);
  }
  for (std::size_t metric = 0; metric < kHostMetrics; ++metric) {
    const auto& spread = spreads[metric];
    if (!IsWanted(static_cast<HostMetric>(metric), wanted)) {
      continue;
    }
    // A second counts only with all metrics, so one that is seldom there would cost the others
    // theirs.
    if (spread.count * 2 < most || spread.count == 0) {
      trained.notes.push_back(fmt::format("dropped {}: only {} of {} seconds have it",
                                          HostMetrics()[metric].name, spread.count, most));
    } else if (spread.sigma <= kConstant * spread.largest) {
      trained.notes.push_back(
          fmt::format("dropped {}: it never changed (sigma 0)", HostMetrics()[metric].name));
    } else {
      trained.model.metrics.push_back(static_cast<HostMetric>(metric));
      trained.model.sigma.push_back(spread.sigma);
    }
  }
}

Points MakePoints(const ProfileModel& model, const std::vector<HostRun>& runs) {
  Points points{.dimensions = model.Dimensions(), .values = {}};
  for (const auto& run : runs) {
    for (const auto& seconds : run.seconds) {
      for (const auto& sample : seconds) {
        if (const auto x = Normalise(model, sample)) {
          points.values.insert(points.values.end(), x->begin(), x->end());
        }
      }
    }
  }
  return points;
}

// Every host's majority distance, second by second: what is held against the threshold.
std::vector<std::vector<double>> MeasureDistances(const Classifier& classifier,
                                                  const HostRun& run) {
  // No distance is over 1, so a threshold of 2 alarms nobody and only distances are told.
  ProfileHistograms histograms(classifier.Profiles() + 1, 2, AlarmRule::kConsecutive);
  std::vector<std::vector<double>> distances(run.hosts.size());
  const auto length = run.seconds.empty() ? 0 : run.seconds.front().size();
  std::vector<ProfileHistograms::Input> inputs(run.hosts.size());
  for (std::size_t second = 0; second < length; ++second) {
    for (std::size_t host = 0; host < run.hosts.size(); ++host) {
      const auto found = classifier.Classify(run.seconds[host][second]);
      inputs[host] = {.host = run.hosts[host],
                      .label = found ? std::optional(found->label) : std::nullopt};
    }
    const auto result = histograms.Observe(static_cast<std::int64_t>(second), inputs);
    for (std::size_t host = 0; host < run.hosts.size(); ++host) {
      // With fewer than 3 hosts nobody is ever alarmed.
      distances[host].push_back(result.taking_part.size() < 3 ? 0.0 : result.hosts[host].distance);
    }
  }
  return distances;
}

bool AnyIndicted(const std::vector<double>& distances, double threshold, AlarmRule rule) {
  AlarmCount count;
  for (const double distance : distances) {
    count = Next(count, distance > threshold);
    if (IsIndicted(count, rule)) {
      return true;
    }
  }
  return false;
}

}  // namespace

double TrainThreshold(const ProfileModel& model, const std::vector<HostRun>& runs, AlarmRule rule) {
  const Classifier classifier(model);
  int step = 0;
  for (const auto& run : runs) {
    for (const auto& distances : MeasureDistances(classifier, run)) {
      // The step never goes down: what one host needs, the next one has.
      while (step < kSteps && AnyIndicted(distances, step / 100.0, rule)) {
        ++step;
      }
    }
  }
  return std::min(kSteps, step + kMargin) / 100.0;
}

Result<TrainedProfiles> TrainProfiles(const std::vector<HostRun>& runs,
                                      const ProfileTraining& options) {
  TrainedProfiles trained;
  ChooseMetrics(runs, options.metrics, trained);
  const auto points = MakePoints(trained.model, runs);
  const auto wanted = options.profiles * kSecondsPerProfile;
  if (trained.model.metrics.empty() || points.size() < wanted) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("expected at least {} seconds with host metrics, got {}; record hosts "
                             "with limpet-exporter's collector `host`, or node_exporter's cpu, "
                             "stat, loadavg, vmstat, netdev and diskstats",
                             wanted, points.size()),
                 ""};
  }
  const auto clusters = KMeans(points, options.profiles, options.seed, options.starts);
  const auto mixture = FitMixture(points, clusters);
  auto& model = trained.model;
  model.profiles = mixture.profiles;
  model.seed = options.seed;
  model.threshold = TrainThreshold(model, runs, options.rule);
  model.trained = true;
  trained.notes.push_back(fmt::format(
      "{} seconds; distortion of the k-means start {:.6g}; log-likelihood {:.6g} after {} rounds{}",
      points.size(), clusters.distortion, mixture.log_likelihoods.back(),
      mixture.log_likelihoods.size() - 1, mixture.converged ? "" : ", not settled"));
  if (model.threshold >= 1) {
    trained.notes.emplace_back(
        "threshold 1: hosts without a fault differed as much as can be; nobody will be indicted");
  }
  return trained;
}

}  // namespace limpet
