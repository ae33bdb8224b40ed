#include "diagnoser/state/profiles.h"

#include <string>
#include <utility>

#include "diagnoser/state/tails.h"

namespace limpet {
namespace {

constexpr double kMaxCount = 101;     // sum of 0.99^n, and rounding
constexpr double kMaxWeight = 10.01;  // sum of 0.9^n, and rounding
constexpr double kLargest = 1e300;    // sample

bool IsIn(double value, double most) { return value >= 0 && value <= most; }

void WriteNode(const ProfileNodeMemory& node, ByteWriter& out) {
  const auto& history = node.history;
  out.Fixed(static_cast<std::uint64_t>(history.labelled), 8);
  out.Count(history.alarms.in_a_row);
  out.Double(history.alarms.weight);
  out.Count(history.counts.size());
  for (const double count : history.counts) {
    out.Double(count);
  }
  out.Count(node.label.value_or(0));  // labels begin at 1
  for (const double value : node.average) {
    out.Double(value);
  }
}

// `labels` is how many the nodes before have had. `last`: no label came after it.
std::optional<ProfileNodeMemory> ReadNode(ByteReader& in, std::optional<std::uint64_t>& labels,
                                          double last) {
  ProfileNodeMemory node;
  auto& history = node.history;
  history.labelled = static_cast<std::int64_t>(in.Fixed(8));
  const auto in_a_row = in.Count();
  history.alarms.weight = in.Double();
  const auto counts = in.Count();
  if (in.Failed() || counts > in.Left() / sizeof(double) || labels.value_or(counts) != counts ||
      in_a_row > UINT32_MAX || history.labelled < 0 ||
      static_cast<double>(history.labelled) > last || !IsIn(history.alarms.weight, kMaxWeight)) {
    return std::nullopt;
  }
  history.alarms.in_a_row = static_cast<std::uint32_t>(in_a_row);
  // All nodes count the same profiles; how many there must be only the model knows.
  labels = counts;
  for (std::uint64_t i = 0; i < counts; ++i) {
    history.counts.push_back(in.Double());
    if (!IsIn(history.counts.back(), kMaxCount)) {
      return std::nullopt;
    }
  }
  const auto label = in.Count();
  if (label > counts) {
    return std::nullopt;
  }
  node.label = label > 0 ? std::optional(static_cast<std::size_t>(label)) : std::nullopt;
  for (double& value : node.average) {
    value = in.Double();
    // Nobody has a negative load; anything over kLargest would overflow a mean.
    if (!IsMissing(value) && !IsIn(value, kLargest)) {
      return std::nullopt;
    }
  }
  return node;
}

}  // namespace

void WriteProfiles(const ProfileMemory& memory, ByteWriter& out) {
  out.Fixed(Nanoseconds(*memory.second), 8);
  out.Count(memory.nodes.size());
  for (const auto& [name, node] : memory.nodes) {
    out.Text(name);
    WriteNode(node, out);
  }
  out.Fixed(static_cast<std::uint64_t>(memory.counting_since), 8);
  out.Count(memory.counts.size());
  for (const auto& count : memory.counts) {
    out.Fixed(static_cast<std::uint64_t>(count.second), 8);
    out.Count(count.labels);
    out.Count(count.unknown);
  }
}

std::optional<ProfileMemory> ReadProfiles(ByteReader& in) {
  ProfileMemory memory;
  memory.second = ReadInstant(in);
  const auto last = memory.second ? ToSeconds(memory.second->time_since_epoch()) : 0.0;
  const auto nodes = in.Count();
  std::optional<std::uint64_t> labels;
  for (std::uint64_t i = 0; i < nodes && !in.Failed(); ++i) {
    const std::string name(in.Text());
    auto node = ReadNode(in, labels, last);
    if (!node) {
      return std::nullopt;
    }
    memory.nodes[name] = std::move(*node);
  }
  memory.counting_since = static_cast<std::int64_t>(in.Fixed(8));
  const auto counts = in.Count();
  if (!memory.second || counts > static_cast<std::uint64_t>(UnknownRatio::kSeconds) ||
      memory.counting_since < 0 || static_cast<double>(memory.counting_since) > last) {
    return std::nullopt;
  }
  // In order and within bounds, or the ratio of unknown ones could be anything.
  std::int64_t before = 0;
  for (std::uint64_t i = 0; i < counts; ++i) {
    const UnknownRatio::Second count{.second = static_cast<std::int64_t>(in.Fixed(8)),
                                     .labels = static_cast<std::size_t>(in.Count()),
                                     .unknown = static_cast<std::size_t>(in.Count())};
    if (in.Failed() || count.second <= before || static_cast<double>(count.second) > last ||
        count.labels > UINT32_MAX || count.unknown > count.labels) {
      return std::nullopt;
    }
    before = count.second;
    memory.counts.push_back(count);
  }
  return in.Failed() ? std::nullopt : std::optional(std::move(memory));
}

void WriteHostEntity(const HostEntityState& entity, ByteWriter& out) {
  // In the form of kind 4, so that one reader checks both; what sockets have stays empty.
  WriteEntity({.kind = entity.kind,
               .entity = entity.entity,
               .counters = entity.tail.counters,
               .cwnd = {},
               .other = {}},
              out);
  for (const auto& gauge : entity.tail.gauges) {
    WriteReadings(gauge, out);
  }
  out.Fixed(entity.tail.first ? 1 : 0, 1);
  out.Fixed(entity.tail.first ? Nanoseconds(*entity.tail.first) : 0, 8);
}

std::optional<HostEntityState> ReadHostEntity(ByteReader& in, std::size_t& bins_left) {
  auto entity = ReadEntity(in, 1, bins_left);  // one grid, of seconds
  if (!entity) {
    return std::nullopt;
  }
  HostEntityState state{.kind = entity->kind, .entity = std::move(entity->entity), .tail = {}};
  state.tail.counters = std::move(entity->counters);
  for (auto& gauge : state.tail.gauges) {
    if (!ReadReadings(in, gauge)) {
      return std::nullopt;
    }
  }
  const bool has_first = in.Fixed(1) != 0;
  const auto first = ReadInstant(in);
  if (!first) {
    return std::nullopt;
  }
  // The instant is written either way, as 0 when there is none.
  state.tail.first = has_first ? first : std::nullopt;
  return state;
}

}  // namespace limpet
