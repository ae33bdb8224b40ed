// acts.h: what is done about an incident, and what keeps it from being done.
//
// Steps of one incident: `begin` when its server is indicted by local evidence, `confirm` when that
// has lasted, `answer` when people have spoken, `end` when the server has been judged and had no
// verdict for a trial period. Where disks can be read on demand (`probe`), a disk's fault is acted
// upon once such a reading has found it slow, and its server returns once a later one has not. Only
// begin and confirm take something out of service; they pass all guards or are refused, with the
// reason, and looked at again with the next window. A dry run counts as if it had been done, so
// that its guards are those of the real thing. Bounded: by the incidents that are open, and
// kMaxActs of the past. Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/incidents/incident.h"
#include "diagnoser/incidents/settings.h"
#include "diagnoser/view/view_types.h"

namespace limpet {

enum class ActStep : std::uint8_t { kBegin, kConfirm, kAnswer, kEnd };
inline constexpr ActStep kActSteps[] = {ActStep::kBegin, ActStep::kConfirm, ActStep::kAnswer,
                                        ActStep::kEnd};
// "begin", "confirm", "answer", "end".
[[nodiscard]] std::string_view Name(ActStep step);
[[nodiscard]] std::optional<ActStep> ParseActStep(std::string_view text);

struct Act {
  std::int64_t number = 0;  // given by the store
  std::string incident;
  std::string node;
  ActStep step = ActStep::kBegin;
  std::string state;   // "dry-run", "ordered", "done", "failed", "refused"
  std::string reason;  // of a refusal or failure; the end of what a program printed
  UnixTime at;
  std::string document;  // for the program: limpet.verdict.v1
  bool operator==(const Act&) const = default;
};

// The result of reading a disk on demand, beside its peers.
struct ProbedState {
  bool slow = false;  // or it did not answer
  UnixTime at;
  bool operator==(const ProbedState&) const = default;
};

// The state of affairs at one window end.
struct ActContext {
  UnixTime now;
  const PipelineView* view = nullptr;
  std::set<std::string> local;                 // incidents whose evidence is local
  std::map<std::string, std::string> answers;  // to open incidents, by id
  bool stopped = false;                        // the stop file is there
  bool probing = false;                        // disks are read on demand
  std::map<std::string, ProbedState> probed;   // by "node/device"
};

class ActPlanner {
 public:
  static constexpr std::size_t kMaxActs = 10'000;

  void SetSettings(ActionSettings settings) { settings_ = std::move(settings); }
  // Acts from before a restart, by number.
  void Restore(const std::vector<Act>& acts);

  // Returns what is to be done now. `open` and those that have ended since the last call.
  [[nodiscard]] std::vector<Act> Update(const std::vector<IncidentRecord>& open,
                                        const std::vector<IncidentRecord>& ended,
                                        const ActContext& context);
  // Disks whose servers wait for nothing else to return, as "node/device".
  [[nodiscard]] const std::set<std::string>& WantedProbes() const { return wanted_; }

 private:
  struct Acted {
    IncidentRecord incident;
    std::string document;          // of what was taken out
    std::string disk;              // of its evidence, as "node/device"; empty: no disk's fault
    std::set<ActStep> steps;       // done, or as if
    std::optional<UnixTime> well;  // like its peers since
    std::optional<UnixTime> gone;  // no target since
    std::string answer;            // the latest that was passed on
  };
  struct Refusal {
    std::string reason;
    std::size_t times = 0;
  };

  void Consider(const IncidentRecord& incident, const ActContext& context, std::vector<Act>& acts);
  void Release(const ActContext& context, std::vector<Act>& acts);
  // Why not; empty: nothing speaks against it.
  [[nodiscard]] std::string Objection(const IncidentRecord& incident,
                                      const ActContext& context) const;
  // The disk has been read after the trial began, and was not slow; or it is none.
  [[nodiscard]] bool ReadsWell(const Acted& acted, const ActContext& context);
  [[nodiscard]] std::string QuorumObjection(const std::string& node,
                                            const ActContext& context) const;
  [[nodiscard]] std::set<std::string> ActedNodes(UnixTime now) const;
  static void SetTaken(const std::string& document, Acted& acted);
  [[nodiscard]] Act Make(const IncidentRecord& incident, ActStep step, UnixTime now);

  ActionSettings settings_;
  std::map<std::string, Acted> acted_;       // by incident; until it is released
  std::map<std::string, Refusal> refused_;   // what was told, by incident and step
  std::deque<UnixTime> begun_;               // of the last day
  std::map<std::string, UnixTime> touched_;  // by node: the latest act
  std::set<std::string> wanted_;
};

}  // namespace limpet
