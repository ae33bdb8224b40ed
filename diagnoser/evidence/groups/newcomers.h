// newcomers.h: which components are too new to be compared with the others.
//
// A new disk is filled, a new server takes over data: for a while they do other work than their
// peers. A component is recent when it was first seen less than a rule's `recent` ago by the time
// of the data. What was there when the diagnosis first began, or came within its first window, is
// not. Threads: one at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "diagnoser/mapping/members.h"
#include "diagnoser/series/readings.h"
#include "exporter/common/time.h"

namespace limpet {

class Newcomers {
 public:
  using FirstSeen = std::map<std::string, UnixTime, std::less<>>;  // by component

  // `grace` after the first reading of all whoever comes is no newcomer. `most` components are
  // remembered; those beyond are not recent.
  Newcomers(Duration grace, std::size_t most) : grace_(grace), most_(most) {}

  // Records when the members of a group were first seen; those with a reading before `end`. True
  // when somebody is yet to be recorded.
  bool Record(const GroupMembers& members, EntityKind kind, const Readings& readings, UnixTime end);
  // The members that a group with this rule has at `end`; `born` is the first reading of all.
  [[nodiscard]] GroupMembers Select(const GroupMembers& all, const PeerGroupRule& rule,
                                    UnixTime born, UnixTime end) const;
  // A span in which each instant to the next Select gives the same.
  struct Span {
    UnixTime from = UnixTime::min();
    UnixTime until = UnixTime::max();  // no longer in it
  };
  // The part of `span` around `end` in which nobody of the group grows out of being recent.
  [[nodiscard]] Span Narrow(Span span, const GroupMembers& all, const PeerGroupRule& rule,
                            UnixTime born, UnixTime end) const;

  [[nodiscard]] const FirstSeen& All() const { return first_seen_; }
  void Resume(FirstSeen first_seen) { first_seen_ = std::move(first_seen); }
  // Known from before, though not when from: not recent.
  void Remember(const std::string& component, UnixTime born) {
    first_seen_.emplace(component, born);
  }

  // Returns whether it was known.
  bool ForgetComponent(const std::string& component) { return first_seen_.erase(component) > 0; }
  // Returns how many components ("node/device") it has forgotten: those that are gone and were
  // first seen before `before`.
  std::size_t ForgetGone(const std::function<bool(const std::string&, const std::string&)>& is_gone,
                         UnixTime before);

 private:
  // Returns false for components that came within the grace after the first reading of all has been
  // there all along.
  [[nodiscard]] bool IsNewcomer(UnixTime first, UnixTime born) const {
    return first > born + grace_;
  }

  Duration grace_;
  std::size_t most_;
  FirstSeen first_seen_;
};

}  // namespace limpet
