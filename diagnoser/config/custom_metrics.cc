#include "diagnoser/config/custom_metrics.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "diagnoser/mapping/builtin.h"
#include "diagnoser/metrics/catalog.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::int64_t kMostRequests = 1'000'000'000;
constexpr std::size_t kMaxName = 64;

bool IsName(std::string_view name, std::string_view also = "") {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz_0123456789";
  return !name.empty() && name.size() <= 2 * kMaxName &&
         std::ranges::none_of(name.substr(0, 1), [](char c) { return c >= '0' && c <= '9'; }) &&
         std::ranges::all_of(name, [&](char c) {
           return kLetters.find(c) != std::string_view::npos ||
                  also.find(c) != std::string_view::npos;
         });
}

constexpr std::string_view kOfSeries = "ABCDEFGHIJKLMNOPQRSTUVWXYZ:";
constexpr std::string_view kOfLabels = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

// The name of a series that the diagnosis does not compare by itself; empty after a problem.
std::string ReadSeries(yaml::MapReader& from, std::string_view key) {
  const auto name = from.Text(key);
  if (!name) {
    if (!from.Has(key)) {
      from.Refuse(key, "expected the name of a series");
    }
    return {};
  }
  if (!IsName(*name, kOfSeries)) {
    from.Refuse(key, "expected the name of a series, got \"" + *name + "\"");
    return {};
  }
  if (const auto field = FindField(*name); field && field->kind != Whose(FactSeries{})) {
    from.Refuse(key, "the diagnosis reads " + *name +
                         " by itself (docs/metrics.md); expected another series");
    return {};
  }
  return *name;
}

// Labels of series and of targets alike.
std::vector<std::string> ReadLabels(yaml::MapReader& from, std::string_view key) {
  auto labels = from.Texts(key);
  for (const auto& label : labels) {
    if (!IsName(label, kOfLabels)) {
      from.Refuse(key, "expected names of labels, got \"" + label + "\"");
    }
  }
  return labels;
}

// Neither key makes sense without the other.
CustomJoin ReadJoin(yaml::MapReader& from) {
  CustomJoin join;
  if (from.Has("join")) {
    join.series = ReadSeries(from, "join");
  }
  join.on = ReadLabels(from, "on");
  if (from.Has("join") && join.on.empty()) {
    from.Refuse("on", "expected the labels that both series have, such as [ceph_daemon]");
  } else if (!from.Has("join") && from.Has("on")) {
    from.Refuse("join", "expected the info series that has the labels");
  }
  return join;
}

// {label: hostname} or {join: SERIES, on: [LABELS], label: hostname}.
CustomLabel ReadLabel(yaml::MapReader& entry, std::string_view key) {
  CustomLabel result;
  if (!entry.Has(key)) {
    return result;
  }
  auto from = entry.Map(key);
  result.join = ReadJoin(from);
  result.label = from.Text("label").value_or("");
  if (!IsName(result.label, kOfLabels)) {
    from.Refuse("label", "expected the name of a label, such as hostname");
  }
  from.RefuseUnknown();
  return result;
}

// The shape is the key itself, so that none can be forgotten.
void ReadSeriesOf(yaml::MapReader& entry, CustomMetric& metric) {
  constexpr std::array<std::pair<std::string_view, CustomShape>, 4> kShapes = {
      {{"counter", CustomShape::kCounter},
       {"gauge", CustomShape::kGauge},
       {"mean", CustomShape::kMean},
       {"histogram", CustomShape::kHistogram}}};
  auto from = entry.Map("series");
  std::size_t found = 0;
  for (const auto& [key, shape] : kShapes) {
    if (!from.Has(key)) {
      continue;
    }
    ++found;
    metric.shape = shape;
    if (shape == CustomShape::kMean) {
      auto mean = from.Map(key);
      metric.series = ReadSeries(mean, "sum");
      metric.count = ReadSeries(mean, "count");
      mean.RefuseUnknown();
    } else {
      metric.series = ReadSeries(from, key);
    }
  }
  from.RefuseUnknown();
  if (found != 1) {
    entry.Refuse("series",
                 "expected one of {counter: NAME}, {gauge: NAME}, {mean: {sum: NAME, count: "
                 "NAME}}, {histogram: NAME}");
  }
  if (metric.shape == CustomShape::kHistogram && metric.series.ends_with(kBucketSuffix)) {
    from.Refuse("histogram", "expected the name without " + std::string(kBucketSuffix));
  }
}

// How many of a unit are in a second, or in a byte.
std::optional<double> PerSecond(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits = {
      {{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"\u00b5s", 1e6}, {"ns", 1e9}}};
  const auto* const found = std::ranges::find(kUnits, unit, &decltype(kUnits)::value_type::first);
  return found == kUnits.end() ? std::nullopt : std::optional(found->second);
}

// "2ms", "0.002", "1MiB" of a metric in bytes; nullopt for anything else.
std::optional<double> ParseFloor(std::string_view text, std::string_view unit) {
  if (const auto number = ParseDouble(text)) {
    return number;
  }
  if (const auto per_second = PerSecond(unit)) {
    // Durations of a configuration are whole; the smallest floors are given as numbers.
    const auto duration = yaml::ParseDuration(text);
    return duration ? std::optional(ToSeconds(*duration) * *per_second) : std::nullopt;
  }
  if (unit == "B" || unit == "B/s") {
    constexpr std::array<std::pair<std::string_view, double>, 6> kBytes = {{{"KiB", 1024},
                                                                            {"MiB", 1048576},
                                                                            {"GiB", 1073741824},
                                                                            {"kB", 1e3},
                                                                            {"MB", 1e6},
                                                                            {"GB", 1e9}}};
    for (const auto& [suffix, bytes] : kBytes) {
      if (text.ends_with(suffix)) {
        const auto number = ParseDouble(text.substr(0, text.size() - suffix.size()));
        return number ? std::optional(*number * bytes) : std::nullopt;
      }
    }
  }
  return std::nullopt;
}

// After the unit, which says what the number is.
void ReadFloor(yaml::MapReader& entry, CustomMetric& metric) {
  const auto text = entry.Text("noise_floor");
  if (!text) {
    return;
  }
  const auto floor = ParseFloor(*text, metric.unit);
  if (!floor || !(*floor >= 0)) {
    entry.Refuse("noise_floor", std::string("expected a number in the metric's unit") +
                                    (PerSecond(metric.unit) ? " or a duration such as 2ms" : "") +
                                    ", got \"" + *text + "\"");
  }
  metric.noise_floor = floor.value_or(0);
}

Cause ReadCause(yaml::MapReader& entry) {
  std::vector<std::string> names;
  for (const auto& row : CauseRows()) {
    names.emplace_back(row.name);
  }
  const auto name = entry.OneOf("cause", names);
  return name ? FindCauseByName(*name)->cause : kCauseOfMetrics;
}

void ReadHow(yaml::MapReader& entry, CustomMetric& metric) {
  const auto direction = entry.OneOf("direction", {"high", "low", "both"}).value_or("high");
  metric.direction = direction == "high"  ? Direction::kHigh
                     : direction == "low" ? Direction::kLow
                                          : Direction::kNone;
  ReadFloor(entry, metric);
  if (const auto least = entry.Integer("min_count", 1, kMostRequests)) {
    metric.min_count = static_cast<std::size_t>(*least);
  }
  metric.add_up = entry.Bool("add_up").value_or(false);
  metric.cause = ReadCause(entry);
  metric.beside = entry.Text("beside").value_or("");
  metric.trial = entry.Bool("trial").value_or(false);
}

// What tells who asks is compared with nothing, so that no key about comparing means anything.
void ReadAsks(yaml::MapReader& entry, CustomMetric& metric) {
  metric.asks = entry.Text("asks").value_or("");
  if (!entry.Has("asks")) {
    return;
  }
  if (!IsName(metric.asks, kOfLabels)) {
    entry.Refuse("asks", "expected the label that says who asks, such as jobid");
  }
  if (metric.shape != CustomShape::kCounter) {
    entry.Refuse("series", "expected {counter: NAME} beside asks");
  }
  for (const auto* key :
       {"direction", "min_count", "cause", "beside", "trial", "peers", "add_up"}) {
    if (entry.Has(key)) {
      entry.Refuse(key, "is not used: a metric with asks is compared with nothing");
    }
  }
}

CustomMetric ReadMetric(yaml::MapReader& entry) {
  CustomMetric metric;
  metric.name = entry.Text("name").value_or("");
  if (!IsName(metric.name) || metric.name.size() > kMaxName) {
    entry.Refuse("name", "expected small letters, digits and _, such as osd_commit_latency");
  } else if (FindMetric(metric.name) != nullptr) {
    entry.Refuse("name", "the diagnosis has a metric of its own with the name " + metric.name);
  }
  metric.text = entry.Text("text").value_or(metric.name);
  metric.unit = entry.Text("unit").value_or("");
  ReadSeriesOf(entry, metric);
  for (const auto& [name, regex] : entry.RegexMap("labels")) {
    metric.labels.push_back({.name = name, .regex = regex});
  }
  for (const auto& [name, regex] : entry.RegexMap("not_labels")) {
    metric.labels.push_back({.name = name, .regex = regex, .negate = true});
  }
  if (const auto factor = entry.Number("factor")) {
    if (!(*factor > 0)) {
      entry.Refuse("factor", "expected a number over 0");
    }
    metric.factor = *factor > 0 ? *factor : 1;
  }
  metric.component = ReadLabels(entry, "component");
  metric.node = ReadLabel(entry, "node");
  metric.device = ReadLabel(entry, "device");
  if (entry.Has("peers")) {
    auto peers = entry.Map("peers");
    metric.peers.join = ReadJoin(peers);
    metric.peers.same = ReadLabels(peers, "same");
    if (metric.peers.same.empty()) {
      peers.Refuse("same", "expected the labels whose values peers share, such as [pool]");
    }
    peers.RefuseUnknown();
  }
  ReadHow(entry, metric);
  ReadAsks(entry, metric);
  entry.RefuseUnknown();
  return metric;
}

// Names are those of files, events and state: each stands for one metric.
void ReadRows(yaml::MapReader& top, std::vector<CustomMetric>& metrics) {
  for (auto& entry : top.Maps("metrics")) {
    auto metric = ReadMetric(entry);
    if (std::ranges::find(metrics, metric.name, &CustomMetric::name) != metrics.end()) {
      entry.Refuse("name", "the name " + metric.name + " is taken by another metric");
    }
    if (metrics.size() == kMaxCustomMetrics) {
      entry.Refuse("name", "expected at most " + std::to_string(kMaxCustomMetrics) + " metrics");
      return;
    }
    metrics.push_back(std::move(metric));
  }
}

void ReadFile(std::string_view text, const std::string& file, std::vector<CustomMetric>& metrics,
              std::vector<std::string>& problems) {
  const auto root = yaml::Parse(text, file);
  if (!root) {
    problems.push_back(root.error().Text());
    return;
  }
  yaml::Problems its{.file = file, .texts = {}};
  yaml::MapReader top(&*root, "", its);
  if (!top.Has("metrics")) {
    top.Refuse("metrics", "expected a list of metrics");
  }
  ReadRows(top, metrics);
  top.RefuseUnknown();
  std::ranges::move(its.texts, std::back_inserter(problems));
}

}  // namespace

std::vector<CustomMetric> ReadCustomMetrics(yaml::MapReader& top, const ReadTextFile& read_file,
                                            yaml::Problems& problems) {
  std::vector<CustomMetric> metrics;
  for (const auto& file : top.Texts("metric_files")) {
    if (const auto text = read_file(file)) {
      ReadFile(*text, file, metrics, problems.texts);
    } else {
      top.Refuse("metric_files", text.error().Text());
    }
  }
  ReadRows(top, metrics);
  for (const auto& metric : metrics) {
    const bool known =
        metric.beside.empty() || FindMetric(metric.beside) != nullptr ||
        std::ranges::find(metrics, metric.beside, &CustomMetric::name) != metrics.end();
    if (!known) {
      top.Refuse("metrics", "metric " + metric.name +
                                ": beside: expected the name of a metric, got \"" + metric.beside +
                                "\"");
    }
  }
  return metrics;
}

Result<std::vector<CustomMetric>> ParseMetricFile(std::string_view text, const std::string& file) {
  std::vector<CustomMetric> metrics;
  yaml::Problems problems{.file = file, .texts = {}};
  ReadFile(text, file, metrics, problems.texts);
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.Joined(), ""};
  }
  return metrics;
}

}  // namespace limpet
