#include "diagnoser/publish/verdict_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "diagnoser/publish/explain.h"

namespace limpet {
namespace {

// Durations are told by window ends: readings of a store may be far behind the clock.
UnixTime LatestEnd(const PipelineView& view, const std::string& preset) {
  UnixTime latest{};
  for (const auto& group : view.groups) {
    if (group.preset == preset && group.window_end) {
      latest = std::max(latest, *group.window_end);
    }
  }
  return latest;
}

}  // namespace

std::vector<std::string> VerdictLog::Update(const PipelineView& view) {
  std::vector<std::string> lines;
  LogIndictments(view, lines);
  LogStorms(view, lines);
  LogBimodality(view, lines);
  return lines;
}

void VerdictLog::LogIndictments(const PipelineView& view, std::vector<std::string>& lines) {
  std::map<Key, Begun> now;
  for (const auto& verdict : view.verdicts) {
    // A secondary server most likely suffers from the worst one: shown, but no news of its own.
    if (verdict.secondary || verdict.cause == Cause::kNone) {
      continue;
    }
    // With the cause: another one calls for another repair, so a change of it is news.
    const Key key{verdict.preset, verdict.node, verdict.cause};
    now[key] = {.since = verdict.Since(), .named = verdict.Named()};
    if (!begun_.contains(key)) {
      lines.push_back(fmt::format("indicted: {}, since {}, preset {}", Explain(verdict),
                                  IsoTime(verdict.Since()), verdict.preset));
    }
  }
  std::set<Key> unknown;
  for (const auto& one : view.unknown) {
    // Its incident is the one that was open: only that nobody can tell any more is news.
    const Key key{one.preset, one.node, one.cause};
    now[key] = {.since = one.Since(), .named = one.Named()};
    unknown.insert(key);
    if (!unknown_.contains(key)) {
      lines.push_back(Explain(one) + ", preset " + one.preset);
    }
  }
  unknown_ = std::move(unknown);
  for (const auto& [key, begun] : begun_) {
    // Without a window end (its groups are gone) nobody knows how long: that reads as 0 s.
    if (!now.contains(key)) {
      const auto& [preset, node, cause] = key;
      lines.push_back(fmt::format(
          "no longer indicted: {}: {} (for {}), preset {}", node, Name(cause),
          ForPeople(std::max(LatestEnd(view, preset) - begun.since, Duration::zero())), preset));
    }
  }
  begun_ = std::move(now);
}

void VerdictLog::LogStorms(const PipelineView& view, std::vector<std::string>& lines) {
  std::set<GroupKey> storms;
  for (const auto& storm : view.storms) {
    const GroupKey key{storm.preset, storm.group, storm.metric};
    storms.insert(key);
    if (!storms_.contains(key)) {
      lines.push_back(Explain(storm) + ", preset " + storm.preset);
    }
  }
  storms_ = std::move(storms);
}

void VerdictLog::LogBimodality(const PipelineView& view, std::vector<std::string>& lines) {
  // The view keeps a finding all day; it is news only when its window end is another one.
  for (const auto& found : view.bimodality) {
    auto& logged = logged_findings_[{found.preset, found.group, found.metric}];
    if (logged != found.end) {
      logged = found.end;
      lines.push_back(Explain(found) + ", preset " + found.preset);
    }
  }
}

std::optional<VerdictLog::Begun> VerdictLog::Find(const std::string& preset,
                                                  const std::string& node, Cause cause) const {
  const auto found = begun_.find(Key{preset, node, cause});
  return found == begun_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace limpet
