// The order of time: seconds of the sources of evidence and window ends, the earliest first.

#include <algorithm>
#include <iterator>
#include <utility>

#include "diagnoser/detect/group_window.h"
#include "diagnoser/facts/find_facts.h"
#include "diagnoser/pipeline/fact_peers.h"
#include "diagnoser/pipeline/impl.h"
#include "exporter/common/instants.h"

namespace limpet {
namespace {

// Half of the range, so that gaps and delays can be added to it.
constexpr UnixTime kEndOfTime = UnixTime(Duration::max() / 2);
static_assert(kEndOfTime - kLatestInstant > std::chrono::years(1));

Duration ShortestStep(const Readings& readings) {
  return std::ranges::min_element(readings.Grids(), {}, &GridSpec::step)->step;
}

}  // namespace

std::vector<Event> Pipeline::Advance(UnixTime clock) {
  const auto watermark = ClampInstant(clock);
  impl_->watermark = watermark;
  auto events = impl_->ReleaseHeld();
  auto now = impl_->AdvanceTo(watermark, std::min(watermark, impl_->last.value_or(watermark)));
  // A window of a large group is an event of many kilobytes.
  events.insert(events.end(), std::make_move_iterator(now.begin()),
                std::make_move_iterator(now.end()));
  impl_->HoldSilence(watermark);
  // By the watermark: a node of which everything new is refused has no later reading.
  impl_->RelieveCrowdedNodes(watermark);
  return events;
}

// No window ends after the last reading. But a window that ends soon after it has enough samples,
// and none of them is there any more once readings come again after a long silence: such windows
// are closed while all are silent, and told only if readings do come, as a replay would.
void Pipeline::Impl::HoldSilence(UnixTime now) {
  Duration longest{};
  Duration spared{};
  for (const auto& preset : config.presets) {
    longest = std::max(longest, preset.MaxGap());
    spared = std::max(spared, preset.step * static_cast<Duration::rep>(preset.window -
                                                                       MinSamples(preset.window)));
  }
  if (!last || now - *last <= longest) {
    return;
  }
  // What comes at this very instant is still to come.
  const auto horizon = std::min(now - Duration(1), *last + spared);
  auto events = AdvanceTo(now, horizon);
  silence.events.insert(silence.events.end(), std::make_move_iterator(events.begin()),
                        std::make_move_iterator(events.end()));
  silence.until = horizon;
}

std::vector<Event> Pipeline::Impl::ReleaseHeld() {
  if (silence.events.empty() || !last || *last < silence.until) {
    return {};
  }
  return std::exchange(silence.events, {});
}

std::vector<Event> Pipeline::Finish() {
  auto events = impl_->ReleaseHeld();
  if (impl_->last) {
    // Nobody is waited for, but no window ends after the last reading (docs/decisions/0040).
    auto rest = impl_->AdvanceTo(kEndOfTime, *impl_->last);
    events.insert(events.end(), std::make_move_iterator(rest.begin()),
                  std::make_move_iterator(rest.end()));
  }
  for (const auto& servers : impl_->verdicts) {
    auto summary = impl_->runs[servers.Runs().front()].Summary();
    summary.verdicts = servers.VerdictCount();
    events.emplace_back(std::move(summary));
  }
  return events;
}

std::vector<Event> Pipeline::Impl::AdvanceTo(UnixTime now, UnixTime horizon) {
  std::vector<Event> events;
  if (!first) {
    return events;
  }
  std::vector<bool> held(runs.size(), false);
  while (const auto due = FindDue(held, horizon)) {
    MaskBy(due->at);
    auto made = Do(*due, now, horizon, held);
    if (!made) {
      break;
    }
    events.insert(events.end(), std::make_move_iterator(made->begin()),
                  std::make_move_iterator(made->end()));
  }
  Tidy(horizon);
  return events;
}

std::optional<Pipeline::Impl::Due> Pipeline::Impl::FindDue(const std::vector<bool>& held,
                                                           UnixTime horizon) const {
  Due due{.at = kEndOfTime};
  for (auto* const source : sources) {
    if (const auto next = source->Next(*first); next < due.at) {
      due = {.at = next, .source = source};
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (const auto end = runs[i].NextEnd(*first); !held[i] && end < due.at) {
      due = {.at = end, .source = nullptr, .run = i};
    }
  }
  return due.at > horizon ? std::nullopt : std::optional(due);
}

std::optional<std::vector<Event>> Pipeline::Impl::Do(const Due& due, UnixTime now, UnixTime horizon,
                                                     std::vector<bool>& held) {
  if (due.source != nullptr) {
    return due.source->Observe({.first = *first,
                                .watermark = now,
                                .horizon = horizon,
                                .ended = now == kEndOfTime,
                                .config = config,
                                .directory = directory,
                                .readings = readings,
                                .hosts = hosts ? &*hosts : nullptr});
  }
  const auto max_gap = runs[due.run].Settings().MaxGap();
  if (readings.Settled(due.at, now, max_gap) &&
      (!custom || custom->Readings().Settled(due.at, now, max_gap))) {
    return CloseWindow(due, horizon);
  }
  // A replay keeps one order of all events, so who waits stops the others (docs/decisions/0040).
  if (config.one_order) {
    return std::nullopt;
  }
  held[due.run] = true;  // the other presets need not wait for this one
  return std::vector<Event>();
}

void Pipeline::Impl::RefreshMembers() {
  memberships.Refresh(config, directory);
  for (const auto& move : memberships.TakeMoves()) {
    for (auto& run : runs) {
      for (const auto group : move.left) {
        run.Groups()[group].ForgetComponent(move.component);
      }
    }
  }
}

std::vector<Event> Pipeline::Impl::CloseWindow(const Due& due, UnixTime horizon) {
  auto& run = runs[due.run];
  if (readings.Grids()[run.Grid()].step == ShortestStep(readings)) {
    loads.Look(due.at, config, run.Grid(), readings, facts, directory);
  }
  RefreshMembers();
  memberships.Select(config, readings, *first, due.at, due.run, run);
  auto events = run.Close(due.at, memberships.Members(), directory, cwnd.Groups(), readings);
  if (custom) {
    auto more = custom->Close(due.run, due.at, directory, for_each);
    run.CountWindows(more);
    events.insert(events.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
  }
  if (!run.Settings().IsScale()) {
    memberships.Learn(config, directory, run);
  }
  JudgeServers(due, events);
  if (!events.empty()) {
    run.RecordHour(due.at);
  } else {
    // The seconds from the window's end to the last one looked at were silent too; those of
    // profiles are yet to come.
    const auto next = custom ? custom->Readings().NextAfter(due.at) : std::nullopt;
    auto known = std::min(horizon, next.value_or(kEndOfTime));
    for (const auto* const source : sources) {
      known = source == &cwnd ? known : std::min(known, source->Next(*first));
    }
    run.SkipSilence(readings, cwnd.Done() ? std::min(known, *cwnd.Done()) : known);
  }
  return events;
}

void Pipeline::Impl::JoinFacts(ServerVerdicts& servers, UnixTime end) const {
  if ((facts.Empty() && !custom) || servers.Verdicts().empty()) {
    return;
  }
  const auto asked = custom ? custom->Asked(end) : AskedMembers();
  servers.JoinFacts([&](const VerdictEvent& verdict) {
    auto found = FindFacts(facts, verdict, FindFactPeers(verdict.node, memberships.Members()), end);
    std::ranges::move(FindWhoAsks(asked, verdict, end), std::back_inserter(found));
    return found;
  });
}

void Pipeline::Impl::JudgeServers(const Due& due, std::vector<Event>& events) {
  const auto its = std::ranges::find_if(verdicts, [&](const ServerVerdicts& servers) {
    return std::ranges::find(servers.Runs(), due.run) != servers.Runs().end();
  });
  its->Look(due.run, runs, events);
  // Several scales may end a window at the same instant: one verdict for all of them.
  const bool more = std::ranges::any_of(
      its->Runs(), [&](std::size_t run) { return runs[run].NextEnd(*first) == due.at; });
  if (more) {
    return;
  }
  its->Judge(due.at, runs, memberships.Members(), cwnd.Groups(), Findings(its->Runs()));
  its->Count();
  JoinFacts(*its, due.at);
  events.insert(events.end(), its->Verdicts().begin(), its->Verdicts().end());
  events.insert(events.end(), its->Unknown().begin(), its->Unknown().end());
}

}  // namespace limpet
