// window_samples.h: the smoothed samples of one component in one window, from its counters.
//
// Threads: pure.
#pragma once

#include <cstddef>

#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/sample_set.h"
#include "diagnoser/pipeline/members.h"
#include "diagnoser/pipeline/readings.h"

namespace limpet {

struct MemberSamples {
  // One a metric of the group's kind (series/metrics.h), holes taken out.
  SampleSet metrics;
  double requests = 0;  // disks: completed in the window, as far as known
};

// Samples with end time in (end - W steps, end].
[[nodiscard]] MemberSamples DiskWindow(const Readings& readings, const Member& member, UnixTime end,
                                       const PresetSettings& preset, std::size_t grid);
// Summed over the server's interfaces that have a sample.
[[nodiscard]] MemberSamples NetWindow(const Readings& readings, const Member& member, UnixTime end,
                                      const PresetSettings& preset, std::size_t grid);

}  // namespace limpet
