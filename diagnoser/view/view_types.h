// view_types.h: what the pipeline shows of itself between two windows; publish turns it into pages.
//
// Threads: values, which may be handed to other threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/intake/counters.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/verdict/false_alarms.h"
#include "diagnoser/verdict/shared_parts.h"
#include "diagnoser/view/judgements.h"
#include "diagnoser/view/profile_status.h"
#include "exporter/common/time.h"

namespace limpet {

// Each is of the last closed window of its preset.
struct ComponentStatus {
  std::string preset;
  std::string group;
  std::string node;
  std::string device;  // empty for servers
  std::string metric;
  bool flagged = false;
  double degree = 0;             // filtered
  std::optional<double> effect;  // w1 only
  std::uint32_t accumulator = 0;
  std::optional<std::size_t> rank;  // 1 = largest degree of its group and metric; of those > 0
};
struct NodeStatus {
  std::string preset;
  std::string node;
  Cause cause = Cause::kNone;  // root cause, secondary or not
  bool indicted = false;       // has a cause and is not secondary
  bool unknown = false;        // it was indicted, and cannot be compared any more
  std::size_t rank = 0;        // 0 without a cause
  double degree = 0;
  std::map<std::string, LunKind> luns;  // "node/device"
};
struct GroupStatus {
  std::string preset;
  std::string group;
  std::optional<UnixTime> window_end;  // last closed window time
  std::size_t taking_part = 0;         // components in at least one metric of that window
  std::size_t missing = 0;             // known ones that took part in none
  std::size_t masked = 0;
  bool per_node = false;  // its components are compared within their nodes
};
// How a peer group compares one of its servers, at any time scale of the preset.
struct CoverageStatus {
  std::string preset;
  std::string group;
  std::string node;
  bool minor = false;  // of connections (idle ones cannot be compared) or of recent components
  std::optional<UnixTime> compared;  // end of the latest window that did
  bool enough = false;               // so many of them in a row that there could be a verdict
  std::optional<UnixTime> possible;  // not yet enough: when there may be
};
struct PresetStatus {
  std::string preset;
  // The first window end at which there may be a verdict; absent before the first reading.
  std::optional<UnixTime> first_verdict;
  std::optional<UnixTime> window_end;  // of the last window, whatever was compared in it
};
struct GroupMetricStatus {
  std::string preset;
  std::string group;
  std::string metric;
  bool storm = false;    // in the last window
  bool bimodal = false;  // over the last whole day
};
// The hourly list of one preset (verdict/persistence.h).
struct HourlyRows {
  std::string preset;
  std::string metric;
  std::vector<std::string> rows;
  bool operator==(const HourlyRows&) const = default;
};

// What a preset may be expected to flag among the healthy, all groups, metrics and scales together.
struct FalseAlarmStatus {
  std::string preset;
  FalseAlarmRate rate;
};
// A metric of the configuration: components of the last window that were compared or left out.
struct CustomMetricStatus {
  std::string name;
  std::string text;
  std::string unit;
  std::size_t compared = 0;       // components
  std::size_t no_node = 0;        // of which no info series tells the node or the peers
  std::size_t two_nodes = 0;      // of which two info series tell different ones
  std::size_t few_requests = 0;   // too few requests or samples
  std::size_t other_buckets = 0;  // of a histogram with other bounds than most
  std::size_t few_peers = 0;      // fewer than three to compare, or on two nodes
};
struct CustomStatus {
  std::size_t components = 0;
  std::uint64_t no_room = 0;   // series, since start
  std::uint64_t unnamed = 0;   // series without the labels that name a component
  std::uint64_t repeated = 0;  // readings of a component that another target tells of
  std::vector<CustomMetricStatus> metrics;
};
// Of a group whose disks are told apart by what they are.
struct DiskKindsStatus {
  std::string group;
  bool several = false;            // there is something to tell
  std::string kinds;               // "12 disks in two kinds: sda (system), sdb (data)"
  std::vector<std::string> alone;  // one a name: who is compared with nobody, and what to do
  bool operator==(const DiskKindsStatus&) const = default;
};
struct PipelineView {
  std::vector<DiskKindsStatus> disk_kinds;
  std::vector<ComponentStatus> components;  // by preset, group, metric, component
  std::vector<NodeStatus> nodes;            // every node of a group, by preset and name
  std::vector<GroupStatus> groups;          // by preset and group
  std::vector<CoverageStatus> coverage;     // by preset, group and node
  std::vector<PresetStatus> presets;        // that are no time scales
  std::vector<std::string> masked;          // "node" and "node/device"
  std::optional<UnixTime> last_reading;
  std::vector<GroupMetricStatus> metrics;      // by preset, group and metric
  std::vector<VerdictEvent> verdicts;          // of the last closed window time of each preset
  std::vector<FalseAlarmStatus> false_alarms;  // by preset; none while it is too early to say
  std::vector<UnknownEvent> unknown;           // the same
  std::vector<StormEvent> storms;              // the same
  std::vector<BimodalityEvent> bimodality;     // of the last whole day
  std::vector<SharedPart> shared_parts;        // that explain several of the verdicts
  // "node/device" → world-wide name, of the disks in the verdicts whose name is known.
  std::map<std::string, std::string> wwns;
  std::optional<ProfileStatus> profiles;
  bool syscalls = false;               // some node tells of system calls
  bool round_trips = false;            // some preset compares them
  std::optional<CustomStatus> custom;  // with metrics of the configuration
  PipelineCounters counters;
  Judgements judgements;  // of what knows the targets and the time (judge_servers.h)
};

}  // namespace limpet
