// write_records.h: what the servers of a group received and wrote over the last minutes, window by
// window (series/write_history.h).
//
// Threads: one at a time.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/mapping/members.h"
#include "diagnoser/metrics/metric.h"
#include "diagnoser/series/window_samples.h"

namespace limpet {

class WriteRecords {
 public:
  // Adds to the samples, one a member, its history up to the window that ends at `end`. The first
  // is what the window's own course tells.
  void AddTo(UnixTime end, const PresetSettings& preset, std::span<const MetricRow> metrics,
             std::span<const Member> members, std::span<MemberSamples> samples) const;
  // Keeps the histories of a window that is closed, and of servers that it has not seen for as long
  // as they may matter.
  void Keep(UnixTime end, std::span<const Member> members, std::span<const MemberSamples> samples);

 private:
  std::map<std::string, std::vector<WriteStretch>, std::less<>> known_;
};

}  // namespace limpet
