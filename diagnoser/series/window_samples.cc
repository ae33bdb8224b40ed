#include "diagnoser/series/window_samples.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "diagnoser/metrics/missing.h"
#include "diagnoser/metrics/samples.h"
#include "diagnoser/series/disk_columns.h"
#include "diagnoser/series/largest_rise.h"
#include "diagnoser/series/repeats.h"
#include "diagnoser/series/smoothing.h"
#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

// Bins that a window and the trailing means of its first samples need: (last - count, last].
struct BinSpan {
  std::int64_t first = 0;
  std::size_t count = 0;
};

BinSpan WindowBins(UnixTime end, const WindowShape& shape) {
  const std::size_t count = shape.window + shape.smoothing - 1;
  return {.first = BinAt(end, shape.step) - static_cast<std::int64_t>(count) + 1, .count = count};
}

enum class Holes { kTakeOut, kKeep };

SampleSet SmoothAll(const std::vector<std::vector<double>>& raw, std::size_t w,
                    Holes holes = Holes::kTakeOut) {
  SampleSet smoothed;
  for (const auto& samples : raw) {
    auto means = Smooth(samples, w);
    if (holes == Holes::kTakeOut) {
      std::erase_if(means, IsMissing);
    }
    smoothed.Add(means);
  }
  return smoothed;
}

// The samples of every step by itself, where some increases are missing.
std::vector<std::vector<double>> StepSamples(const DiskColumns& increases, Duration step) {
  std::vector<std::vector<double>> metrics(rows::kDisks.size(),
                                           std::vector<double>(increases.Steps()));
  for (std::size_t i = 0; i < increases.Steps(); ++i) {
    DiskIncreases row{};
    for (std::size_t counter = 0; counter < kDiskCounters; ++counter) {
      row[counter] = increases.Column(counter)[i];
    }
    const auto samples = ComputeSamples(row, step);
    for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
      metrics[metric][i] = samples[metric];
    }
  }
  return metrics;
}

struct RateSpan {
  BinSpan bins;
  Duration step;
  std::size_t grid;
  bool levels_largest = false;

  void Level(std::vector<double>& steps) const {
    if (levels_largest) {
      LevelLargestRise(steps);
    }
  }
};

// An interface that is down or new has no rate; the server's others still count.
void AddPiece(std::span<const double> increases, double seconds, double* sums) {
  for (std::size_t i = 0; i < increases.size(); ++i) {
    const double rate = increases[i] / seconds;
    const double sum = IsMissing(sums[i]) ? rate : sums[i] + rate;
    sums[i] = IsMissing(rate) ? sums[i] : sum;
  }
}

// Adds the rates of one counter of an entity, as far as it has any.
void AddRates(std::span<const CounterTrack> tracks, std::size_t counter, const RateSpan& span,
              std::vector<double>& sums) {
  if (tracks.empty()) {
    return;
  }
  const double seconds = ToSeconds(span.step);
  const auto range = tracks[counter].Column(span.grid).Range(span.bins.first, span.bins.count);
  auto* const from = sums.data() + range.missing_before;
  AddPiece(range.older, seconds, from);
  AddPiece(range.newer, seconds, from + range.older.size());
}

DiskColumns ReadDisk(std::span<const CounterTrack> tracks, const RateSpan& span) {
  const auto& bins = span.bins;
  DiskColumns increases(bins.count);
  for (std::size_t counter = 0; counter < kDiskCounters; ++counter) {
    increases.Put(static_cast<DiskCounter>(counter),
                  tracks[counter].Column(span.grid).Range(bins.first, bins.count));
    if (span.levels_largest) {
      LevelLargestRise(increases.Column(counter));
    }
  }
  return increases;
}

// The sum of two counters' rates. A series of reads or writes at the device begins with the first
// of them: where only one is known, the other has none.
std::vector<double> Rates(std::span<const CounterTrack> tracks, DiskCounter one, DiskCounter other,
                          const RateSpan& span) {
  std::vector<double> sums(span.bins.count, kMissing);
  AddRates(tracks, Index(one), span, sums);
  AddRates(tracks, Index(other), span, sums);
  span.Level(sums);
  return sums;
}

DeviceSteps ReadDeviceSteps(std::span<const CounterTrack> tracks, const RateSpan& span) {
  if (tracks.size() <= Index(DiskCounter::kDeviceWriteSeconds)) {
    return {};
  }
  const auto at_device =
      Rates(tracks, DiskCounter::kDeviceReadSeconds, DiskCounter::kDeviceWriteSeconds, span);
  const auto requests = Rates(tracks, DiskCounter::kReads, DiskCounter::kWrites, span);
  const auto bytes = Rates(tracks, DiskCounter::kReadBytes, DiskCounter::kWrittenBytes, span);
  std::vector<double> busy(span.bins.count, kMissing);
  AddRates(tracks, Index(DiskCounter::kBusySeconds), span, busy);
  span.Level(busy);
  DeviceSteps steps;
  for (std::size_t i = 0; i < span.bins.count; ++i) {
    if (!IsMissing(at_device[i] + requests[i] + bytes[i] + busy[i])) {
      steps.at_device.push_back(at_device[i]);
      steps.requests.push_back(requests[i]);
      steps.bytes.push_back(bytes[i]);
      steps.busy.push_back(busy[i]);
    }
  }
  return steps;
}

SampleSet SmoothDisk(const DiskColumns& increases, const WindowShape& shape, Holes holes) {
  // Nearly every window is whole, and then whole vectors of steps are done at once.
  return increases.IsWhole()
             ? SampleSet(increases.SmoothedSamples(shape.step, shape.smoothing),
                         rows::kDisks.size(), shape.window)
             : SmoothAll(StepSamples(increases, shape.step), shape.smoothing, holes);
}

// The two directions of a kind, by number of its counters.
struct Directions {
  EntityKind kind;
  std::uint8_t in;
  std::uint8_t out;
};
constexpr Directions kNetBytes{EntityKind::kInterface, FieldNumber(NetCounter::kRxBytes),
                               FieldNumber(NetCounter::kTxBytes)};
constexpr Directions kDiskBytes{EntityKind::kDisk, FieldNumber(DiskCounter::kReadBytes),
                                FieldNumber(DiskCounter::kWrittenBytes)};

// Without those that repeat what others carry.
std::vector<std::uint32_t> WithoutRepeats(const Readings& readings, const Directions& of,
                                          const std::vector<std::uint32_t>& entities,
                                          const std::vector<std::uint32_t>& doubtful,
                                          const RateSpan& span) {
  if (doubtful.empty() || entities.size() < 2) {
    return entities;
  }
  std::vector<DeviceBytes> devices;
  for (const auto entity : entities) {
    DeviceBytes device{.in = std::vector<double>(span.bins.count, kMissing),
                       .out = std::vector<double>(span.bins.count, kMissing),
                       .doubtful = std::ranges::find(doubtful, entity) != doubtful.end()};
    AddRates(readings.Tracks(of.kind, entity), of.in, span, device.in);
    AddRates(readings.Tracks(of.kind, entity), of.out, span, device.out);
    devices.push_back(std::move(device));
  }
  const auto repeats = FindRepeats(devices);
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < entities.size(); ++i) {
    if (!repeats[i]) {
      kept.push_back(entities[i]);
    }
  }
  return kept;
}

std::vector<std::uint32_t> CountedDisks(const Readings& readings, const Member& member,
                                        const RateSpan& span) {
  return WithoutRepeats(readings, kDiskBytes, member.disks, member.doubtful_disks, span);
}

// By metric and step, before smoothing. `disks`: of which the rows of byte balances are.
std::vector<std::vector<double>> NetRates(const Readings& readings, const Member& member,
                                          const RateSpan& span,
                                          std::span<const std::uint32_t> disks = {}) {
  std::vector<std::vector<double>> raw(rows::kInterfaces.size(),
                                       std::vector<double>(span.bins.count, kMissing));
  const auto interfaces =
      WithoutRepeats(readings, kNetBytes, member.entities, member.doubtful, span);
  for (std::size_t metric = 0; metric < raw.size(); ++metric) {
    const auto& formula = rows::kInterfaces[metric].formula;
    if (formula.IsBalance()) {
      for (const auto disk : disks) {
        AddRates(readings.Tracks(EntityKind::kDisk, disk), formula.disk, span, raw[metric]);
      }
    } else {
      for (const auto entity : interfaces) {
        AddRates(readings.Tracks(EntityKind::kInterface, entity), formula.counters[0], span,
                 raw[metric]);
      }
    }
    span.Level(raw[metric]);
  }
  return raw;
}

// The mean of what is known of it; 0: nothing.
double MeanOfKnown(std::vector<double> rates) {
  std::erase_if(rates, IsMissing);
  return rates.empty() ? 0 : Mean(rates);
}

DiskRates MeansOf(std::span<const CounterTrack> tracks, const RateSpan& span) {
  const auto rate = [&](DiskCounter counter, bool level) {
    std::vector<double> rates(span.bins.count, kMissing);
    AddRates(tracks, Index(counter), span, rates);
    if (level) {
      span.Level(rates);
    }
    return MeanOfKnown(std::move(rates));
  };
  const auto both = [&](DiskCounter one, DiskCounter other) {
    return MeanOfKnown(Rates(tracks, one, other, span));
  };
  DiskRates means{.read = rate(DiskCounter::kReadBytes, true),
                  .written = rate(DiskCounter::kWrittenBytes, true),
                  .requests = both(DiskCounter::kReads, DiskCounter::kWrites),
                  .taken = both(DiskCounter::kReadSeconds, DiskCounter::kWriteSeconds),
                  .busy = rate(DiskCounter::kBusySeconds, false)};
  if (means.taken > 0) {
    means.busy = std::min(means.busy, means.taken);
  }
  return means;
}

// ms a request of all disks; 0: there are none, or nobody tells.
double DiskAwait(std::span<const DiskRates> disks) {
  double requests = 0;
  double seconds = 0;
  for (const auto& disk : disks) {
    requests += disk.requests;
    seconds += disk.taken;
  }
  return requests > 0 ? rows::kMsPerSecond * seconds / requests : 0;
}

// How many steps the first row with any reading begins with a hole for: soon after the start there
// is less to look at.
std::size_t LeadingHoles(const std::vector<std::vector<double>>& rows) {
  std::size_t least = rows.front().size();
  for (const auto& row : rows) {
    const auto first = std::ranges::find_if_not(row, IsMissing) - row.begin();
    least = std::min(least, static_cast<std::size_t>(first));
  }
  return least;
}

}  // namespace

MemberSamples DiskWindow(const Readings& readings, const Member& member, UnixTime end,
                         const WindowShape& shape, std::size_t grid) {
  const auto tracks = readings.Tracks(EntityKind::kDisk, member.entities.front());
  if (tracks.empty()) {
    return {.metrics = SampleSet({}, rows::kDisks.size(), 0), .requests = 0};
  }
  const auto bins = WindowBins(end, shape);
  const auto increases = ReadDisk(tracks, {bins, shape.step, grid, shape.levels_largest});
  MemberSamples result;
  const auto reads = increases.Column(Index(DiskCounter::kReads));
  const auto writes = increases.Column(Index(DiskCounter::kWrites));
  // The first bins only fill the trailing mean: their requests are those of the window before.
  for (std::size_t i = shape.smoothing - 1; i < bins.count; ++i) {
    const double requests = reads[i] + writes[i];
    result.requests += IsMissing(requests) ? 0 : requests;
  }
  result.metrics = SmoothDisk(increases, shape, Holes::kTakeOut);
  const BinSpan own{.first = bins.first + static_cast<std::int64_t>(shape.smoothing) - 1,
                    .count = shape.window};
  result.device = ReadDeviceSteps(tracks, {own, shape.step, grid, shape.levels_largest});
  return result;
}

MemberSamples NetWindow(const Readings& readings, const Member& member, UnixTime end,
                        const WindowShape& shape, std::size_t grid, bool balance) {
  const RateSpan span{WindowBins(end, shape), shape.step, grid, shape.levels_largest};
  if (!balance) {
    return {.metrics = SmoothAll(NetRates(readings, member, span), shape.smoothing), .requests = 0};
  }
  auto longer = span;
  longer.bins.count = CourseSteps(shape);
  longer.bins.first -= static_cast<std::int64_t>(longer.bins.count - span.bins.count);
  const auto disks = CountedDisks(readings, member, longer);
  auto raw = NetRates(readings, member, longer, disks);
  MemberSamples result;
  for (const auto disk : disks) {
    result.disks.push_back(MeansOf(readings.Tracks(EntityKind::kDisk, disk), span));
    result.disk_busy = std::max(result.disk_busy, result.disks.back().busy);
  }
  result.disk_await = DiskAwait(result.disks);
  const auto silent = LeadingHoles(raw);
  result.course_begins = silent * kCourseBlocks > longer.bins.count;
  for (auto& row : raw) {
    result.course.push_back(MakeCourse(std::span(row).subspan(silent)));
    row.erase(row.begin(), row.end() - static_cast<std::ptrdiff_t>(span.bins.count));
  }
  result.metrics = SmoothAll(raw, shape.smoothing);
  return result;
}

MemberSamples MemberWindow(GroupKind kind, const Readings& readings, const Member& member,
                           UnixTime end, const WindowShape& shape, std::size_t grid) {
  return KindRow(kind).per_device ? DiskWindow(readings, member, end, shape, grid)
                                  : NetWindow(readings, member, end, shape, grid);
}

SampleSet AlignedWindow(GroupKind kind, const Readings& readings, const Member& member,
                        UnixTime end, const WindowShape& shape, std::size_t grid) {
  const auto bins = WindowBins(end, shape);
  if (!KindRow(kind).per_device) {
    return SmoothAll(NetRates(readings, member, {bins, shape.step, grid}), shape.smoothing,
                     Holes::kKeep);
  }
  const auto tracks = readings.Tracks(EntityKind::kDisk, member.entities.front());
  if (tracks.empty()) {
    return {std::vector<double>(rows::kDisks.size() * shape.window, kMissing), rows::kDisks.size(),
            shape.window};
  }
  return SmoothDisk(ReadDisk(tracks, {bins, shape.step, grid}), shape, Holes::kKeep);
}

}  // namespace limpet
