#include "diagnoser/verdict/open_incidents.h"

#include <algorithm>
#include <utility>

#include "diagnoser/detect/comparison.h"

namespace limpet {
namespace {

std::vector<std::string> GroupNames(const VerdictEvent& verdict) {
  std::vector<std::string> names;
  for (const auto& evidence : verdict.evidence) {
    if (std::ranges::find(names, evidence.group) == names.end()) {
      names.push_back(evidence.group);
    }
  }
  return names;
}

}  // namespace

std::string_view WhyUnknown(const UnknownEvent& unknown) {
  return unknown.n < kMinPeers ? "two peers are not enough"
         : unknown.missing     ? "it has too few readings"
                               : "it is compared again, but not for long enough";
}

std::vector<UnknownEvent> OpenIncidents::Update(UnixTime end,
                                                std::span<const VerdictEvent> verdicts,
                                                Duration again, const FindStanding& find) {
  for (const auto& verdict : verdicts) {
    // A secondary server has no incident of its own.
    if (!verdict.secondary) {
      open_[verdict.node] = {.preset = verdict.preset,
                             .node = verdict.node,
                             .cause = verdict.cause,
                             .groups = GroupNames(verdict),
                             .judged = end,
                             .unknown = std::nullopt,
                             .group = {}};
    }
  }
  std::vector<UnknownEvent> unknown;
  for (auto it = open_.begin(); it != open_.end();) {
    auto& incident = it->second;
    if (incident.judged == end) {
      ++it;
      continue;
    }
    std::size_t comparable = 0;
    bool member = false;
    bool missing = false;
    for (const auto& group : incident.groups) {
      const auto standing = find(incident.node, group);
      member = member || standing;
      if (standing && !(standing->enough && standing->compared)) {
        incident.unknown = end;
        incident.group = group;
        missing = standing->enough;
      }
      if (standing && incident.group == group) {
        comparable = standing->comparable;
      }
    }
    // It takes a few windows after that before anybody could be flagged.
    if (!member || !incident.unknown || end - *incident.unknown >= again) {
      it = open_.erase(it);
      continue;
    }
    unknown.push_back({.end = end,
                       .preset = incident.preset,
                       .node = incident.node,
                       .cause = incident.cause,
                       .judged = incident.judged,
                       .group = incident.group,
                       .n = comparable,
                       .missing = missing});
    ++it;
  }
  return unknown;
}

std::vector<OpenIncident> OpenIncidents::Export() const {
  std::vector<OpenIncident> all;
  for (const auto& [node, incident] : open_) {
    if (incident.unknown) {
      all.push_back(incident);
    }
  }
  return all;
}

void OpenIncidents::Restore(OpenIncident incident) {
  auto node = incident.node;
  open_[std::move(node)] = std::move(incident);
}

}  // namespace limpet
