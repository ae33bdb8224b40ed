#include "diagnoser/state/fingerprint.h"

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "diagnoser/detect/preset_fields.h"

namespace limpet {
namespace {

// FNV-1a over a text in which every value stands with its name, so that no two settings look alike.
std::uint64_t Hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return hash;
}

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
  for (const auto port : group.ports) {
    fmt::format_to(std::back_inserter(text), ";port={}", port);
  }
  return text;
}

}  // namespace

std::uint64_t Fingerprint(const PresetSettings& preset) { return Hash(DescribeForState(preset)); }

std::uint64_t Fingerprint(const ProfileModel& model) {
  auto labels = model;
  labels.threshold = 0;
  labels.trained = false;
  return Hash(PrintProfileModel(labels, {}));
}

std::uint64_t Fingerprint(const PresetSettings& preset, const PeerGroupRule& group) {
  return Hash(DescribeForState(preset) + Describe(group));
}

}  // namespace limpet
