#include "diagnoser/state/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "diagnoser/detect/preset_fields.h"
#include "diagnoser/state/find_named.h"
#include "exporter/common/hash.h"

namespace limpet {
namespace {

// Every value stands with its name, so that no two rules look alike; names with their lengths,
// because they may hold any character.
std::string Describe(const PeerGroupRule& group) {
  auto text = fmt::format("|kind={};device={}:{}", static_cast<int>(group.kind),
                          group.device.size(), group.device);
  for (const auto& role : group.roles) {
    fmt::format_to(std::back_inserter(text), ";role={}:{}", role.size(), role);
  }
  for (const auto& label : group.labels) {
    fmt::format_to(std::back_inserter(text), ";label={}:{}:{}:{}:{}", label.name.size(), label.name,
                   label.negate, label.regex.size(), label.regex);
  }
  // Added when it is there, so that older states stay good.
  if (group.recent > Duration::zero()) {
    fmt::format_to(std::back_inserter(text), ";recent={}:{}", group.recent.count(),
                   group.recent_of);
  }
  if (group.per_node) {
    text += ";per=node";
  }
  if (!group.kind_of.empty()) {
    text += ";kind=" + group.suffix;
  }
  for (const auto port : group.ports) {
    fmt::format_to(std::back_inserter(text), ";port={}", port);
  }
  return text;
}

std::string Describe(const CustomJoin& join) {
  auto text = fmt::format(";join={}", join.series);
  for (const auto& on : join.on) {
    text += ",on=" + on;
  }
  return text;
}

// Names of series and labels hold no character that would make two rows look alike.
std::string Describe(const CustomMetric& metric) {
  auto text = fmt::format("|custom={};{};{};factor={};side={};floor={};count={};add={}",
                          static_cast<int>(metric.shape), metric.series, metric.count,
                          metric.factor, static_cast<int>(metric.direction), metric.noise_floor,
                          metric.min_count, metric.add_up);
  for (const auto& label : metric.labels) {
    fmt::format_to(std::back_inserter(text), ";label={}:{}:{}:{}", label.name, label.negate,
                   label.regex.size(), label.regex);
  }
  for (const auto& label : metric.component) {
    text += ";component=" + label;
  }
  text += Describe(metric.node.join) + ";node=" + metric.node.label + Describe(metric.peers.join);
  for (const auto& label : metric.peers.same) {
    text += ";same=" + label;
  }
  text += metric.asks.empty() ? "" : ";asks=" + metric.asks;
  return text;
}

}  // namespace

std::string_view MetricOfGroup(std::string_view group) { return group.substr(0, group.find(':')); }

// Groups of metrics are known by their data alone, and stand under the metric's row.
std::optional<std::uint64_t> FindFingerprint(const PipelineConfig& config, std::string_view preset,
                                             std::string_view group) {
  const auto* const settings = FindNamed(config.presets, preset);
  if (settings == nullptr) {
    return std::nullopt;
  }
  if (const auto* const rule = FindNamed(config.groups, group)) {
    return Fingerprint(*settings, *rule);
  }
  const auto* const metric = FindNamed(config.custom, MetricOfGroup(group));
  return metric == nullptr ? std::nullopt : std::optional(Fingerprint(*settings, *metric));
}

std::uint64_t Fingerprint(const PresetSettings& preset) {
  return Fnv1a64(DescribeForState(preset));
}

std::uint64_t Fingerprint(const ProfileModel& model) {
  // A threshold that is trained anew must not cost the histograms.
  auto labels = model;
  labels.threshold = 0;
  labels.trained = false;
  return Fnv1a64(PrintProfileModel(labels, {}));
}

std::uint64_t Fingerprint(const PresetSettings& preset, const PeerGroupRule& group) {
  return Fnv1a64(DescribeForState(preset) + Describe(group));
}

std::uint64_t Fingerprint(const PresetSettings& preset, const CustomMetric& metric) {
  return Fnv1a64(DescribeForState(preset) + Describe(metric));
}

}  // namespace limpet
