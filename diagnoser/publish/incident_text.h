// incident_text.h: verdicts of many windows as one line an incident, from its begin to its end.
//
//   2026-01-31T10:01:24Z to 10:21:38Z (20 min, named at 10:02:08Z, 40 windows) default io04:
//   disk-busy (await of io04/sdb 5.04× its peers, +57.2 ms; …); far from 4 of 4 peers; …
//
// The numbers are those of the window in which the server stood out most. Storms are told the same
// way; what comes once (bimodality, the summary) is told as EventText does. Lines come in the order
// in which incidents end.
// Bounded: by the servers, groups and metrics that are in an incident at the same time.
// Threads: a value with one owner.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/verdict/events.h"
#include "exporter/common/time.h"

namespace limpet {

class IncidentText {
 public:
  explicit IncidentText(const std::vector<PresetSettings>& presets);

  // Lines of the incidents that have ended by the event. Events in order of time.
  [[nodiscard]] std::string Add(const Event& event);
  // Those of the incidents that last until the end.
  [[nodiscard]] std::string Finish();

 private:
  struct Incident {
    UnixTime begin;                 // of a verdict: when it began in the data
    std::optional<UnixTime> named;  // of a verdict
    UnixTime last;
    std::size_t windows = 0;
    double degree = 0;     // the largest
    bool unknown = false;  // at the end: nobody can judge it any more
    std::string preset;
    std::string text;  // of the window with that degree
  };
  struct Seen {
    std::string key;
    std::string preset;
    UnixTime end;
    double degree = 0;
    std::optional<UnixTime> since = std::nullopt;  // of a verdict
    std::optional<UnixTime> named = std::nullopt;
  };

  void See(const Seen& seen, const std::string& text);
  // Those that have not been seen for longer than the filter of their preset lasts.
  [[nodiscard]] std::string End(UnixTime now);
  [[nodiscard]] Duration Silence(const std::string& preset) const;

  std::map<std::string, Duration> silences_;  // by preset
  std::map<std::string, Incident> open_;
};

}  // namespace limpet
