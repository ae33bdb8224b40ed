// open_incidents.h: who was indicted when there was nothing to compare any more.
//
// With fewer than three comparable members nobody can be told from the others, and a server that
// has too few readings itself cannot either. That a verdict stops then does not mean that the
// server has recovered: its incident stays open as unknown until it has been compared again for
// long enough to flag it, or leaves the group.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/verdict/events.h"

namespace limpet {

// The incident of one server under one preset; survives a restart.
struct OpenIncident {
  std::string preset;
  std::string node;
  Cause cause = Cause::kNone;
  std::vector<std::string> groups;  // of its evidence
  UnixTime judged;                  // its last verdict
  std::optional<UnixTime> unknown;  // when it last could not be judged
  std::string group;                // that was too small then, or did not have it
};

// "two peers are not enough".
[[nodiscard]] std::string_view WhyUnknown(const UnknownEvent& unknown);

class OpenIncidents {
 public:
  // The standing of one peer group in its last windows. nullopt: the node is no member of it, or it
  // has closed no window yet.
  struct Standing {
    std::size_t comparable = 0;
    bool enough = true;    // at least three, at the fastest time scale
    bool compared = true;  // the node is one of them
  };
  using FindStanding =
      std::function<std::optional<Standing>(const std::string& node, const std::string& group)>;

  // Returns, after the verdicts at `end`, those that are unknown, by name. `again`: how long a
  // server must have been compared before silence means health. The same instant may come twice.
  [[nodiscard]] std::vector<UnknownEvent> Update(UnixTime end,
                                                 std::span<const VerdictEvent> verdicts,
                                                 Duration again, const FindStanding& find);

  // Those that are unknown: the others follow from the windows.
  [[nodiscard]] std::vector<OpenIncident> Export() const;
  void Restore(OpenIncident incident);

 private:
  std::map<std::string, OpenIncident> open_;  // by node
};

}  // namespace limpet
