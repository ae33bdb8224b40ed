// report_collector.h: what a report needs of the events of a replay.
//
// Bounded: incidents (incidents.h), kWindowBytes of windows (the oldest go first) and
// kMaxGroupEvents of whole groups.
// Threads: a value with one owner.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "diagnoser/history/window_history.h"
#include "diagnoser/publish/incidents.h"
#include "diagnoser/publish/report.h"

namespace limpet {

class ReportCollector {
 public:
  static constexpr std::size_t kWindowBytes = std::size_t{128} << 20U;
  static constexpr std::size_t kMaxGroupEvents = 200;

  explicit ReportCollector(const std::vector<PresetSettings>& presets);

  // Events that came at once, in order of time.
  void Add(const std::vector<Event>& events);
  // Fills in what came of them.
  void Finish(ReportData& data) const;

 private:
  void AddToGroup(const std::string& key, const std::string& preset, UnixTime end,
                  const std::string& text);

  struct GroupEvent {
    UnixTime begin;
    UnixTime last;
    std::string text;  // of its first window
  };

  std::map<std::string, Duration> silences_;
  IncidentList incidents_;
  WindowHistory windows_;
  std::map<std::string, std::vector<std::string>> hourly_;
  std::map<std::string, std::size_t> latest_;  // of group events, by key
  std::vector<GroupEvent> group_events_;
};

}  // namespace limpet
