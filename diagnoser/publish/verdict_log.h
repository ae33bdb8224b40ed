// verdict_log.h: since when each node is indicted, and the lines that say so when it changes.
//
// Threads: a value with one owner.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "diagnoser/view/view_types.h"
#include "exporter/common/time.h"

namespace limpet {

class VerdictLog {
 public:
  // Must be called after every window end. One line for each new indictment, with its evidence, and
  // for each that has ended or cannot be judged any more; for each storm that begins, and for what
  // the bimodality check finds.
  [[nodiscard]] std::vector<std::string> Update(const PipelineView& view);

  // The begin of one indictment: when it began in the data, and the window end that named it.
  struct Begun {
    UnixTime since;
    UnixTime named;
  };
  // nullopt when there is none.
  [[nodiscard]] std::optional<Begun> Find(const std::string& preset, const std::string& node,
                                          Cause cause) const;

 private:
  // Each appends its lines and remembers what the view says now.
  void LogIndictments(const PipelineView& view, std::vector<std::string>& lines);
  void LogStorms(const PipelineView& view, std::vector<std::string>& lines);
  void LogBimodality(const PipelineView& view, std::vector<std::string>& lines);

  using Key = std::tuple<std::string, std::string, Cause>;  // preset, node, cause
  std::map<Key, Begun> begun_;
  std::set<Key> unknown_;  // of them, those that nobody can judge
  using GroupKey = std::tuple<std::string, std::string, std::string>;  // preset, group, metric
  std::set<GroupKey> storms_;
  std::map<GroupKey, UnixTime> logged_findings_;  // of the bimodality check: their window ends
};

}  // namespace limpet
