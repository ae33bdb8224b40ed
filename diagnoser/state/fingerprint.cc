#include "diagnoser/state/fingerprint.h"

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "diagnoser/detect/preset_fields.h"
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

}  // namespace

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

}  // namespace limpet
