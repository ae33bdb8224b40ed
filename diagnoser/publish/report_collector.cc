#include "diagnoser/publish/report_collector.h"

#include <chrono>

#include "diagnoser/publish/explain.h"

namespace limpet {
namespace {

// Only memory bounds what is kept: people ask for months.
constexpr auto kForEver = std::chrono::hours(24 * 400);

}  // namespace

ReportCollector::ReportCollector(const std::vector<PresetSettings>& presets)
    : silences_(FilterLengths(presets)), incidents_(presets), windows_(kForEver, kWindowBytes) {}

void ReportCollector::Add(const std::vector<Event>& events) {
  for (const auto& event : events) {
    if (const auto* window = std::get_if<WindowEvent>(&event)) {
      windows_.Add(*window);
    } else if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
      incidents_.Add(*verdict);
    } else if (const auto* storm = std::get_if<StormEvent>(&event)) {
      AddToGroup("storm/" + storm->preset + "/" + storm->group + "/" + storm->metric, storm->preset,
                 storm->end, Explain(*storm));
    } else if (const auto* found = std::get_if<BimodalityEvent>(&event)) {
      AddToGroup("kinds/" + found->preset + "/" + found->group + "/" + found->metric, found->preset,
                 found->end, Explain(*found));
    } else if (const auto* summary = std::get_if<SummaryEvent>(&event)) {
      hourly_[summary->preset] = summary->hourly;
    }
  }
  windows_.Trim();
}

void ReportCollector::AddToGroup(const std::string& key, const std::string& preset, UnixTime end,
                                 const std::string& text) {
  const auto silence = silences_.find(preset);
  const auto allowed = silence == silences_.end() ? Duration() : silence->second;
  // Told once a time, not once a window.
  const auto found = latest_.find(key);
  if (found != latest_.end() && end - group_events_[found->second].last <= allowed) {
    group_events_[found->second].last = end;
  } else if (group_events_.size() < kMaxGroupEvents) {
    latest_[key] = group_events_.size();
    group_events_.push_back({.begin = end, .last = end, .text = text});
  }
}

void ReportCollector::Finish(ReportData& data) const {
  data.incidents = incidents_.Sorted();
  data.left_out = incidents_.LeftOut();
  data.windows = windows_.Snapshot();
  data.hourly = hourly_;
  data.group_events.reserve(group_events_.size());
  for (const auto& one : group_events_) {
    data.group_events.push_back(IsoTime(one.begin) + " to " + IsoTime(one.last) + ": " + one.text);
  }
}

}  // namespace limpet
