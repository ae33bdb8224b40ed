#include "diagnoser/evidence/windows/bimodality_check.h"

#include <algorithm>
#include <utility>

#include "diagnoser/verdict/bimodality.h"

namespace limpet {
namespace {

BimodalityEvent::Kind DescribeKind(const std::vector<std::string>& components, double median,
                                   std::vector<std::string> values) {
  BimodalityEvent::Kind kind{.n = components.size(), .median = median, .components = components};
  kind.components.resize(std::min(components.size(), BimodalityEvent::kMaxNamed));
  values.resize(std::min(values.size(), BimodalityEvent::kMaxNamed));
  kind.values = std::move(values);
  return kind;
}

// "sd" of "sda", "dm-" of "dm-3": what kind of device a name says it is. The letters after "sd"
// only count; digits do after any other.
std::string FindPrefix(const std::string& device) {
  const auto digits = device.find_first_of("0123456789");
  const bool letters = device.starts_with("sd") || device.starts_with("vd") ||
                       device.starts_with("xvd") || device.starts_with("hd");
  return letters ? device.substr(0, device.find('d') + 1) : device.substr(0, digits);
}

PeerLabels FindLabels(const Member& member, const CheckedGroup& group) {
  // A whole node that is slow, or of another kind, is told by its name.
  PeerLabels labels = {{std::string(kNodeLabel), member.node}};
  for (const auto number : member.entities) {
    const auto& entity = group.directory->Entities(KindRow(group.kind).entity)[number];
    labels.insert(entity.labels.begin(), entity.labels.end());
    if (!entity.role.empty()) {
      labels.emplace("role", entity.role);
    }
    // No label, but what operators go by: nvme beside sd tells two generations apart.
    labels.emplace("device prefix", FindPrefix(entity.device));
  }
  return labels;
}

std::vector<PeerMedian> FindMedians(std::size_t metric, const CheckedGroup& group,
                                    const DayMeans& day) {
  const auto medians = day.Medians(metric);
  std::vector<PeerMedian> peers;
  for (const auto& member : group.members->members) {
    const auto median = medians.find(member.name);
    if (median != medians.end()) {
      peers.push_back({.component = member.name,
                       .median = median->second,
                       .labels = FindLabels(member, group)});
    }
  }
  return peers;
}

}  // namespace

std::vector<BimodalityEvent> CheckBimodality(UnixTime end, const CheckedGroup& group,
                                             const DayMeans& day, const PresetSettings& preset) {
  const auto metrics = Metrics(group.kind);
  std::vector<BimodalityEvent> events;
  for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
    const auto& name = metrics[metric].name;
    const auto found = FindTwoKinds(FindMedians(metric, group, day), preset.NoiseFloor(name));
    if (!found) {
      continue;
    }
    const auto label = found->label.value_or(SplittingLabel());
    events.push_back({.end = end,
                      .preset = preset.name,
                      .group = *group.name,
                      .metric = std::string(name),
                      .separation = found->separation,
                      .low = DescribeKind(found->low, found->low_median, label.low),
                      .high = DescribeKind(found->high, found->high_median, label.high),
                      .label = label.name,
                      .agreement = label.agreement});
  }
  return events;
}

}  // namespace limpet
