// frame.h: one picture of all nodes at one instant, a byte a value: what viewers of the live page
// are sent the changes of.
//
// Threads: values; a Frame does not change once it is published.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/history/activity.h"
#include "diagnoser/history/cluster.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/view/node_rates.h"
#include "exporter/common/time.h"

namespace limpet {

// linear: low + value / 255 * (high - low). log: 0 for 0, else low * (high / low) ^ ((value - 1) /
// 254). index: the value itself.
enum class ScaleKind : std::uint8_t { kLinear, kLog, kIndex };

struct ColumnRow {
  std::string_view name;
  std::string_view unit;
  std::string_view text;
  ScaleKind scale;
  double low;
  double high;
};

enum class Column : std::uint8_t {
  kLoad,
  kUtil,
  kSpace,
  kDiskRead,
  kDiskWrite,
  kNetIn,
  kNetOut,
  kMetadata,
  kSmallWrites,
  kLargeWrites,
  kCpu,
  kSystemLoad,
  kDegree,
  kCause,
  kUp,
};
inline constexpr std::size_t kColumns = 15;
// In the order of the enumerators.
[[nodiscard]] std::span<const ColumnRow, kColumns> ColumnRows();

inline constexpr std::int16_t kUnknown = -1;
// 0 to 255; kUnknown for kMissing.
[[nodiscard]] std::int16_t Quantised(const ColumnRow& column, double value);
// Returns the value that 0 to 255 stands for.
[[nodiscard]] double Dequantised(const ColumnRow& column, std::int16_t quantised);

struct Frame {
  std::uint64_t id = 0;  // Unix time in milliseconds at which it was made: unique over restarts
  UnixTime time;         // of the data
  std::shared_ptr<const Cluster> cluster;
  std::uint64_t verdict_changes = 0;  // VerdictHistory::Changes then
  std::vector<std::int16_t> values;   // kColumns of each node of the cluster

  [[nodiscard]] std::span<const std::int16_t> Row(std::size_t node) const {
    return std::span(values).subspan(node * kColumns, kColumns);
  }
};

// The state of a node, beside its rates.
struct NodeState {
  double degree = kMissing;  // the largest of its components; over 1: flagged
  Cause cause = Cause::kNone;
};
using NodeStates = std::map<std::string, NodeState, std::less<>>;

// Readings that are looked at less often than a frame is made.
struct SlowReadings {
  std::shared_ptr<const ActivityStep> activity;  // the latest; null: there is none
  std::map<std::string, double> used_space;      // 0 to 1
};

// Makes a frame without id and time.
[[nodiscard]] Frame MakeFrame(std::shared_ptr<const Cluster> cluster,
                              std::span<const NodeRates> rates, const NodeStates& states,
                              const KnownNodes& known, const SlowReadings& slow = {});

}  // namespace limpet
