// What a pipeline remembers over a restart, out of its parts and back into them.

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "diagnoser/pipeline/impl.h"

namespace limpet {
namespace {

// Of all runs; null when the preset or the group does not exist.
GroupJudge* FindGroup(std::vector<PresetRun>& runs, std::string_view preset,
                      std::string_view name) {
  for (auto& run : runs) {
    for (auto& group : run.Groups()) {
      if (run.Settings().name == preset && group.Name() == name) {
        return &group;
      }
    }
  }
  return nullptr;
}

}  // namespace

PipelineState Pipeline::ExportState() {
  auto& my = *impl_;
  PipelineState state;
  state.first = my.first;
  state.last = my.last;
  state.exporter_starts = my.intake.Starts();
  my.RefreshMembers();
  // Those that no window has seen yet, too.
  my.memberships.RecordNewcomers(my.config, my.readings, UnixTime::max());
  state.first_seen = my.memberships.FirstSeen();
  state.disk_kinds = my.memberships.Kinds().Export(my.config);
  my.ExportRecords(state);
  // No more of the data than the windows to come will ask for.
  std::vector<std::int64_t> oldest(my.readings.Grids().size(),
                                   std::numeric_limits<std::int64_t>::max());
  for (const auto& run : my.runs) {
    oldest[run.Grid()] = std::min(oldest[run.Grid()], run.OldestBin());
  }
  state.entities = ExportEntities(my.directory, my.readings, oldest,
                                  my.config.limits.max_state_bins, my.for_each);
  if (my.profiles) {
    state.profiles = my.profiles->Export();
    state.host_entities =
        ExportHostEntities(my.directory, *my.hosts, state.profiles->second.value_or(UnixTime()));
  }
  if (my.syscalls) {
    state.syscalls = my.syscalls->Export();
  }
  state.cwnd_done = my.cwnd.Done();
  state.cwnd = my.cwnd.Tails(my.config);
  return state;
}

void Pipeline::Impl::ExportRecords(PipelineState& state) const {
  for (const auto& servers : verdicts) {
    for (auto& incident : servers.Incidents().Export()) {
      state.incidents.push_back(std::move(incident));
    }
    for (auto& beginning : servers.Begun().Export()) {
      state.beginnings.push_back(std::move(beginning));
    }
  }
  if (custom) {
    custom->ExportTo(state.components);
  }
  for (const auto& run : runs) {
    const auto& preset = run.Settings().name;
    if (run.LastEnd()) {
      state.window_ends[preset] = *run.LastEnd();
    }
    for (const auto& group : run.Groups()) {
      group.ExportTo(state.components);
      if (const auto& writes = group.Writes().Servers(); !writes.empty()) {
        state.writes.push_back({.preset = preset, .group = group.Name(), .servers = writes});
      }
    }
  }
}

std::size_t Pipeline::ImportState(const PipelineState& state) {
  auto& my = *impl_;
  const auto left_out = my.ImportRecords(state);
  my.first = state.first;
  my.last = state.last;
  my.intake.Resume(state.exporter_starts, state.last);
  RestoreEntities(state.entities, my.directory, my.readings);
  my.cwnd.Resume(state.cwnd_done, state.cwnd, my.config);
  if (my.profiles) {
    // After the peer groups' own: an entity of both is found, not made twice.
    RestoreHostEntities(state.host_entities, my.directory, *my.hosts);
    my.profiles->Resume(state.profiles.value_or(ProfileMemory()));
  }
  if (my.syscalls && state.syscalls) {
    my.syscalls->Resume(*state.syscalls);
  }
  my.memberships.ResumeKinds(my.config, state.disk_kinds);
  my.memberships.Invalidate();
  my.RefreshMembers();
  my.memberships.Resume(state.first_seen, state.first.value_or(UnixTime()));
  // Last: it judges with all of the above.
  my.RecallWindows();
  return left_out;
}

std::size_t Pipeline::Impl::ImportRecords(const PipelineState& state) {
  std::size_t left_out = 0;
  for (const auto& component : state.components) {
    auto* const group = FindGroup(runs, component.preset, component.group);
    if (group == nullptr && custom && custom->Restore(component)) {
      continue;
    }
    if (group == nullptr || !group->Has(component.metric)) {
      ++left_out;
      continue;
    }
    group->Restore(component);
  }
  for (const auto& memory : state.writes) {
    if (auto* const group = FindGroup(runs, memory.preset, memory.group)) {
      group->Writes().Restore(memory.servers);
    }
  }
  for (const auto& incident : state.incidents) {
    const auto its = std::ranges::find_if(verdicts, [&](const ServerVerdicts& servers) {
      return servers.Settings().name == incident.preset;
    });
    if (its != verdicts.end()) {
      its->Incidents().Restore(incident);
    }
  }
  // Before RecallWindows judges again: what goes on then keeps its since and named.
  for (const auto& beginning : state.beginnings) {
    const auto its = std::ranges::find_if(verdicts, [&](const ServerVerdicts& servers) {
      return servers.Settings().name == beginning.preset;
    });
    if (its != verdicts.end()) {
      its->Begun().Restore(beginning);
    }
  }
  for (auto& run : runs) {
    const auto end = state.window_ends.find(run.Settings().name);
    if (end != state.window_ends.end()) {
      run.SetLastEnd(end->second);
    }
  }
  return left_out;
}

// So that nobody's indictment ends with a restart: the last window says again what it said.
void Pipeline::Impl::RecallWindows() {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].LastEnd() && first) {
      memberships.Select(config, readings, *first, *runs[i].LastEnd(), i, runs[i]);
    }
    runs[i].Recall(memberships.Members(), directory, cwnd.Groups(), readings);
  }
  for (auto& servers : verdicts) {
    std::optional<UnixTime> end;
    for (const auto run : servers.Runs()) {
      end = std::max(end, runs[run].LastEnd());
    }
    if (end) {
      servers.Judge(*end, runs, memberships.Members(), cwnd.Groups(), Findings(servers.Runs()));
    }
  }
}

}  // namespace limpet
