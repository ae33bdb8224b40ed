#include "diagnoser/incidents/acts.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "diagnoser/verdict/causes.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kDay = 24h;
constexpr std::size_t kLeastPeers = 3;  // with fewer nobody can be compared

// Whether the act takes something out of service.
bool Takes(ActStep step) { return step == ActStep::kBegin || step == ActStep::kConfirm; }

constexpr std::size_t kMostRefusals = 50;  // of one step: a reason may have numbers that change

using Json = nlohmann::ordered_json;

Json Parse(const std::string& document) {
  auto json = Json::parse(document, nullptr, false);
  return json.is_object() ? json : Json::object();
}

std::string TextAt(const Json& json, const char* key) {
  const auto value = json.find(key);
  return value != json.end() && value->is_string() ? value->get<std::string>() : "";
}

// The first disk of the evidence, the leading one's before others, as "node/device"; empty: there
// is none, or it is no disk's fault.
std::string DiskOf(const std::string& document) {
  const auto json = Parse(document);
  std::vector<std::string> names = {TextAt(json, "component")};
  const auto evidence = json.find("evidence");
  if (TextAt(json, "family") == Name(CauseFamily::kStorage) && evidence != json.end() &&
      evidence->is_array()) {
    for (const auto& one : *evidence) {
      names.push_back(one.is_object() ? TextAt(one, "component") : "");
    }
  }
  const auto found = std::ranges::find_if(
      names, [](const std::string& name) { return name.find('/') != std::string::npos; });
  return found == names.end() ? "" : *found;
}

// Beside what is told to a program: which answer it was told of, for the time after a restart.
constexpr const char* kAnswer = "answer";

std::string WithAnswer(const std::string& document, const std::string& answer) {
  auto json = Parse(document);
  json[kAnswer] = answer;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string_view Name(ActStep step) {
  constexpr std::string_view kNames[] = {"begin", "confirm", "answer", "end"};
  return kNames[static_cast<std::size_t>(step)];
}

// nullopt: a row of a later version, or made by hand.
std::optional<ActStep> ParseActStep(std::string_view text) {
  for (const auto step : kActSteps) {
    if (text == Name(step)) {
      return step;
    }
  }
  return std::nullopt;
}

// Acts are in the order in which they were made, so an end takes back what was done before it. What
// was refused never happened.
void ActPlanner::Restore(const std::vector<Act>& acts) {
  for (const auto& act : acts) {
    if (act.state == "refused") {
      continue;
    }
    touched_[act.node] = std::max(touched_[act.node], act.at);
    if (act.step == ActStep::kEnd) {
      acted_.erase(act.incident);
      continue;
    }
    auto& acted = acted_[act.incident];
    acted.incident.id = act.incident;
    acted.incident.node = act.node;
    acted.steps.insert(act.step);
    if (act.step == ActStep::kAnswer) {
      acted.answer = TextAt(Parse(act.document), kAnswer);
    }
    if (Takes(act.step)) {
      SetTaken(act.document, acted);
      begun_.push_back(act.at);
    }
  }
}

// First who is to be taken out, then who may return: a server that is released with this call makes
// room for another one with the next.
std::vector<Act> ActPlanner::Update(const std::vector<IncidentRecord>& open,
                                    const std::vector<IncidentRecord>& ended,
                                    const ActContext& context) {
  std::vector<Act> acts;
  if (settings_.mode == ActionMode::kOff) {
    return acts;
  }
  while (!begun_.empty() && context.now - begun_.front() > kDay) {
    begun_.pop_front();
  }
  for (const auto& incident : open) {
    Consider(incident, context, acts);
  }
  for (const auto& incident : ended) {
    if (const auto found = acted_.find(incident.id); found != acted_.end()) {
      found->second.incident = incident;
    }
    std::erase_if(refused_, [&](const auto& one) { return one.first.starts_with(incident.id); });
  }
  Release(context, acts);
  return acts;
}

// Of an open incident: the first step that is due and allowed. The next one follows with a later
// window, so that a person who looks sees them apart.
void ActPlanner::Consider(const IncidentRecord& incident, const ActContext& context,
                          std::vector<Act>& acts) {
  if (!incident.indicted || !settings_.causes.contains(incident.cause)) {
    return;
  }
  const auto acted = acted_.find(incident.id);
  if (acted != acted_.end()) {
    acted->second.incident = incident;
    acted->second.well.reset();
  }
  for (const auto step : {ActStep::kBegin, ActStep::kConfirm}) {
    const bool done = acted != acted_.end() && acted->second.steps.contains(step);
    const bool due =
        step == ActStep::kBegin || incident.last - incident.named >= settings_.confirm_after;
    if (done || !due || !settings_.programs.contains(std::string(Name(step)))) {
      continue;
    }
    const auto objection = Objection(incident, context);
    if (objection.empty()) {
      acts.push_back(Make(incident, step, context.now));
      return;  // the other one with the next window at the earliest
    }
    // Told once, and again when it is another one.
    auto& told = refused_[incident.id + "/" + std::string(Name(step))];
    if (told.reason != objection && told.times < kMostRefusals) {
      told = {.reason = objection, .times = told.times + 1};
      acts.push_back({.incident = incident.id,
                      .node = incident.node,
                      .step = step,
                      .state = "refused",
                      .reason = objection,
                      .at = context.now,
                      .document = ""});
    }
  }
  const auto answer = context.answers.find(incident.id);
  if (acted != acted_.end() && answer != context.answers.end() &&
      acted->second.answer != answer->second &&
      settings_.programs.contains(std::string(Name(ActStep::kAnswer)))) {
    acted->second.answer = answer->second;
    acts.push_back(Make(incident, ActStep::kAnswer, context.now));
    acts.back().document = WithAnswer(acts.back().document, answer->second);
  }
}

// A disk that nobody uses looks healthy: a server returns once it has been judged, not merely once
// nothing has been said of it, for the whole trial.
void ActPlanner::Release(const ActContext& context, std::vector<Act>& acts) {
  std::vector<IncidentRecord> released;
  wanted_.clear();
  for (auto& [id, acted] : acted_) {
    const auto* const judgement = context.view->judgements.Find(acted.incident.node);
    if (judgement != nullptr) {
      acted.gone.reset();
    } else if (!acted.gone || *acted.gone > context.now) {
      acted.gone = context.now;
    }
    const bool well = judgement != nullptr && judgement->standing == Standing::kLikePeers;
    if (!well) {
      acted.well.reset();
      continue;
    }
    // A clock that was set back begins the trial anew.
    if (!acted.well || *acted.well > context.now) {
      acted.well = context.now;
    }
    if (context.now - *acted.well >= settings_.trial && !context.stopped &&
        ReadsWell(acted, context)) {
      released.push_back(acted.incident);
    }
  }
  for (const auto& incident : released) {
    acts.push_back(Make(incident, ActStep::kEnd, context.now));
    acted_.erase(incident.id);
  }
}

bool ActPlanner::ReadsWell(const Acted& acted, const ActContext& context) {
  if (!context.probing || acted.disk.empty()) {
    return true;
  }
  const auto probed = context.probed.find(acted.disk);
  const bool fresh = probed != context.probed.end() && probed->second.at >= *acted.well;
  if (!fresh || probed->second.slow) {
    wanted_.insert(acted.disk);
    return false;
  }
  return true;
}

// A server may have incidents of several families: it is out once. One that is no target any more
// has left for good, and would keep the place of another one for ever.
std::set<std::string> ActPlanner::ActedNodes(UnixTime now) const {
  std::set<std::string> nodes;
  for (const auto& [id, acted] : acted_) {
    if (!acted.gone || now - *acted.gone < kDay) {
      nodes.insert(acted.incident.node);
    }
  }
  return nodes;
}

// In the order in which an operator would ask: is it wanted at all, is the evidence good enough,
// are there too many already, and what is left of the group.
std::string ActPlanner::Objection(const IncidentRecord& incident, const ActContext& context) const {
  if (context.stopped) {
    return "the stop file is there";
  }
  if (!context.local.contains(incident.id)) {
    return "its evidence is not local: another server's fault may explain it";
  }
  const auto answer = context.answers.find(incident.id);
  if (answer != context.answers.end()) {
    return "it has been answered: " + answer->second;
  }
  if (const auto disk = context.probing ? DiskOf(incident.document) : ""; !disk.empty()) {
    const auto probed = context.probed.find(disk);
    if (probed == context.probed.end() || probed->second.at < incident.since) {
      return disk + " has not been read yet to confirm it (probe)";
    }
    if (!probed->second.slow) {
      return disk + " answers as its peers' do when it is read (probe)";
    }
  }
  const auto nodes = ActedNodes(context.now);
  if (nodes.contains(incident.node)) {
    return "";  // the first step was allowed
  }
  if (nodes.size() >= settings_.max_at_once) {
    return std::to_string(nodes.size()) + " servers are out already (actions.max_at_once)";
  }
  if (begun_.size() >= settings_.max_per_day) {
    return std::to_string(begun_.size()) + " acts in a day (actions.max_per_day)";
  }
  const auto touched = touched_.find(incident.node);
  if (touched != touched_.end() && context.now - touched->second < settings_.hold_down) {
    return "something was done about this server lately (actions.hold_down)";
  }
  return QuorumObjection(incident.node, context);
}

// Members that are not compared now are not counted on: nobody knows whether they are well.
std::string ActPlanner::QuorumObjection(const std::string& node, const ActContext& context) const {
  std::map<std::string, std::set<std::string>> members;  // that are compared, by group
  std::set<std::string> groups;                          // of the node
  for (const auto& row : context.view->coverage) {
    if (row.node == node) {
      groups.insert(row.group);
    }
    if (row.enough) {
      members[row.group].insert(row.node);
    }
  }
  if (groups.empty()) {
    return "no peer group has it";
  }
  const auto out = ActedNodes(context.now);
  for (const auto& group : groups) {
    const auto& all = members[group];
    std::size_t left = all.size();
    for (const auto& one : all) {
      left -= one == node || out.contains(one) ? 1U : 0U;
    }
    const auto least = std::max<std::size_t>(
        kLeastPeers,
        static_cast<std::size_t>(std::ceil(settings_.quorum * static_cast<double>(all.size()))));
    if (left < least) {
      return "of " + group + " " + std::to_string(left) + " compared servers would be left, " +
             std::to_string(least) + " are wanted (actions.quorum)";
    }
  }
  return "";
}

void ActPlanner::SetTaken(const std::string& document, Acted& acted) {
  if (acted.document.empty()) {
    acted.document = document;
    acted.disk = DiskOf(document);
  }
}

// From here on it counts as done, also in a dry run, so that both take the same course. All steps
// are about the component that the first one was about: that is what has to return.
Act ActPlanner::Make(const IncidentRecord& incident, ActStep step, UnixTime now) {
  auto& acted = acted_[incident.id];
  acted.incident = incident;
  acted.steps.insert(step);
  SetTaken(incident.document, acted);
  if (Takes(step)) {
    begun_.push_back(now);
  }
  touched_[incident.node] = now;
  return {.incident = incident.id,
          .node = incident.node,
          .step = step,
          .state = settings_.mode == ActionMode::kArmed ? "ordered" : "dry-run",
          .reason = "",
          .at = now,
          .document = acted.document};
}

}  // namespace limpet
