// incidents.h: verdicts of many windows as incidents, each with the window that decided.
//
// An incident ends when its server has had no such verdict for as long as the preset's filter
// remembers (2k-1 windows), as incident_text.h tells them.
// Bounded: kMaxIncidents; what begins after them is only counted.
// Threads: a value with one owner.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/verdict/events.h"
#include "exporter/common/time.h"

namespace limpet {

struct Incident {
  UnixTime begin;  // when it began in the data
  UnixTime named;  // end of the first window with the verdict
  UnixTime last;   // and of the last
  std::size_t windows = 0;
  bool indicted = false;  // in some window; otherwise a worse server explained it
  VerdictEvent worst;     // the window with the largest degree
};

class IncidentList {
 public:
  static constexpr std::size_t kMaxIncidents = 10'000;

  explicit IncidentList(const std::vector<PresetSettings>& presets);

  // Takes verdicts in order of time.
  void Add(const VerdictEvent& verdict);
  // Returns them by begin, then node.
  [[nodiscard]] std::vector<Incident> Sorted() const;
  [[nodiscard]] std::size_t LeftOut() const { return left_out_; }

 private:
  std::map<std::string, Duration> silences_;   // by preset
  std::map<std::string, std::size_t> latest_;  // by preset, node and cause: place of the latest
  std::vector<Incident> incidents_;
  std::size_t left_out_ = 0;
};

// Returns how long a preset's filter remembers, by preset; time scales count for theirs.
[[nodiscard]] std::map<std::string, Duration> FilterLengths(
    const std::vector<PresetSettings>& presets);

}  // namespace limpet
