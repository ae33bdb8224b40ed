// Verdicts as incidents: kept before they are published, joined to events and view, acted upon.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "diagnoser/publish/incident_document.h"
#include "diagnoser/publish/incidents.h"
#include "diagnoser/runtime/monitor.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kKeepIncident = 250ms;  // to write a new incident before it is published

}  // namespace

void Monitor::SetKeeper(IncidentKeeper& keeper) {
  keeper_ = &keeper;
  incidents_.SetSilences(FilterLengths(plan_.pipeline.presets));
  incidents_.Restore(keeper.Recent());
  acts_.SetSettings(settings_.incidents.actions);
  acts_.Restore(keeper.RecentActs());
}

// Before the page's states are made of the view.
void Monitor::AcceptKnown() {
  Recorder::Accepted accepted;
  if (keeper_ != nullptr) {
    for (const auto& one : keeper_->Book()->open) {
      if (one.answer == Name(AnswerKind::kKnown)) {
        accepted.emplace(one.node, one.cause);
      }
    }
  }
  recorder_.SetAccepted(std::move(accepted));
}

// After the recorder: the document has the bands that it keeps of the windows that decided.
void Monitor::TrackIncidents(PipelineView& view) {
  if (keeper_ == nullptr) {
    return;
  }
  const auto shown = recorder_.View()->verdicts;
  incidents_.SetDescribe([&](const IncidentRecord& record, const VerdictEvent& verdict) {
    return DescribeIncident(record, verdict,
                            {.view = &view, .shown = *shown, .url = settings_.incidents.url});
  });
  auto changes = incidents_.Update(view);
  incidents_.SetDescribe({});
  const bool any_new = std::any_of(changes.begin(), changes.end(), [](const auto& change) {
    return change.kind == IncidentChange::Kind::kBegan || change.named;
  });
  PlanActs(view, changes, clock_.Now());
  keeper_->Put(std::move(changes));
  // Kept before anybody is told of them; a disk that is slower than this is not waited for.
  if (any_new && !keeper_->WaitWritten(kKeepIncident)) {
    limited_log_.Write(LogLevel::kWarning, "incidents",
                       "a new incident is published before it is on the disk, which is slow or "
                       "cannot be written");
  }
  for (auto& verdict : view.verdicts) {
    JoinIncident(verdict);
  }
}

// The stop file is looked at with every window: whoever makes it waits for nothing else.
void Monitor::PlanActs(const PipelineView& view, const std::vector<IncidentChange>& changes,
                       UnixTime now) {
  const auto& actions = settings_.incidents.actions;
  if (actions.mode == ActionMode::kOff) {
    return;
  }
  ActContext context{.now = now, .view = &view, .answers = keeper_->Book()->answers};
  context.stopped = ::access(actions.stop_file.c_str(), F_OK) == 0;
  context.probing = settings_.probe.enabled && ask_probe_ != nullptr;
  context.probed = probes_.Probed(clock_.Steady(), now);
  for (const auto& verdict : view.verdicts) {
    const auto* const incident = incidents_.Find(verdict.node, verdict.cause);
    if (incident != nullptr && verdict.local) {
      context.local.insert(incident->id);
    }
  }
  std::vector<IncidentRecord> ended;
  for (const auto& change : changes) {
    if (change.kind == IncidentChange::Kind::kEnded) {
      ended.push_back(change.record);
    }
  }
  auto acts = acts_.Update(incidents_.OpenRecords(), ended, context);
  for (const auto& act : acts) {
    log_(LogLevel::kWarning, act.node + ": " + std::string(Name(act.step)) + " of incident " +
                                 act.incident + ": " + act.state +
                                 (act.reason.empty() ? "" : ": " + act.reason));
  }
  keeper_->Put(std::move(acts));
}

void Monitor::JoinIncident(VerdictEvent& verdict) const {
  const auto* const incident = incidents_.Find(verdict.node, verdict.cause);
  if (incident == nullptr || keeper_ == nullptr) {
    return;
  }
  verdict.incident = incident->id;
  const auto book = keeper_->Book();
  const auto answer = book->answers.find(incident->id);
  verdict.answer = answer == book->answers.end() ? "" : answer->second;
}

void Monitor::JoinIncidents(std::vector<Event>& events) const {
  for (auto& event : events) {
    if (auto* const verdict = std::get_if<VerdictEvent>(&event)) {
      JoinIncident(*verdict);
    }
  }
}

}  // namespace limpet
