#include "diagnoser/incidents/tracker.h"

#include <algorithm>
#include <set>
#include <utility>

namespace limpet {
namespace {

// A fault that comes back so soon after its end is the same incident, over a full hour and a
// restart of this program too.
constexpr Duration kComesBack = std::chrono::hours(1);

// The latest window end of each preset.
std::map<std::string, UnixTime> WindowEnds(const PipelineView& view) {
  std::map<std::string, UnixTime> ends;
  for (const auto& group : view.groups) {
    if (group.window_end) {
      auto& end = ends[group.preset];
      end = std::max(end, *group.window_end);
    }
  }
  for (const auto& preset : view.presets) {  // system calls and profiles have no group
    if (preset.window_end) {
      auto& end = ends[preset.preset];
      end = std::max(end, *preset.window_end);
    }
  }
  for (const auto& verdict : view.verdicts) {
    auto& end = ends[verdict.preset];
    end = std::max(end, verdict.end);
  }
  return ends;
}

// Of the incident's preset; where that is configured no more, of any.
std::optional<UnixTime> EndFor(const std::string& preset, bool is_configured,
                               const std::map<std::string, UnixTime>& ends) {
  if (const auto own = ends.find(preset); own != ends.end()) {
    return own->second;
  }
  std::optional<UnixTime> latest;
  for (const auto& [name, end] : ends) {
    latest = is_configured ? latest : std::max(latest, std::optional(end));
  }
  return latest;
}

// What can be said of the server once there is no verdict on it any more: not being judged is no
// recovery.
std::string Ending(const PipelineView& view, const std::string& node) {
  const auto* const judgement = view.judgements.Find(node);
  return judgement == nullptr ? "no longer watched" : judgement->text;
}

// The latest incident of the server and family that had ended within kComesBack before `since`;
// the end of the map: none.
std::map<std::string, IncidentRecord>::iterator FindReturning(
    std::map<std::string, IncidentRecord>& recent, const IncidentRecord& begins) {
  auto found = recent.end();
  for (auto it = recent.begin(); it != recent.end(); ++it) {
    const auto& one = it->second;
    const bool same = one.node == begins.node && one.family == begins.family;
    // Its own id: of the same hour, whenever it ended.
    if (same &&
        (one.id == begins.id || std::chrono::abs(begins.since - *one.ended) <= kComesBack) &&
        (found == recent.end() || found->second.ended < one.ended)) {
      found = it;
    }
  }
  return found;
}

}  // namespace

// Those that are open have been told before the restart: they go on, they do not begin.
void IncidentTracker::Restore(std::vector<IncidentRecord> records) {
  for (auto& record : records) {
    if (record.ended) {
      Remember(record);
      continue;
    }
    const Key key{record.node, record.family};
    const auto told = record.last;
    open_[key] = {.record = std::move(record),
                  .told = told,
                  .absent_since = {},
                  .began = true,
                  .present = {}};
  }
}

std::vector<IncidentChange> IncidentTracker::Update(const PipelineView& view) {
  std::vector<IncidentChange> changes;
  for (const auto& verdict : view.verdicts) {
    if (verdict.cause != Cause::kNone) {
      See(verdict, changes);
    }
  }
  EndAbsent(view, changes);
  return changes;
}

IncidentTracker::Incident IncidentTracker::Begin(const VerdictEvent& verdict) {
  const std::string family(IncidentFamily(verdict.cause));
  Incident incident;
  incident.record.id = IncidentId(cluster_, verdict.node, family, verdict.Since());
  incident.record.cluster = cluster_;
  incident.record.node = verdict.node;
  incident.record.family = family;
  incident.record.since = verdict.Since();
  incident.record.named = verdict.Named();
  if (const auto known = FindReturning(recent_, incident.record); known != recent_.end()) {
    incident.record = known->second;
    incident.record.ended.reset();
    incident.record.ending.clear();
    ++incident.record.episodes;
    recent_.erase(known);
  }
  return incident;
}

void IncidentTracker::See(const VerdictEvent& verdict, std::vector<IncidentChange>& changes) {
  const Key key{verdict.node, std::string(IncidentFamily(verdict.cause))};
  auto found = open_.find(key);
  if (found == open_.end()) {
    found = open_.emplace(key, Begin(verdict)).first;
  }
  auto& incident = found->second;
  auto& record = incident.record;
  incident.absent_since.reset();
  const bool came_back = std::exchange(incident.present, true) != true;
  const auto cause = std::exchange(record.cause, Name(verdict.cause));
  const bool indicted = std::exchange(record.indicted, record.indicted || !verdict.secondary);
  // Not back with a clock that was: what was seen until then was seen.
  record.last = std::max(record.last, verdict.end);
  if (record.indicted && !indicted) {
    record.named = verdict.Named();
  }
  const bool worse = !incident.began || verdict.degree > record.degree;
  if (worse) {
    record.degree = verdict.degree;
    record.preset = verdict.preset;
  }
  const bool news = !incident.began || record.cause != cause || record.indicted != indicted;
  if (worse || news) {
    auto said = describe_(record, verdict);
    record.metric = std::move(said.metric);
    record.text = std::move(said.text);
    record.document = std::move(said.document);
  }
  // A window that is a little worse than the one before is no news by itself.
  const bool is_soon = verdict.end - incident.told < kRepeat && verdict.end >= incident.told;
  if (!news && !came_back && is_soon) {
    return;
  }
  incident.told = verdict.end;
  changes.push_back(
      {.kind = incident.began ? IncidentChange::Kind::kWentOn : IncidentChange::Kind::kBegan,
       .record = record,
       .named = record.indicted && (!indicted || !incident.began)});
  incident.began = true;
}

// A preset that closes no window at all says nothing, neither that it lasts nor that it is over.
void IncidentTracker::EndAbsent(const PipelineView& view, std::vector<IncidentChange>& changes) {
  std::set<Key> present;
  for (const auto& verdict : view.verdicts) {
    present.emplace(verdict.node, IncidentFamily(verdict.cause));
  }
  for (const auto& unknown : view.unknown) {
    present.emplace(unknown.node, IncidentFamily(unknown.cause));
  }
  const auto ends = WindowEnds(view);
  for (auto it = open_.begin(); it != open_.end();) {
    auto& incident = it->second;
    const auto silence = silences_.find(incident.record.preset);
    const auto end = EndFor(incident.record.preset, silence != silences_.end(), ends);
    if (present.contains(it->first) || !end) {
      ++it;
      continue;
    }
    // Counted in windows that this program has seen closed: a restart, or a clock that was set
    // back, is no silence of the server.
    if (!incident.absent_since || *end < *incident.absent_since) {
      incident.absent_since = end;
    }
    // Another preset, in the place of one that is configured no more, needs its time to name it.
    const auto most = silence == silences_.end() ? kComesBack : silence->second;
    if (*end - *incident.absent_since >= most) {
      End(incident, view, changes);
      it = open_.erase(it);
      continue;
    }
    if (std::exchange(incident.present, false) != false) {
      changes.push_back(
          {.kind = IncidentChange::Kind::kWentOn, .record = incident.record, .present = false});
    }
    ++it;
  }
}

// It ended with the first window that did not have it, not when the silence had lasted long enough.
void IncidentTracker::End(Incident& incident, const PipelineView& view,
                          std::vector<IncidentChange>& changes) {
  auto& record = incident.record;
  record.ended = std::max(record.last, *incident.absent_since);
  record.ending = Ending(view, record.node);
  Remember(record);
  changes.push_back({.kind = IncidentChange::Kind::kEnded, .record = record, .present = false});
}

// The one that ended first gives way: it is the first that cannot come back under its id.
void IncidentTracker::Remember(const IncidentRecord& record) {
  recent_[record.id] = record;
  if (recent_.size() > kMaxRecent) {
    recent_.erase(std::min_element(
        recent_.begin(), recent_.end(),
        [](const auto& a, const auto& b) { return a.second.ended < b.second.ended; }));
  }
}

std::vector<IncidentRecord> IncidentTracker::OpenRecords() const {
  std::vector<IncidentRecord> records;
  for (const auto& [key, incident] : open_) {
    records.push_back(incident.record);
  }
  return records;
}

const IncidentRecord* IncidentTracker::Find(const std::string& node, Cause cause) const {
  const auto found = open_.find({node, std::string(IncidentFamily(cause))});
  return found == open_.end() ? nullptr : &found->second.record;
}

}  // namespace limpet
