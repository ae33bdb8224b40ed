#include "diagnoser/facts/fact_readings.h"

#include <algorithm>
#include <array>
#include <utility>

namespace limpet {
namespace {

constexpr std::string_view kDev = "/dev/";
// Only file systems on disks: those in memory are neither full nor read-only in a way that matters.
bool IsOfFilesystem(FactSeries what) {
  return (what >= FactSeries::kFilesystemSize && what <= FactSeries::kReadOnly) ||
         what == FactSeries::kFilesystemDeviceError;
}

// Interfaces without a cable, by the names that container networks, hypervisors and tunnels give
// them: node_exporter does not tell which are virtual. Theirs come and go with what uses them.
bool IsVirtual(std::string_view interface) {
  constexpr std::array<std::string_view, 21> kBeginnings = {
      "veth", "docker", "br-",   "virbr",  "vnet",    "tap",   "tun",
      "cali", "cilium", "lxc",   "cni",    "flannel", "kube-", "dummy",
      "ifb",  "wg",     "vxlan", "geneve", "gre",     "ovs",   "podman"};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](std::string_view beginning) { return interface.starts_with(beginning); });
}

// What needs rights that the exporter lacks says nothing about the machine. node_exporter has a
// file system that it may not look at among those with an error.
bool IsOurOwnLack(const FactReadings::Series& series) {
  const auto reason = series.Label("reason");
  return (series.what == FactSeries::kUnreadable && reason != "hangs" && reason != "error") ||
         (series.what == FactSeries::kFilesystemDeviceError &&
          series.Label("device_error").find("permission denied") != std::string_view::npos);
}

std::string_view FindLabel(const LabelPairs& labels, std::string_view name) {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const auto& label) { return label.first == name; });
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

// Nobody can tell apart more than one source of a node by these.
constexpr std::string_view kOwnSource = " ";

}  // namespace

std::string_view FactReadings::Series::Label(std::string_view name) const {
  return FindLabel(labels, name);
}

std::optional<std::uint32_t> FactReadings::Resolve(const SeriesOrigin& origin) {
  const auto& labels = origin.labels;
  Series series{.what = static_cast<FactSeries>(origin.field.index),
                .device = std::string(FindLabel(labels, "device")),
                .labels = labels,
                .at = {}};
  // A recording says of each series whose it is.
  const auto node = origin.source.node.empty() ? FindLabel(labels, "instance") : origin.source.node;
  if (node.empty() || (IsOfFilesystem(series.what) && !series.device.starts_with(kDev))) {
    return std::nullopt;
  }
  if (IsOurOwnLack(series) ||
      (series.what == FactSeries::kCarrierChanges && IsVirtual(series.device))) {
    return std::nullopt;
  }
  // As the ports' bytes are called (mapping/directory.cc).
  const auto port = FindLabel(labels, "port");
  if (series.what >= FactSeries::kPortState && series.what <= FactSeries::kPortEvents &&
      !port.empty()) {
    series.device.append("/").append(port);
  }
  if (series.device.starts_with(kDev)) {
    series.device.erase(0, kDev.size());
  }
  return Insert(node, origin.target, std::move(series));
}

std::optional<std::uint32_t> FactReadings::Insert(std::string_view node,
                                                  std::string_view source_name, Series series) {
  auto page_key = std::string(node) + '\n' + std::string(source_name);
  auto key = page_key + '\n' + std::to_string(static_cast<int>(series.what));
  for (const auto& [name, value] : series.labels) {
    key.append("\n").append(name).append("=").append(value);
  }
  if (const auto known = index_.find(key); known != index_.end()) {
    return known->second;
  }
  if (index_.size() >= kMaxSeries) {
    return std::nullopt;
  }
  auto& mine = nodes_[std::string(node)].series;
  if (mine.size() >= kMaxPerNode) {
    return std::nullopt;
  }
  const auto page =
      page_of_.emplace(std::move(page_key), static_cast<std::uint32_t>(pages_.size()));
  if (page.second) {
    pages_.emplace_back();
  }
  const auto number = static_cast<std::uint32_t>(series_.size());
  Kept kept{
      .series = std::move(series), .page = page.first->second, .base_at = {}, .next_base_at = {}};
  series_.push_back(std::move(kept));
  index_.emplace(std::move(key), number);
  mine.push_back(number);
  return number;
}

void FactReadings::Count(Kept& kept, UnixTime at, double value) {
  auto& series = kept.series;
  if (series.at == UnixTime()) {
    kept.base_at = kept.next_base_at = at;
  } else if (at - kept.next_base_at >= kRiseSpan) {
    kept.base = kept.next_base;
    kept.base_at = kept.next_base_at;
    kept.next_base = kept.total;
    kept.next_base_at = series.at;
  }
  kept.total += kept.course.Add(at, value).value_or(0);
  series.rise = kept.total - kept.base;
  series.span = at - kept.base_at;
}

void FactReadings::Add(std::uint32_t series, UnixTime at, double value) {
  auto& kept = series_[series];
  auto& mine = kept.series;
  if (!kept.live || at <= mine.at) {
    return;
  }
  pages_[kept.page] = std::max(pages_[kept.page], at);
  mine.has_changed = mine.has_changed || (mine.at != UnixTime() && mine.value != value);
  Count(kept, at, value);
  mine.value = value;
  mine.at = at;
}

void FactReadings::AddByName(std::string_view node, std::string_view source_name, Series series) {
  const auto at = series.at;
  const auto value = series.value;
  series.at = {};
  if (const auto number = Insert(node, source_name, std::move(series))) {
    Add(*number, at, value);
  }
}

void FactReadings::AddSpeed(std::string_view node, std::string_view device, UnixTime at,
                            double value) {
  AddByName(node, kOwnSource,
            {.what = FactSeries::kSpeed,
             .device = std::string(device),
             .labels = {{"device", std::string(device)}},
             .value = value,
             .at = at});
}

void FactReadings::AddKernel(std::string_view node, std::string_view release, UnixTime at) {
  AddByName(node, kOwnSource,
            {.what = FactSeries::kKernel,
             .device = {},
             .labels = {{"release", std::string(release)}},
             .value = 1,
             .at = at});
}

std::vector<const FactReadings::Series*> FactReadings::Of(std::string_view node,
                                                          UnixTime now) const {
  std::vector<const Series*> current;
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) {
    return current;
  }
  for (const auto number : found->second.series) {
    const auto& kept = series_[number];
    const auto page = pages_[kept.page];
    if (kept.series.at != UnixTime() && page - kept.series.at <= kSamePage &&
        now - page <= kSilent) {
      current.push_back(&kept.series);
    }
  }
  return current;
}

void FactReadings::Forget(std::string_view node) {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) {
    return;
  }
  for (const auto number : found->second.series) {
    series_[number].live = false;
  }
  nodes_.erase(found);
  std::erase_if(index_, [&](const auto& one) { return !series_[one.second].live; });
}

void FactReadings::Tidy(UnixTime before) {
  std::vector<Kept> kept;
  std::vector<std::optional<std::uint32_t>> moved(series_.size());
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (series_[i].live && series_[i].series.at >= before) {
      moved[i] = static_cast<std::uint32_t>(kept.size());
      kept.push_back(std::move(series_[i]));
    }
  }
  series_ = std::move(kept);
  std::erase_if(index_, [&](const auto& one) { return !moved[one.second]; });
  for (auto& [key, number] : index_) {
    number = *moved[number];
  }
  for (auto& [name, node] : nodes_) {
    std::vector<std::uint32_t> numbers;
    for (const auto number : node.series) {
      if (moved[number]) {
        numbers.push_back(*moved[number]);
      }
    }
    node.series = std::move(numbers);
  }
  std::erase_if(nodes_, [](const auto& node) { return node.second.series.empty(); });
}

}  // namespace limpet
