// cwnd_watch.h: the congestion windows of all groups that have them, one second after the other.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/evidence/config.h"
#include "diagnoser/evidence/evidence_source.h"
#include "diagnoser/evidence/packets/cwnd_seconds.h"

namespace limpet {

// Returns the limit of a side of a group, by the group's number; nullopt: no preset wants events.
using FindCwndLimit =
    std::function<std::optional<CwndLimit>(std::uint32_t group, std::string_view metric)>;

class CwndWatch final : public EvidenceSource {
 public:
  CwndWatch(const PipelineConfig& config, FindCwndLimit find_limit);

  [[nodiscard]] UnixTime Next(UnixTime first) const override;
  // Never nullopt. The events: one a side and group that has a limit.
  [[nodiscard]] std::optional<std::vector<Event>> Observe(const EvidenceMoment& now) override;
  // The last second that was looked at, or passed over.
  [[nodiscard]] std::optional<UnixTime> Done() const { return done_; }

  void SetMasked(const std::vector<std::string>& masked) override;
  void Forget(std::string_view node) override;

  // Returns groups by number.
  [[nodiscard]] const std::map<std::uint32_t, CwndSeconds>& Groups() const { return groups_; }

  // Returns what a restart needs, by group.
  [[nodiscard]] std::map<std::string, CwndTail> Tails(const PipelineConfig& config) const;
  // `done`: the last second looked at, `tails` what it left.
  void Resume(std::optional<UnixTime> done, const std::map<std::string, CwndTail>& tails,
              const PipelineConfig& config);

 private:
  FindCwndLimit find_limit_;
  std::map<std::uint32_t, CwndSeconds> groups_;
  std::optional<UnixTime> done_;
};

}  // namespace limpet
