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

struct NodeExplanation {
  std::string text;
  bool judged = true;
};

// Returns what the answers of /api/v1/verdicts and /api/v1/judged?all=1 say of the node; anything
// may stand in them. `now` is ours. An error when they are something else, or when no server is
// called so.
[[nodiscard]] Result<NodeExplanation> ExplainNode(std::string_view verdicts,
                                                  std::string_view judged, std::string_view node,
                                                  UnixTime now);

// The verdicts of one node in recordings, as incidents.
class NodeIncidents {
 public:
  // `apart`: by preset, how far verdicts of one incident may be apart.
  NodeIncidents(std::string node, std::map<std::string, Duration> apart)
      : node_(std::move(node)), apart_(std::move(apart)) {}

  void Add(const VerdictEvent& verdict);
  // Returns a paragraph an incident, in the order of their beginnings; empty without one.
  [[nodiscard]] std::string Text() const;

 private:
  struct Incident {
    UnixTime first;  // when it began in the data
    UnixTime named;
    UnixTime last;
    VerdictEvent worst;  // with the largest degree: what decided
  };

  std::string node_;
  std::map<std::string, Duration> apart_;
  std::vector<Incident> incidents_;
};

}  // namespace limpet
