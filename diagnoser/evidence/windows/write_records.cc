#include "diagnoser/evidence/windows/write_records.h"

#include <algorithm>

#include "diagnoser/metrics/missing.h"
#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

// Numbers of the rows of what is written and of what is received.
struct WriteRows {
  std::size_t written = 0;
  std::size_t received = 0;
};

WriteRows FindWriteRows(std::span<const MetricRow> metrics) {
  const auto find = [&](Symptom symptom) {
    const auto found = std::ranges::find_if(
        metrics, [&](const MetricRow& row) { return row.checklist.symptom == symptom; });
    return static_cast<std::size_t>(found - metrics.begin());
  };
  return {.written = find(Symptom::kUnreceived), .received = find(Symptom::kReceived)};
}

// The course's parts, as far as they are known.
std::vector<WriteStretch> FromCourse(UnixTime end, const PresetSettings& preset,
                                     const WriteRows& rows, const MemberSamples& member) {
  std::vector<WriteStretch> stretches;
  if (member.course.empty()) {
    return stretches;
  }
  const auto steps = static_cast<Duration::rep>(CourseSteps(preset.Shape()));
  const auto part = preset.step * steps / static_cast<Duration::rep>(kCourseBlocks);
  for (std::size_t i = 0; i < kCourseBlocks; ++i) {
    const double written = member.course[rows.written][i];
    const double received = member.course[rows.received][i];
    if (!IsMissing(written) && !IsMissing(received)) {
      stretches.push_back({.end = end - part * static_cast<Duration::rep>(kCourseBlocks - 1 - i),
                           .seconds = ToSeconds(part),
                           .written = written,
                           .received = received});
    }
  }
  return stretches;
}

// What has passed since the window before: both rows have all of its samples.
std::optional<WriteStretch> FindLatest(UnixTime end, const PresetSettings& preset,
                                       const WriteRows& rows, const MemberSamples& member) {
  const auto written = member.metrics.Of(rows.written);
  const auto received = member.metrics.Of(rows.received);
  if (written.size() != preset.window || received.size() != preset.window) {
    return std::nullopt;
  }
  return WriteStretch{.end = end,
                      .seconds = ToSeconds(preset.Shift()),
                      .written = Mean(written.last(preset.shift)),
                      .received = Mean(received.last(preset.shift))};
}

}  // namespace

void WriteRecords::AddTo(UnixTime end, const PresetSettings& preset,
                         std::span<const MetricRow> metrics, std::span<const Member> members,
                         std::span<MemberSamples> samples) const {
  const auto rows = FindWriteRows(metrics);
  for (std::size_t i = 0; i < members.size(); ++i) {
    auto& history = samples[i].writes;
    history.window_begin = end - preset.step * static_cast<Duration::rep>(preset.window);
    const auto known = known_.find(members[i].name);
    if (known == known_.end()) {
      history.stretches = FromCourse(end, preset, rows, samples[i]);
      continue;
    }
    std::ranges::copy_if(
        known->second, std::back_inserter(history.stretches),
        [&](const auto& one) { return one.end > end - kHeldBack && one.end <= end; });
    // After a restart the last window is judged once more.
    if (!history.stretches.empty() && history.stretches.back().end == end) {
      continue;
    }
    if (const auto latest = FindLatest(end, preset, rows, samples[i])) {
      history.stretches.push_back(*latest);
    }
  }
}

void WriteRecords::Keep(UnixTime end, std::span<const Member> members,
                        std::span<const MemberSamples> samples) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    known_[members[i].name] = samples[i].writes.stretches;
  }
  std::erase_if(known_, [&](const auto& one) {
    const auto& stretches = one.second;
    return stretches.empty() || stretches.back().end <= end - kHeldBack;
  });
}

}  // namespace limpet
