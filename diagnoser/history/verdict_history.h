// verdict_history.h: which server had which verdict from when to when, with what stood behind it.
//
// A verdict that holds at every window end is one record, with the evidence of its worst window.
// What is over the bounds is forgotten, those that ended first before others.
// Threads: one at a time; records do not change and may be handed to others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "diagnoser/verdict/events.h"
#include "diagnoser/view/peer_band.h"
#include "diagnoser/view/view_types.h"
#include "exporter/common/time.h"

namespace limpet {

struct VerdictRecord {
  std::string id;  // 16 hexadecimal digits; of preset, node, cause and begin, so a replay of the
                   // same data has the same. A restart begins another record.
  UnixTime begin;  // first window end
  UnixTime since;  // when it began in the data
  UnixTime named;  // first window end at which it was indicted, if it was
  UnixTime last;   // last window end with it
  std::optional<UnixTime> end;              // first window end without it
  bool indicted = false;                    // at least once
  std::optional<std::string> secondary_to;  // now, or at its end: the worst server of the preset
  std::size_t rank = 0;                     // the same
  VerdictEvent worst;                       // of the largest degree, the latest of those
  // Bands of the windows that made the flags of `worst`, as far as they were kept.
  std::vector<std::shared_ptr<const PeerBand>> bands;

  [[nodiscard]] std::size_t Bytes() const;
};
using VerdictPtr = std::shared_ptr<const VerdictRecord>;

[[nodiscard]] std::string VerdictId(const std::string& preset, const std::string& node, Cause cause,
                                    UnixTime begin);

class VerdictHistory {
 public:
  static constexpr std::size_t kMaxChanges = 256;  // kept for viewers

  VerdictHistory(Duration duration, std::size_t max_bytes)
      : duration_(duration), max_bytes_(max_bytes) {}

  void SetBounds(Duration duration, std::size_t max_bytes);
  // Takes what the view says now; `bands` of the latest windows.
  void Update(const PipelineView& view, const std::vector<std::shared_ptr<const PeerBand>>& bands);

  // Returns verdicts by begin.
  [[nodiscard]] std::vector<VerdictPtr> Snapshot() const;
  // Returns how many changes there have been; the latest are in Latest, oldest first.
  [[nodiscard]] std::uint64_t Changes() const { return changes_; }
  [[nodiscard]] const std::deque<VerdictPtr>& Latest() const { return latest_; }
  [[nodiscard]] std::size_t Bytes() const { return bytes_; }
  // The end of the latest record that was dropped; nullopt: none was.
  [[nodiscard]] std::optional<UnixTime> DroppedUntil() const { return dropped_until_; }

 private:
  using Key = std::tuple<std::string, std::string, Cause>;  // preset, node, cause

  void Continue(const VerdictEvent& verdict, const std::optional<std::string>& secondary_to,
                const std::vector<std::shared_ptr<const PeerBand>>& bands);
  void EndOthers(const PipelineView& view);
  void Replace(VerdictPtr& slot, VerdictRecord record);
  void Trim();

  Duration duration_;
  std::size_t max_bytes_;
  std::size_t bytes_ = 0;
  std::uint64_t changes_ = 0;
  UnixTime newest_;
  std::optional<UnixTime> dropped_until_;
  std::map<Key, VerdictPtr> open_;
  std::deque<VerdictPtr> ended_;  // by end
  std::deque<VerdictPtr> latest_;
};

}  // namespace limpet
