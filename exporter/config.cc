#include "exporter/config.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "exporter/common/exposition/catalog.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

using yaml::MapReader;

constexpr Duration kLeastInterval = std::chrono::milliseconds(100);
constexpr Duration kMostInterval = std::chrono::minutes(1);
constexpr std::int64_t kMany = 1'000'000;

template <class T>
void Set(T& target, std::optional<T> value) {
  if (value) {
    target = *std::move(value);
  }
}

void Set(std::size_t& target, std::optional<std::int64_t> value) {
  if (value) {
    target = static_cast<std::size_t>(*value);
  }
}

void ReadDevices(MapReader& map, DeviceFilterOptions& devices) {
  Set(devices.include, map.Regex("device_include"));
  if (auto exclude = map.Regex("device_exclude")) {
    devices.exclude = *std::move(exclude);
  }
}

void ReadDisk(MapReader map, DiskOptions& disk) {
  Set(disk.enabled, map.Bool("enabled"));
  ReadDevices(map, disk.devices);
  Set(disk.gauges, map.Bool("gauges"));
  Set(disk.identity_refresh, map.Time("identity_refresh", std::chrono::seconds(1)));
  Set(disk.mount_refresh, map.Time("mount_refresh", std::chrono::seconds(1)));
  map.RefuseUnknown();
}

void ReadNet(MapReader map, NetOptions& net) {
  Set(net.enabled, map.Bool("enabled"));
  ReadDevices(map, net.devices);
  Set(net.gauges, map.Bool("gauges"));
  Set(net.speed_refresh, map.Time("speed_refresh", std::chrono::seconds(1)));
  map.RefuseUnknown();
}

void ReadTcp(MapReader map, TcpOptions& tcp) {
  Set(tcp.enabled, map.Bool("enabled"));
  for (const auto& text : map.Texts("ports")) {
    const auto range = ParsePortRange(text);
    if (range) {
      tcp.ports.push_back(*range);
    } else {
      map.Refuse("ports", "expected ports such as 2049 or 49152-49251, got \"" + text + "\"");
    }
  }
  Set(tcp.per_socket, map.Bool("per_socket"));
  Set(tcp.max_sockets, map.Integer("max_sockets", 1, kMany));
  Set(tcp.max_peers, map.Integer("max_peers", 1, kMany));
  Set(tcp.exclude_loopback, map.Bool("exclude_loopback"));
  Set(tcp.network_namespace, map.Text("network_namespace"));
  Set(tcp.interval, map.Time("interval", kLeastInterval));
  Set(tcp.max_interval, map.Time("max_interval", kLeastInterval));
  Set(tcp.cpu_share, map.Number("cpu_share", 1e-4, 1));
  map.RefuseUnknown();
}

void ReadEnabled(MapReader map, bool& enabled) {
  Set(enabled, map.Bool("enabled"));
  map.RefuseUnknown();
}

void ReadCollectors(MapReader map, CollectorOptions& options) {
  ReadDisk(map.Map("disk"), options.disk);
  ReadNet(map.Map("net"), options.net);
  ReadEnabled(map.Map("netstat"), options.netstat.enabled);
  ReadTcp(map.Map("tcp"), options.tcp);
  ReadEnabled(map.Map("host"), options.host.enabled);
  ReadEnabled(map.Map("self"), options.self.enabled);
  map.RefuseUnknown();
}

void ReadRecord(MapReader map, RecordOptions& record) {
  Set(record.output_dir, map.Text("output_dir"));
  Set(record.instance, map.Text("instance"));
  Set(record.role, map.Text("role"));
  if (const auto level = map.Integer("compression_level", 1, 19)) {
    record.compression_level = static_cast<int>(*level);
  }
  Set(record.flush_interval, map.Time("flush_interval", std::chrono::seconds(1)));
  if (record.flush_interval > kLongestFlush) {
    map.Refuse("flush_interval", "expected at most 60s, so that a crash loses no more");
  }
  const auto known = AllMetrics();
  for (auto& name : map.Texts("metrics")) {
    if (std::none_of(known.begin(), known.end(),
                     [&](const MetricInfo* info) { return info->name == name; })) {
      map.Refuse("metrics",
                 "expected names of docs/metrics.md without their prefix, got \"" + name + "\"");
    }
    record.metrics.push_back(std::move(name));
  }
  map.RefuseUnknown();
}

void ReadRoot(MapReader& root, Settings& settings) {
  auto sampling = root.Map("sampling");
  Set(settings.interval, sampling.Time("interval", kLeastInterval));
  if (settings.interval > kMostInterval) {
    sampling.Refuse("interval", "expected at most 1m");
  }
  sampling.RefuseUnknown();

  ReadCollectors(root.Map("collectors"), settings.collectors);
  ReadRecord(root.Map("record"), settings.record);

  auto paths = root.Map("paths");
  Set(settings.collectors.procfs, paths.Text("procfs"));
  Set(settings.collectors.sysfs, paths.Text("sysfs"));
  paths.RefuseUnknown();

  auto web = root.Map("web");
  if (auto addresses = web.Texts("listen_addresses"); !addresses.empty()) {
    settings.listen_addresses = std::move(addresses);
  }
  Set(settings.web_config_file, web.Text("config_file"));
  web.RefuseUnknown();

  if (const auto level = root.OneOf("log_level", {"debug", "info", "warning", "error"})) {
    settings.log_level = *ParseLogLevel(*level);
  }
  Set(settings.node_exporter_names, root.Bool("node_exporter_names"));
  root.RefuseUnknown();
}

}  // namespace

Result<Settings> ParseSettings(std::string_view text, const std::string& file) {
  const auto tree = yaml::Parse(text, file);
  if (!tree) {
    return tree.error();
  }
  yaml::Problems problems{.file = file, .texts = {}};
  MapReader root(&*tree, "", problems);
  Settings settings;
  ReadRoot(root, settings);
  for (const auto& problem : Check(settings)) {
    problems.Add(0, "", problem);
  }
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.Joined(), ""};
  }
  settings.text = text;
  return settings;
}

std::vector<std::string> Check(const Settings& settings) {
  std::vector<std::string> problems;
  const auto& tcp = settings.collectors.tcp;
  if (tcp.interval > tcp.max_interval) {
    problems.emplace_back("collectors.tcp.interval: expected at most collectors.tcp.max_interval");
  }
  if (settings.record.role.empty()) {
    problems.emplace_back("record.role: expected a text that is not empty, such as server");
  }
  return problems;
}

}  // namespace limpet
