// tracker.h: the verdicts of each window → incidents that begin, go on and end.
//
// Verdicts of one server and one family of causes are one incident, whichever preset or cause names
// them. It ends once its preset has closed windows without it for as long as its filter remembers;
// while the peers are too few to judge it, it goes on. A fault that comes back within an hour of
// its end, or of the hour of its begin, is the same incident (`episodes`).
// Times are those of the data, so a clock that is set back ends nothing and begins nothing.
// Bounded: by the servers that have verdicts at the same time, and kMaxRecent that have ended.
// Threads: one at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/incidents/incident.h"
#include "diagnoser/view/view_types.h"

namespace limpet {

struct IncidentChange {
  enum class Kind : std::uint8_t { kBegan, kWentOn, kEnded };
  Kind kind = Kind::kWentOn;
  IncidentRecord record;
  bool named = false;   // with this change it is indicted: people are to be told
  bool present = true;  // it has a verdict; otherwise it waits for one, or for its end
};

class IncidentTracker {
 public:
  static constexpr std::size_t kMaxRecent = 200;
  // An incident that goes on without news is told again so often.
  static constexpr Duration kRepeat = std::chrono::minutes(1);

  // A verdict in words, for people and as a document; called when it is news or
  // worse than before.
  struct Description {
    std::string metric;
    std::string text;
    std::string document;
  };
  // The record has everything but these.
  using Describe = std::function<Description(const IncidentRecord&, const VerdictEvent&)>;

  IncidentTracker(std::string cluster, Describe describe)
      : cluster_(std::move(cluster)), describe_(std::move(describe)) {}

  // Silence lasts so long before an incident has ended, by preset.
  void SetSilences(std::map<std::string, Duration> silences) { silences_ = std::move(silences); }
  // Used by the next Update.
  void SetDescribe(Describe describe) { describe_ = std::move(describe); }
  void SetCluster(std::string cluster) { cluster_ = std::move(cluster); }

  // Records from before a restart: those that are open go on, those that ended lately are known
  // when they begin again.
  void Restore(std::vector<IncidentRecord> records);

  // Returns what is new in the view.
  [[nodiscard]] std::vector<IncidentChange> Update(const PipelineView& view);

  // The incident that a verdict belongs to; nullptr: none.
  [[nodiscard]] const IncidentRecord* Find(const std::string& node, Cause cause) const;
  [[nodiscard]] std::size_t Open() const { return open_.size(); }
  [[nodiscard]] std::vector<IncidentRecord> OpenRecords() const;

 private:
  using Key = std::pair<std::string, std::string>;  // node, family
  struct Incident {
    IncidentRecord record;
    UnixTime told;                         // window end of the latest change
    std::optional<UnixTime> absent_since;  // window end
    bool began = false;                    // it has been told
    std::optional<bool> present;           // it has a verdict; unknown after a restart
  };

  void See(const VerdictEvent& verdict, std::vector<IncidentChange>& changes);
  [[nodiscard]] Incident Begin(const VerdictEvent& verdict);
  void EndAbsent(const PipelineView& view, std::vector<IncidentChange>& changes);
  void End(Incident& incident, const PipelineView& view, std::vector<IncidentChange>& changes);
  void Remember(const IncidentRecord& record);

  std::string cluster_;
  Describe describe_;
  std::map<std::string, Duration> silences_;
  std::map<Key, Incident> open_;
  std::map<std::string, IncidentRecord> recent_;  // ended, by id
};

}  // namespace limpet
