#include "diagnoser/publish/explain_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "diagnoser/publish/checklist.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/view/judgements.h"
#include "exporter/common/closest.h"
#include "exporter/common/instants.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

// The answer may come from anything that listens on that port: a value of another type reads as an
// absent one, and texts lose what a terminal would obey.
std::string Text(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? Printable(found->get<std::string>()) : "";
}

bool Flag(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

std::optional<UnixTime> Instant(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) {
    return std::nullopt;
  }
  return InstantFromSeconds(found->get<double>());
}

// The objects of a list; nothing when it is none.
std::vector<nlohmann::json> Objects(const nlohmann::json& json, const char* key) {
  std::vector<nlohmann::json> objects;
  const auto found = json.find(key);
  if (found != json.end() && found->is_array()) {
    std::copy_if(found->begin(), found->end(), std::back_inserter(objects),
                 [](const nlohmann::json& one) { return one.is_object(); });
  }
  return objects;
}

// What stands beside the evidence, and what to do.
std::string FactLine(std::string_view text) { return fmt::format("  known   {}\n", text); }
std::string NextLine(std::string_view step) {
  return step.empty() ? "" : fmt::format("  next    {}\n", step);
}

std::string ExplainVerdict(const nlohmann::json& verdict, UnixTime now) {
  const auto cause = Text(verdict, "cause");
  auto text = Flag(verdict, "indicted")
                  ? fmt::format("{}: indicted: {}\n", Text(verdict, "node"), cause)
                  : fmt::format(
                        "{}: differs, too: {}; it most likely suffers from the server that "
                        "is indicted\n",
                        Text(verdict, "node"), cause);
  if (const auto since = Instant(verdict, "since")) {
    text += fmt::format("  since   {}, for {}\n", IsoTime(*since),
                        ForPeople(std::max(now - *since, Duration::zero())));
  }
  if (const auto named = Instant(verdict, "named")) {
    text += fmt::format("  named   {}\n", IsoTime(*named));
  }
  for (const auto& evidence : Objects(verdict, "evidence")) {
    text += fmt::format("  because {}\n", Text(evidence, "text"));
    text += fmt::format("          {}\n", Text(evidence, "background"));
  }
  for (const auto& fact : Objects(verdict, "facts")) {
    text += FactLine(Text(fact, "text"));
  }
  return text + NextLine(Text(verdict, "next_step"));
}

// Storms name components: "node/device" or "node".
bool IsAbout(const nlohmann::json& storm, std::string_view node) {
  const auto found = storm.find("components");
  return found != storm.end() && found->is_array() &&
         std::any_of(found->begin(), found->end(), [&](const nlohmann::json& one) {
           const auto name = one.is_string() ? one.get<std::string>() : std::string();
           return name.substr(0, name.find('/')) == node;
         });
}

}  // namespace

Result<NodeExplanation> ExplainNode(std::string_view verdicts, std::string_view judged,
                                    std::string_view node, UnixTime now) {
  const auto said = nlohmann::json::parse(verdicts, nullptr, false);
  const auto standing = nlohmann::json::parse(judged, nullptr, false);
  if (!said.is_object() || !said.contains("verdicts") || !standing.is_object() ||
      !standing.contains("servers")) {
    return Error{ErrorCode::kUnavailable,
                 "expected the answers of /api/v1/verdicts and /api/v1/judged", ""};
  }
  NodeExplanation explained;
  auto& text = explained.text;
  for (const auto& verdict : Objects(said, "verdicts")) {
    text += Text(verdict, "node") == node ? ExplainVerdict(verdict, now) : "";
  }
  for (const auto& unknown : Objects(said, "unknown")) {
    text += Text(unknown, "node") == node ? Text(unknown, "text") + "\n" : "";
  }
  for (const auto& storm : Objects(said, "storms")) {
    text += IsAbout(storm, node) ? Text(storm, "text") + "\n" : "";
  }
  std::vector<std::string> nodes;
  for (const auto& server : Objects(standing, "servers")) {
    nodes.push_back(Text(server, "node"));
    if (nodes.back() == node) {
      explained.judged = Text(server, "state") != Name(Standing::kNotJudged);
      // What is judged and has something to say has said it.
      text += text.empty() || !explained.judged
                  ? fmt::format("{}: {}\n", nodes.back(), Text(server, "text"))
                  : "";
    }
  }
  if (text.empty()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("no server is called {}{}", Printable(node), DidYouMean(node, nodes)),
                 ""};
  }
  return explained;
}

void NodeIncidents::Add(const VerdictEvent& verdict) {
  if (verdict.node != node_ || verdict.cause == Cause::kNone) {
    return;
  }
  const auto apart = apart_.find(verdict.preset);
  for (auto& incident : incidents_) {
    if (incident.worst.preset == verdict.preset && incident.worst.cause == verdict.cause &&
        incident.worst.secondary == verdict.secondary && apart != apart_.end() &&
        verdict.end - incident.last <= apart->second) {
      incident.last = verdict.end;
      if (verdict.degree > incident.worst.degree) {
        incident.worst = verdict;
      }
      return;
    }
  }
  incidents_.push_back(
      {.first = verdict.Since(), .named = verdict.Named(), .last = verdict.end, .worst = verdict});
}

std::string NodeIncidents::Text() const {
  std::string text;
  for (const auto& incident : incidents_) {
    const auto& worst = incident.worst;
    text +=
        fmt::format("{}: {}: {} (preset {})\n", Printable(node_),
                    worst.secondary ? "differs, too" : "indicted", Name(worst.cause), worst.preset);
    text += fmt::format("  from    {} to {}, {}\n  named   {}\n", IsoTime(incident.first),
                        IsoTime(incident.last), ForPeople(incident.last - incident.first),
                        IsoTime(incident.named));
    for (const auto& evidence : worst.evidence) {
      text += fmt::format("  because {}\n          {}\n", Printable(Explain(evidence)),
                          Printable(Background(evidence)));
    }
    for (const auto& fact : worst.facts) {
      text += FactLine(Printable(Explain(fact)));
    }
    text += NextLine(Printable(AdviseNextStep(worst)));
  }
  return text;
}

}  // namespace limpet
