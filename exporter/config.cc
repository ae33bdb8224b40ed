#include "exporter/config.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "exporter/catalog.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

using yaml::MapReader;

constexpr Duration kMinInterval = std::chrono::milliseconds(100);
constexpr Duration kMaxInterval = std::chrono::minutes(1);

// What a number of days or bytes may be at most; so much is no limit either.
constexpr std::int64_t kMaxDays = 100'000;
constexpr auto kMaxBytes = std::numeric_limits<std::int64_t>::max();

// 30 reads each time: more often than this they would be a load of their own.
constexpr Duration kMinProbeInterval = std::chrono::seconds(10);
constexpr Duration kMinProbeTimeout = std::chrono::seconds(1);
constexpr Duration kMaxProbeTimeout = std::chrono::minutes(1);

void ReadRetention(MapReader& map, RecordOptions& record) {
  if (const auto days = map.Integer("keep_days", 0, kMaxDays)) {
    record.keep_days = static_cast<std::uint64_t>(*days);
  }
  if (const auto bytes = map.Integer("max_bytes", 0, kMaxBytes)) {
    record.max_bytes = static_cast<std::uint64_t>(*bytes);
    if (*bytes != 0 && *record.max_bytes < kMinRecordingBytes) {
      map.Refuse("max_bytes", "expected 0 (no limit) or at least 1000000");
    }
  }
  SetIfGiven(record.fsync, map.Bool("fsync"));
}

void ReadRecord(MapReader map, RecordOptions& record) {
  SetIfGiven(record.dir, map.Text("dir"));
  SetIfGiven(record.output_dir, map.Text("output_dir"));
  ReadRetention(map, record);
  SetIfGiven(record.instance, map.Text("instance"));
  SetIfGiven(record.role, map.Text("role"));
  if (record.role.empty()) {
    map.Refuse("role", "expected a text that is not empty, such as server");
  }
  if (const auto form = map.OneOf("format", {"text", "columns"})) {
    record.format = *form == "text" ? RecordingForm::kText : RecordingForm::kColumns;
  }
  if (const auto level = map.Integer("compression_level", 1, 19)) {
    record.compression_level = static_cast<int>(*level);
  }
  SetIfGiven(record.flush_interval, map.Time("flush_interval", std::chrono::seconds(1)));
  if (record.flush_interval > kLongestFlush) {
    map.Refuse("flush_interval", "expected at most 60s, so that a crash loses no more");
  }
  // A misspelt name would record nothing, which shows only when the recording is needed.
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

void ReadProbe(MapReader map, ProbeOptions& probe) {
  SetIfGiven(probe.enabled, map.Bool("enabled"));
  SetIfGiven(probe.interval, map.Time("interval", kMinProbeInterval));
  SetIfGiven(probe.patience, map.Time("timeout", kMinProbeTimeout));
  if (probe.patience > kMaxProbeTimeout) {
    map.Refuse("timeout", "expected at most 1m");
  }
  map.RefuseUnknown();
}

void ReadRoot(MapReader& root, Settings& settings) {
  auto sampling = root.Map("sampling");
  SetIfGiven(settings.interval, sampling.Time("interval", kMinInterval));
  if (settings.interval > kMaxInterval) {
    sampling.Refuse("interval", "expected at most 1m");
  }
  SetIfGiven(settings.follow_scrapes, sampling.Bool("follow_scrapes"));
  sampling.RefuseUnknown();
  // Each part refuses its unknown keys: a misspelt one must not silently mean the default.

  settings.collectors = ReadCollectors(root.Map("collectors"));
  ReadRecord(root.Map("record"), settings.record);
  ReadProbe(root.Map("probe"), settings.probe);

  auto paths = root.Map("paths");
  SetIfGiven(settings.procfs, paths.Text("procfs"));
  SetIfGiven(settings.sysfs, paths.Text("sysfs"));
  SetIfGiven(settings.devfs, paths.Text("devfs"));
  paths.RefuseUnknown();

  auto web = root.Map("web");
  if (auto addresses = web.Texts("listen_addresses"); !addresses.empty()) {
    settings.listen_addresses = std::move(addresses);
  }
  SetIfGiven(settings.web_config_file, web.Text("config_file"));
  web.RefuseUnknown();

  if (const auto level = root.OneOf("log_level", {"debug", "info", "warning", "error"})) {
    settings.log_level = *ParseLogLevel(*level);
  }
  SetIfGiven(settings.node_exporter_names, root.Bool("node_exporter_names"));
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
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.Joined(), ""};
  }
  settings.text = text;
  return settings;
}

}  // namespace limpet
