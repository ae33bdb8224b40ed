// cwnd_watch.h: the congestion windows of all groups that have them, one second after the other.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/evidence/config.h"
#include "diagnoser/evidence/packets/cwnd_seconds.h"
#include "diagnoser/evidence/windows/preset_run.h"

namespace limpet {

class CwndWatch {
 public:
  explicit CwndWatch(const PipelineConfig& config);

  // The next second to look at, after `first`, the first reading of the input; UnixTime::max()
  // without such groups.
  [[nodiscard]] UnixTime Next(UnixTime first) const;
  // Looks at `second`, and passes over as many silent ones as follow it, up to `horizon`. The
  // events: one a side and group, when a preset of `runs` asks for them.
  [[nodiscard]] std::vector<Event> Observe(UnixTime second, UnixTime horizon,
                                           const PipelineConfig& config, const Directory& directory,
                                           Readings& readings, const std::vector<PresetRun>& runs);
  // The last second that was looked at, or passed over.
  [[nodiscard]] std::optional<UnixTime> Done() const { return done_; }

  void ForgetLinks();  // the masks have changed
  void Forget(std::string_view node);

  // Returns groups by number.
  [[nodiscard]] const std::map<std::uint32_t, CwndSeconds>& Groups() const { return groups_; }

  // Returns what a restart needs, by group.
  [[nodiscard]] std::map<std::string, CwndTail> Tails(const PipelineConfig& config) const;
  // `done`: the last second looked at, `tails` what it left.
  void Resume(std::optional<UnixTime> done, const std::map<std::string, CwndTail>& tails,
              const PipelineConfig& config);

 private:
  std::map<std::uint32_t, CwndSeconds> groups_;
  std::optional<UnixTime> done_;
};

}  // namespace limpet
