// write_records.h: what the servers of a group received and wrote over the last minutes, window by
// window (series/write_history.h).
//
// Threads: one at a time.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/mapping/members.h"
#include "diagnoser/metrics/metric.h"
#include "diagnoser/series/window_samples.h"

namespace limpet {

// What is remembered of one group over a restart: by server, oldest first.
struct WriteMemory {
  std::string preset;
  std::string group;
  std::map<std::string, std::vector<WriteStretch>, std::less<>> servers;

  friend bool operator==(const WriteMemory&, const WriteMemory&) = default;
};

class WriteRecords {
 public:
  // Adds to the samples, one a member, its history up to the window that ends at `end`. The first
  // is what the window's own course tells.
  void AddTo(UnixTime end, const PresetSettings& preset, std::span<const MetricRow> metrics,
             std::span<const Member> members, std::span<MemberSamples> samples) const;
  // Keeps the histories of a window that is closed, and of servers that it has not seen for as long
  // as they may matter.
  void Keep(UnixTime end, std::span<const Member> members, std::span<const MemberSamples> samples);

  [[nodiscard]] const auto& Servers() const { return known_; }
  void Restore(decltype(WriteMemory::servers) servers) { known_ = std::move(servers); }

 private:
  decltype(WriteMemory::servers) known_;
};

}  // namespace limpet
