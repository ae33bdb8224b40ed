#include "diagnoser/publish/incidents.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace limpet {

std::map<std::string, Duration> FilterLengths(const std::vector<PresetSettings>& presets) {
  std::map<std::string, Duration> lengths;
  for (const auto& preset : presets) {
    auto& length = lengths[preset.IsScale() ? preset.scale_of.preset : preset.name];
    length = std::max(length, preset.Shift() * (2 * static_cast<Duration::rep>(preset.k) - 1));
  }
  return lengths;
}

IncidentList::IncidentList(const std::vector<PresetSettings>& presets)
    : silences_(FilterLengths(presets)) {}

void IncidentList::Add(const VerdictEvent& verdict) {
  const auto key = fmt::format("{}/{}/{}", verdict.preset, verdict.node, Name(verdict.cause));
  const auto found = latest_.find(key);
  // Longer than the filter remembers: had it been the same incident, it would still be flagged.
  const auto silence = silences_.find(verdict.preset);
  const auto allowed = silence == silences_.end() ? Duration() : silence->second;
  if (found == latest_.end() || verdict.end - incidents_[found->second].last > allowed) {
    if (incidents_.size() == kMaxIncidents) {
      ++left_out_;
      return;
    }
    latest_[key] = incidents_.size();
    incidents_.push_back({.begin = verdict.Since(),
                          .named = verdict.Named(),
                          .last = verdict.end,
                          .worst = verdict});
  }
  auto& incident = incidents_[latest_[key]];
  incident.windows += incident.windows == 0 || verdict.end != incident.last ? 1U : 0U;
  incident.last = verdict.end;
  incident.indicted = incident.indicted || !verdict.secondary;
  // The end of an incident has windows in which the server is like its peers already: the largest
  // degree is of one that decided.
  if (verdict.degree > incident.worst.degree) {
    incident.worst = verdict;
  }
}

std::vector<Incident> IncidentList::Sorted() const {
  auto sorted = incidents_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Incident& a, const Incident& b) {
    return std::tie(a.begin, a.worst.node) < std::tie(b.begin, b.worst.node);
  });
  return sorted;
}

}  // namespace limpet
