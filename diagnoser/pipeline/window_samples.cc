#include "diagnoser/pipeline/window_samples.h"

#include <array>
#include <span>

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

constexpr std::size_t kMetrics = kDiskMetricNames.size();
static_assert(kMetrics == kDiskCounters);

// One row a bin: first the increases of a disk's counters, then its samples.
using Rows = std::vector<std::array<double, kMetrics>>;

Rows IncreasesOf(std::span<const CounterTrack> tracks, const BinSpan& bins, std::size_t grid) {
  Rows rows(bins.count);
  for (std::size_t counter = 0; counter < kDiskCounters; ++counter) {
    const auto range = tracks[counter].Column(grid).Range(bins.first, bins.count);
    auto row = rows.begin();
    const auto put = [&](double value) { (*row++)[counter] = value; };
    for (std::size_t i = 0; i < range.missing_before; ++i) {
      put(kMissing);
    }
    for (const double value : range.older) {
      put(value);
    }
    for (const double value : range.newer) {
      put(value);
    }
    for (std::size_t i = 0; i < range.missing_after; ++i) {
      put(kMissing);
    }
  }
  return rows;
}

bool AnyMissing(const Rows& rows) {
  std::size_t count = 0;
  for (const auto& row : rows) {
    for (const double value : row) {
      count += IsMissing(value) ? 1U : 0U;
    }
  }
  return count > 0;
}

// Smooth of every metric when nothing is missing: the same sums in the same order, a row of metrics
// at a time.
std::vector<std::vector<double>> SmoothRows(const Rows& rows, std::size_t w) {
  std::vector<std::vector<double>> smoothed(kMetrics, std::vector<double>(rows.size() - w + 1));
  for (std::size_t last = w - 1; last < rows.size(); ++last) {
    std::array<double, kMetrics> sums{};
    for (std::size_t i = last + 1 - w; i <= last; ++i) {
      for (std::size_t metric = 0; metric < kMetrics; ++metric) {
        sums[metric] += rows[i][metric];
      }
    }
    for (std::size_t metric = 0; metric < kMetrics; ++metric) {
      smoothed[metric][last + 1 - w] = sums[metric] / static_cast<double>(w);
    }
  }
  return smoothed;
}

std::vector<std::vector<double>> Columns(const Rows& rows) {
  std::vector<std::vector<double>> columns(kMetrics, std::vector<double>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t metric = 0; metric < kMetrics; ++metric) {
      columns[metric][i] = rows[i][metric];
    }
  }
  return columns;
}

}  // namespace

MemberSamples DiskWindow(const Readings& readings, const Member& member, UnixTime end,
                         const PresetSettings& preset, std::size_t grid) {
  MemberSamples result;
  result.metrics.resize(kMetrics);
  const auto tracks = readings.Tracks(ThingKind::kDisk, member.things.front());
  if (tracks.empty()) {
    return result;
  }
  auto rows = IncreasesOf(tracks, BinsOf(end, preset), grid);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double requests = rows[i][static_cast<std::size_t>(DiskCounter::kReads)] +
                            rows[i][static_cast<std::size_t>(DiskCounter::kWrites)];
    if (i >= preset.smoothing - 1 && !IsMissing(requests)) {
      result.requests += requests;
    }
    rows[i] = SamplesOf(rows[i], preset.step);
  }
  result.metrics = AnyMissing(rows) ? SmoothAll(Columns(rows), preset.smoothing)
                                    : SmoothRows(rows, preset.smoothing);
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
