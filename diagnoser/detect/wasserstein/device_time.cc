#include "diagnoser/detect/wasserstein/device_time.h"

#include <algorithm>
#include <utility>

#include "diagnoser/series/stats.h"
#include "exporter/common/units.h"

namespace limpet {
namespace {

constexpr double kPercent = 100;
constexpr double kMsPerSecond = 1000;
// Relative errors, as squares: time at the device follows from the peers' work to a fifth, busy
// time is further from it than a tenth, and its error twice as large or more.
constexpr double kFollows = 0.2 * 0.2;
constexpr double kDoesNotFollow = 0.1 * 0.1;
constexpr double kTimesBetter = 2.0 * 2.0;
// Steps that make a mean of their own: an eighth of the window, and at least so many.
constexpr std::size_t kMinSteps = 4;
constexpr std::size_t kPart = 8;

double MeanOrZero(std::span<const double> samples) { return samples.empty() ? 0 : Mean(samples); }

// A disk is busy no longer than its requests take together. Kernels 5.0 to 6.9 count a whole clock
// tick for the first request in it, so that flash with hundreds of short ones is busy all the time,
// however slow it is. Some of them drop parts of a tick from the queue's own time: the larger of
// that and of what requests took counts. Without either busy time stands.
double BusySeconds(double util, double queue, double await, double requests) {
  const double taken = std::max(queue, await / kMsPerSecond * requests);
  const double busy = util / kPercent;
  return taken > 0 ? std::min(busy, taken) : busy;
}

// By what diskstats says, of smoothed samples.
WorkFit FitBusyTime(const GroupSamples& group, std::span<const std::size_t> who) {
  WorkFit fit;
  std::vector<WorkStep> steps;
  for (const auto number : who) {
    const auto of = [&](DiskMetric metric) {
      return group.samples[number].metrics.Of(Index(metric));
    };
    const auto util = of(DiskMetric::kUtil);
    const auto requests = of(DiskMetric::kRequests);
    const auto read = of(DiskMetric::kRead);
    const auto written = of(DiskMetric::kWrite);
    const auto queue = of(DiskMetric::kQueueSize);
    const auto await = of(DiskMetric::kAwait);
    steps.clear();
    // With holes places are not times any more; such a disk is judged, but nobody by it.
    const auto same = util.size();
    const bool timed = queue.size() == same && await.size() == same;
    if (requests.size() == same && read.size() == same && written.size() == same) {
      for (std::size_t i = 0; i < same; ++i) {
        steps.push_back({.seconds = BusySeconds(util[i], timed ? queue[i] : 0, timed ? await[i] : 0,
                                                requests[i]),
                         .requests = requests[i],
                         .bytes = kBytesPerSector * (read[i] + written[i])});
      }
    }
    fit.Add(steps, {.seconds = BusySeconds(MeanOrZero(util), MeanOrZero(queue), MeanOrZero(await),
                                           MeanOrZero(requests)),
                    .requests = MeanOrZero(requests),
                    .bytes = kBytesPerSector * (MeanOrZero(read) + MeanOrZero(written))});
  }
  return fit;
}

WorkStep MeanOf(const DeviceSteps& steps, const std::vector<double>& seconds) {
  return {.seconds = MeanOrZero(seconds),
          .requests = MeanOrZero(steps.requests),
          .bytes = MeanOrZero(steps.bytes)};
}

void AddTo(WorkFit& fit, const DeviceSteps& steps, const std::vector<double>& seconds) {
  std::vector<WorkStep> work;
  work.reserve(seconds.size());
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    work.push_back({.seconds = seconds[i], .requests = steps.requests[i], .bytes = steps.bytes[i]});
  }
  fit.Add(work, MeanOf(steps, seconds));
}

// ms; nullopt without any request.
std::optional<double> TimePerRequest(const DeviceSteps& steps) {
  const double requests = MeanOrZero(steps.requests);
  return requests > 0 ? std::optional(kMsPerSecond * Mean(steps.at_device) / requests)
                      : std::nullopt;
}

std::optional<double> MedianOf(const std::vector<std::optional<double>>& values) {
  std::vector<double> all;
  for (const auto& value : values) {
    if (value) {
      all.push_back(*value);
    }
  }
  return all.empty() ? std::nullopt : std::optional(Median(std::move(all)));
}

// Up to that depth: all steps, deeper ones counted as that deep, and the others by themselves where
// there are enough of them.
std::vector<WorkStep> WorkUpTo(const DeviceSteps& steps, double depth) {
  WorkStep bounded;
  WorkStep within;
  std::size_t count = 0;
  for (std::size_t i = 0; i < steps.at_device.size(); ++i) {
    bounded.seconds += std::min(steps.at_device[i], depth);
    bounded.requests += steps.requests[i];
    bounded.bytes += steps.bytes[i];
    if (steps.at_device[i] <= depth) {
      within.seconds += steps.at_device[i];
      within.requests += steps.requests[i];
      within.bytes += steps.bytes[i];
      ++count;
    }
  }
  if (count < std::max(kMinSteps, steps.at_device.size() / kPart)) {
    return {bounded};
  }
  return {bounded, within};
}

}  // namespace

DeviceTimes::DeviceTimes(const GroupSamples& group, std::span<const std::size_t> who)
    : group_(&group), who_(who), busy_(FitBusyTime(group, who)), kernel_(FitKernel()) {}

// Peers are compared by one and the same clock: all that have done anything must have it.
bool DeviceTimes::HasKernel() const {
  bool any = false;
  for (std::size_t place = 0; place < who_.size(); ++place) {
    const auto requests = group_->samples[who_[place]].metrics.Of(Index(DiskMetric::kRequests));
    const bool measured = !Steps(place).requests.empty() &&
                          Steps(place).requests.size() >= MinSamples(requests.size());
    if (!measured && std::ranges::any_of(requests, [](double rate) { return rate > 0; })) {
      return false;
    }
    any = any || measured;
  }
  return any;
}

void DeviceTimes::FindDeepest(Kernel& kernel) {
  const auto& deepest = kernel.deepest;
  const auto largest = std::ranges::max_element(deepest);
  kernel.deepest_of_all = static_cast<std::size_t>(largest - deepest.begin());
  for (std::size_t place = 0; place < deepest.size(); ++place) {
    if (place != kernel.deepest_of_all) {
      kernel.second_deepest = std::max(kernel.second_deepest, deepest[place]);
    }
  }
}

// Whether peers work in parallel needs the fit of each of them: made once, not for every place.
std::optional<DeviceTimes::Kernel> DeviceTimes::FitKernel() const {
  if (!HasKernel()) {
    return std::nullopt;
  }
  Kernel kernel;
  WorkFit busy;
  for (std::size_t place = 0; place < who_.size(); ++place) {
    const auto& steps = Steps(place);
    AddTo(kernel.at_device, steps, steps.at_device);
    AddTo(busy, steps, steps.busy);
    kernel.deepest.push_back(steps.at_device.empty() ? 0
                                                     : *std::ranges::max_element(steps.at_device));
    kernel.per_request.push_back(TimePerRequest(steps));
  }
  kernel.median_per_request = MedianOf(kernel.per_request);
  FindDeepest(kernel);
  const auto by_kernel = kernel.at_device.Misfits();
  const auto by_busy = busy.Misfits();
  for (std::size_t place = 0; place < who_.size(); ++place) {
    kernel.parallel.push_back(by_kernel[place] && by_busy[place] && *by_kernel[place] <= kFollows &&
                              *by_busy[place] >= kDoesNotFollow &&
                              kTimesBetter * *by_kernel[place] <= *by_busy[place]);
  }
  return kernel;
}

double DeviceTimes::DeepestOfOthers(std::size_t place) const {
  return place == kernel_->deepest_of_all
             ? kernel_->second_deepest
             : std::max(0.0, kernel_->deepest[kernel_->deepest_of_all]);
}

std::optional<double> DeviceTimes::Slowdown(std::size_t place) {
  if (!WorkInParallel(place)) {
    return busy_.Slowdown(place);
  }
  return kernel_->at_device.Slowdown(place, WorkUpTo(Steps(place), DeepestOfOthers(place)));
}

std::optional<DeviceTime> DeviceTimes::ByKernel(std::size_t place, double slowdown) const {
  const auto own = kernel_ ? kernel_->per_request[place] : std::nullopt;
  if (!own) {
    return std::nullopt;
  }
  return DeviceTime{.mean = *own,
                    .peer_median = *kernel_->median_per_request,
                    .slowdown = slowdown,
                    .decides = WorkInParallel(place)};
}

}  // namespace limpet
