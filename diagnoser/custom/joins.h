// joins.h: labels that info series (ceph_osd_metadata, nfs_mount_info) have of components.
//
// The newest info series counts: a component that moved has another one from then on. Two that say
// different things at once, on one page or on two targets' pages, decide nothing.
// Bounds:  kMaxInfos series of all names, half of them of one source.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diagnoser/custom/metric.h"
#include "exporter/common/exposition/parser.h"
#include "exporter/common/time.h"

namespace limpet {

// Returns the values of the labels in the order of the names; empty where a label is missing.
[[nodiscard]] std::vector<std::string> LabelValues(const LabelPairs& labels,
                                                   const std::vector<std::string>& names);

enum class JoinOutcome : std::uint8_t { kFound, kNone, kTwo };

struct JoinedLabels {
  JoinOutcome outcome = JoinOutcome::kNone;
  std::vector<std::string> values;  // in the order asked for; of kFound
};

class CustomJoins {
 public:
  static constexpr std::size_t kMaxInfos = 100'000;
  // Two sources that tell different things within this are at odds.
  static constexpr Duration kAtOdds = std::chrono::minutes(2);

  // Info series of the join's name that are added later can be found by its labels `on`.
  void Expect(const CustomJoin& join);
  // The number of the info series; nullopt: there is no room.
  [[nodiscard]] std::optional<std::uint32_t> Add(std::string_view name, LabelPairs labels,
                                                 std::uint32_t source);
  // A reading; one of 0 says that it does not hold.
  void Came(std::uint32_t info, UnixTime at, double value);

  // The labels `wanted` of the info series whose labels `on` have these values.
  [[nodiscard]] JoinedLabels Find(const CustomJoin& join, const std::vector<std::string>& on,
                                  const std::vector<std::string>& wanted) const;
  // Forgets what has had no reading since `before`. The numbers of the others stay.
  void Tidy(UnixTime before);
  [[nodiscard]] std::size_t Size() const { return live_; }

 private:
  struct Info {
    std::string name;
    LabelPairs labels;
    std::uint32_t source = 0;
    std::optional<UnixTime> last;
    bool live = true;
  };
  [[nodiscard]] static std::string KeyOf(const CustomJoin& join,
                                         const std::vector<std::string>& values);

  std::vector<Info> infos_;
  std::vector<std::uint32_t> free_;
  std::vector<CustomJoin> joins_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> index_;  // by join and values
  std::map<std::uint32_t, std::size_t> by_source_;
  std::size_t live_ = 0;
};

}  // namespace limpet
