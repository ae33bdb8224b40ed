#include "diagnoser/detect/wasserstein/device_time.h"

#include <algorithm>

#include "diagnoser/detect/stats.h"

namespace limpet {
namespace {

constexpr double kPercent = 100;
constexpr double kMinBusy = 1e-3;  // s/s; below it a disk has done nothing worth a fit
// Least share of the sums of squares that the sizes' variation must leave: sizes that vary by a
// tenth.
constexpr double kMinDeterminant = 0.01;
constexpr std::size_t kMinOthers = 2;

double MeanOrZero(std::span<const double> samples) { return samples.empty() ? 0 : Mean(samples); }

}  // namespace

DeviceTimes::Work DeviceTimes::Measure(const MemberSamples& samples) {
  const auto of = [&](DiskMetric metric) { return samples.metrics.Of(Index(metric)); };
  const auto util = of(DiskMetric::kUtil);
  const auto requests = of(DiskMetric::kRequests);
  const auto read = of(DiskMetric::kRead);
  const auto written = of(DiskMetric::kWrite);
  Work work{.busy = MeanOrZero(util) / kPercent,
            .requests = MeanOrZero(requests),
            .bytes = kBytesPerSector * (MeanOrZero(read) + MeanOrZero(written))};
  // With holes places are not times any more; such a disk is judged, but nobody by it.
  const auto same = util.size();
  if (requests.size() != same || read.size() != same || written.size() != same) {
    return work;
  }
  for (std::size_t i = 0; i < same; ++i) {
    const double busy = util[i] / kPercent;
    if (busy < kMinBusy) {
      continue;
    }
    const double n = requests[i];
    const double bytes = kBytesPerSector * (read[i] + written[i]);
    work.nn += n * n / busy;
    work.nb += n * bytes / busy;
    work.bb += bytes * bytes / busy;
    work.ny += n;
    work.by += bytes;
  }
  return work;
}

DeviceTimes::DeviceTimes(const GroupSamples& group, std::span<const std::size_t> who) {
  works_.reserve(who.size());
  for (const auto number : who) {
    const auto& work = works_.emplace_back(Measure(group.samples[number]));
    total_.nn += work.nn;
    total_.nb += work.nb;
    total_.bb += work.bb;
    total_.ny += work.ny;
    total_.by += work.by;
  }
}

std::vector<DeviceTimes::Model> DeviceTimes::Fit(std::size_t left_out) const {
  const auto& own = works_[left_out];
  const double nn = total_.nn - own.nn;
  const double nb = total_.nb - own.nb;
  const double bb = total_.bb - own.bb;
  const double ny = total_.ny - own.ny;
  const double by = total_.by - own.by;
  if (!(nn > 0) || !(bb > 0)) {
    return {};
  }
  const Model by_requests{.a = ny / nn, .b = 0};
  const Model by_bytes{.a = 0, .b = by / bb};
  const double determinant = nn * bb - nb * nb;
  if (!(determinant > kMinDeterminant * nn * bb)) {
    return {by_requests, by_bytes};
  }
  const Model both{.a = (bb * ny - nb * by) / determinant, .b = (nn * by - nb * ny) / determinant};
  if (both.a < 0) {
    return {by_bytes};
  }
  return {both.b < 0 ? by_requests : both};
}

std::optional<double> DeviceTimes::Quotient(const Model& model, std::size_t place) const {
  const auto& work = works_[place];
  const double expected = model.a * work.requests + model.b * work.bytes;
  if (work.busy < kMinBusy || !(expected > 0)) {
    return std::nullopt;
  }
  return work.busy / expected;
}

std::optional<double> DeviceTimes::Slowdown(std::size_t place) const {
  std::optional<double> least;
  for (const auto& model : Fit(place)) {
    std::vector<double> others;
    for (std::size_t i = 0; i < works_.size(); ++i) {
      if (const auto quotient = i == place ? std::nullopt : Quotient(model, i)) {
        others.push_back(*quotient);
      }
    }
    const auto own = Quotient(model, place);
    if (!own || others.size() < kMinOthers) {
      return std::nullopt;
    }
    const double slowdown = *own / Median(std::move(others));
    least = least ? std::min(*least, slowdown) : slowdown;
  }
  return least;
}

bool DeviceTimes::IsBusiest(std::size_t place) const {
  const auto& own = works_[place];
  for (std::size_t i = 0; i < works_.size(); ++i) {
    if (i != place && (works_[i].requests >= own.requests || works_[i].bytes >= own.bytes)) {
      return false;
    }
  }
  return true;
}

}  // namespace limpet
