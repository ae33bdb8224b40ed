// explain_node.h: what is known of one node, in the words that somebody needs who was just woken:
// what, since when, why, what is known beside it, and what to do.
//
// Threads: pure; NodeIncidents is a value with one owner.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/verdict/events.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet {

// From the answers of /api/v1/verdicts and /api/v1/targets, in which anything may stand; `now` is
// ours. An error when they are something else, or when no target is called so.
[[nodiscard]] Result<std::string> ExplainNode(std::string_view verdicts, std::string_view targets,
                                              std::string_view node, UnixTime now);

// The verdicts of one node in recordings, as incidents.
class NodeIncidents {
 public:
  // `apart`: by preset, how far verdicts of one incident may be apart.
  NodeIncidents(std::string node, std::map<std::string, Duration> apart)
      : node_(std::move(node)), apart_(std::move(apart)) {}

  void Add(const VerdictEvent& verdict);
  // One paragraph an incident, in the order of their beginnings; without one it says so.
  [[nodiscard]] std::string Text() const;

 private:
  struct Incident {
    UnixTime first;
    UnixTime last;
    VerdictEvent worst;  // with the largest degree: what decided
  };

  std::string node_;
  std::map<std::string, Duration> apart_;
  std::vector<Incident> incidents_;
};

}  // namespace limpet
