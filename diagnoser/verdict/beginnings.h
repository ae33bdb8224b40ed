// beginnings.h: when each verdict of one preset began in the data, and when it was named.
//
// A verdict begins with the earliest onset of its evidence (detect/onset.h); where no onset is
// known, with the first of the anomalous windows that made its flag. Both instants stay as they are
// while the verdict, or its being unknown, goes on.
// Threads: one at a time.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/verdict/events.h"

namespace limpet {

// The begin of one verdict; survives a restart.
struct Beginning {
  std::string preset;
  std::string node;
  Cause cause = Cause::kNone;
  bool indicted = false;  // false: secondary so far
  UnixTime since;
  UnixTime named;  // a secondary server is named anew when it is indicted
  bool operator==(const Beginning&) const = default;
};

class Beginnings {
 public:
  // Sets `since` and `named` of all that holds at one window end, and forgets what does not.
  // `window`: how long one is.
  void Update(Duration window, std::vector<VerdictEvent>& verdicts,
              std::vector<UnknownEvent>& unknown);

  [[nodiscard]] std::vector<Beginning> Export() const;
  void Restore(Beginning beginning);

 private:
  using Key = std::pair<std::string, Cause>;  // node
  std::map<Key, Beginning> open_;
};

}  // namespace limpet
