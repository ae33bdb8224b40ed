#include "diagnoser/pipeline/window_samples.h"

#include "diagnoser/series/metrics.h"
#include "diagnoser/series/missing.h"
#include "diagnoser/series/smoothing.h"

namespace limpet {
namespace {

// Bins that a window and the trailing means of its first samples need: (last - count, last].
struct BinSpan {
  std::int64_t first = 0;
  std::size_t count = 0;
};

BinSpan BinsOf(UnixTime end, const PresetSettings& preset) {
  const std::size_t count = preset.window + preset.smoothing - 1;
  return {.first = BinOf(end, preset.step) - static_cast<std::int64_t>(count) + 1, .count = count};
}

std::vector<std::vector<double>> SmoothAll(const std::vector<std::vector<double>>& raw,
                                           std::size_t w) {
  std::vector<std::vector<double>> smoothed;
  smoothed.reserve(raw.size());
  for (const auto& samples : raw) {
    smoothed.push_back(Smooth(samples, w));
    std::erase_if(smoothed.back(), IsMissing);
  }
  return smoothed;
}

}  // namespace

MemberSamples DiskWindow(const Readings& readings, const Member& member, UnixTime end,
                         const PresetSettings& preset, std::size_t grid) {
  MemberSamples result;
  result.metrics.resize(kDiskMetricNames.size());
  const auto tracks = readings.Tracks(ThingKind::kDisk, member.things.front());
  if (tracks.empty()) {
    return result;
  }
  const auto bins = BinsOf(end, preset);
  std::vector<std::vector<double>> raw(kDiskMetricNames.size(), std::vector<double>(bins.count));
  for (std::size_t i = 0; i < bins.count; ++i) {
    DiskIncreases increases{};
    for (std::size_t counter = 0; counter < kDiskCounters; ++counter) {
      increases[counter] =
          tracks[counter].Column(grid).At(bins.first + static_cast<std::int64_t>(i));
    }
    const auto samples = SamplesOf(increases, preset.step);
    for (std::size_t metric = 0; metric < samples.size(); ++metric) {
      raw[metric][i] = samples[metric];
    }
    const double requests = increases[static_cast<std::size_t>(DiskCounter::kReads)] +
                            increases[static_cast<std::size_t>(DiskCounter::kWrites)];
    if (i >= preset.smoothing - 1 && !IsMissing(requests)) {
      result.requests += requests;
    }
  }
  result.metrics = SmoothAll(raw, preset.smoothing);
  return result;
}

MemberSamples NetWindow(const Readings& readings, const Member& member, UnixTime end,
                        const PresetSettings& preset, std::size_t grid) {
  const auto bins = BinsOf(end, preset);
  const double seconds = ToSeconds(preset.step);
  std::vector<std::vector<double>> raw(kNetMetricNames.size(),
                                       std::vector<double>(bins.count, kMissing));
  for (const auto thing : member.things) {
    const auto tracks = readings.Tracks(ThingKind::kInterface, thing);
    for (std::size_t metric = 0; metric < tracks.size(); ++metric) {
      for (std::size_t i = 0; i < bins.count; ++i) {
        const double rate =
            tracks[metric].Column(grid).At(bins.first + static_cast<std::int64_t>(i)) / seconds;
        auto& sum = raw[metric][i];
        if (!IsMissing(rate)) {
          sum = IsMissing(sum) ? rate : sum + rate;
        }
      }
    }
  }
  return {.metrics = SmoothAll(raw, preset.smoothing), .requests = 0};
}

}  // namespace limpet
