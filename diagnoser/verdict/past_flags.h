// past_flags.h: flags of a slow time scale about a fault that is over.
//
// A window of half an hour is full of a fault that has ended. At long steps its flags would begin,
// and page, when the faster scales have let go of the server: a flag of a slower scale counts while
// a faster one flags the server too, when it has counted since before the faster ones let go of it,
// or when as many windows as make a flag have begun after that. And it would go on for as long: it
// ends when the faster scales have found nothing of it in as many windows in a row as make a flag
// of theirs (Look). Who is flagged again within a window after such an end has a fault that comes
// and goes, of which the slow scale knows better.
//
// Restart: nothing is saved; a flag that is there counts.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/verdict/events.h"
#include "exporter/common/time.h"

namespace limpet {

class PastFlags {
 public:
  using Flags = std::map<std::string, std::vector<Evidence>>;  // by node
  // What one scale has flagged in its last window.
  struct Scale {
    Duration window{};
    std::size_t k = 0;  // anomalous windows that make a flag
    UnixTime end;       // of that window
    const Flags* flags = nullptr;
  };
  // Returns by scale, in the order of `scales`, the flags that count at this instant. `scales` are
  // the same ones at each call.
  [[nodiscard]] std::vector<Flags> Select(std::span<const Scale> scales);

  // Called before Select with the windows that one scale, by its number there, has just closed; of
  // other events nothing is taken.
  void Look(std::size_t scale, Duration window, std::span<const Event> events);

 private:
  // Windows of a faster scale in a row in which there was nothing of a flag.
  struct Clear {
    std::size_t windows = 0;
    UnixTime since;  // the beginning of the first
  };
  // A flag that counts, and how it looks to the other scales.
  struct Watch {
    Evidence flag;             // as of its scale's last window
    std::vector<Clear> clear;  // by scale
  };
  struct Seen {
    bool counts = false;
    std::optional<UnixTime> last;   // end of the last window that flagged what makes a verdict
    std::vector<Watch> watches;     // of the flags that count
    std::optional<UnixTime> clear;  // since when there was nothing of flags that have ended so
    std::optional<UnixTime> ended;  // the window at whose end they did
    bool returns = false;           // and came back soon
  };
  // Returns the end of what the scale's flags of a node are about: when the faster scales let go of
  // it, or since when they are clear; nullopt: they flag it now, or have not of late.
  [[nodiscard]] static std::optional<UnixTime> LetGo(std::span<const Scale> scales,
                                                     std::size_t scale,
                                                     const std::vector<Seen>& seen);
  // Returns since when all faster scales are clear of all flags that are watched, if they are for
  // long enough.
  [[nodiscard]] static std::optional<UnixTime> ClearSince(std::span<const Scale> scales,
                                                          std::size_t scale, const Seen& seen);
  static void WatchFlags(const std::vector<Evidence>& flags, std::size_t scales, Seen& seen);
  // Returns whether the flags have ended now.
  [[nodiscard]] static bool EndClear(std::span<const Scale> scales, std::size_t scale, Seen& seen);

  std::map<std::string, std::vector<Seen>, std::less<>> nodes_;  // by scale
};

}  // namespace limpet
