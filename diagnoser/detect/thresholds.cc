#include "diagnoser/detect/thresholds.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

#include "diagnoser/detect/preset_fields.h"
#include "diagnoser/detect/training.h"
#include "diagnoser/series/stats.h"
#include "exporter/common/text.h"
#include "exporter/common/utf8.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxPresets = 1000;

std::optional<double> ReadNumber(const yaml::Node& node) {
  // A quoted number is a text to YAML, and was probably meant as one.
  if (node.kind != yaml::Node::Kind::kScalar || node.quoted) {
    return std::nullopt;
  }
  const auto number = ParseDouble(node.scalar);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

// Calls use(key, child) for each entry of a map; anything else is a problem.
template <class Use>
void ForEach(const yaml::Node& node, const std::string& path, yaml::Problems& problems,
             const Use& use) {
  if (node.kind == yaml::Node::Kind::kNull) {
    return;
  }
  if (node.kind != yaml::Node::Kind::kMap) {
    problems.Add(node.line, path, "expected a map");
    return;
  }
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    use(node.keys[i], node.items[i]);
  }
}

// `at` names the place in messages: "thresholds" or "presets[1].thresholds".
void ReadComponents(const yaml::Node& root, const std::string& at, Thresholds& thresholds,
                    yaml::Problems& problems) {
  ForEach(root, at, problems, [&](const auto& group, const yaml::Node& metrics) {
    ForEach(metrics, at + "." + group, problems, [&](const auto& metric, const yaml::Node& of) {
      const auto path = at + "." + group + "." + metric;
      ForEach(of, path, problems, [&](const auto& component, const yaml::Node& value) {
        const auto number = ReadNumber(value);
        // 0 would flag everybody in every window.
        if (!number || *number <= 0) {
          problems.Add(value.line, path + "." + component, "expected a number over 0");
          return;
        }
        thresholds.components[group][metric][component] = *number;
      });
    });
  });
}

void ReadCwnd(const yaml::Node& root, const std::string& at, Thresholds& thresholds,
              yaml::Problems& problems) {
  ForEach(root, at, problems, [&](const auto& group, const yaml::Node& sides) {
    const auto path = at + "." + group;
    ForEach(sides, path, problems, [&](const auto& side, const yaml::Node& value) {
      const auto number = ReadNumber(value);
      if (!number || *number < kMinCwndF || *number > kMaxCwndF) {
        problems.Add(value.line, path + "." + side, "expected a number from 0.05 to 0.95");
        return;
      }
      thresholds.cwnd[group][side] = *number;
    });
  });
}

Thresholds ReadOne(const yaml::Node& node, const std::string& path, yaml::Problems& problems) {
  Thresholds thresholds;
  yaml::MapReader reader(&node, path, problems);
  const auto preset = reader.Text("preset");
  if (!preset || preset->empty()) {
    problems.Add(node.line, path.empty() ? "preset" : path + ".preset",
                 "expected the name of the preset that was trained");
    return thresholds;
  }
  if (Printable(*preset) != *preset) {
    problems.Add(node.Find("preset")->line, path.empty() ? "preset" : path + ".preset",
                 "expected a name without control characters, found \"" + Printable(*preset) +
                     "\"; write the name that the configuration's presets have");
    return thresholds;
  }
  thresholds.preset = *preset;
  for (const auto& [key, value] : reader.TextMap("settings")) {
    thresholds.settings[key] = value;
  }
  const auto prefix = path.empty() ? path : path + ".";
  if (const auto* components = node.Find("thresholds")) {
    ReadComponents(*components, prefix + "thresholds", thresholds, problems);
  }
  if (const auto* cwnd = node.Find("cwnd")) {
    ReadCwnd(*cwnd, prefix + "cwnd", thresholds, problems);
  }
  thresholds.FillMedians();
  return thresholds;
}

double FindMedian(const Thresholds::ByName<double>& thresholds) {
  std::vector<double> all;
  for (const auto& [name, threshold] : thresholds) {
    all.push_back(threshold);
  }
  return Median(std::move(all));
}

// ParseSyscallTraining reads those.
bool OnlySystemCalls(const yaml::Node& root) {
  const auto has = [&](std::string_view key) { return root.Find(key) != nullptr; };
  return has("syscalls") && !has("preset") && !has("presets") && !has("thresholds") && !has("cwnd");
}

// "1s" and "1000ms" are the same.
bool SameSetting(const std::string& a, const std::string& b) {
  const auto time = yaml::ParseDuration(a);
  return a == b || (time && time == yaml::ParseDuration(b));
}

}  // namespace

MetricThresholds::Limit MetricThresholds::Find(std::string_view component) const {
  const auto found = components_->find(component);
  if (found == components_->end()) {
    return {.threshold = median_, .own = false};
  }
  return {.threshold = found->second, .own = true};
}

std::optional<MetricThresholds> Thresholds::FindMetric(std::string_view group,
                                                       std::string_view metric) const {
  const auto of_group = components.find(group);
  if (of_group == components.end()) {
    return std::nullopt;
  }
  const auto of_metric = of_group->second.find(metric);
  if (of_metric == of_group->second.end() || of_metric->second.empty()) {
    return std::nullopt;
  }
  if (const auto filled = medians.find(group); filled != medians.end()) {
    if (const auto median = filled->second.find(metric); median != filled->second.end()) {
      return MetricThresholds(of_metric->second, median->second);
    }
  }
  return MetricThresholds(of_metric->second, FindMedian(of_metric->second));
}

std::optional<double> Thresholds::Find(std::string_view group, std::string_view metric,
                                       std::string_view component) const {
  const auto thresholds = FindMetric(group, metric);
  return thresholds ? std::optional(thresholds->Find(component).threshold) : std::nullopt;
}

void Thresholds::FillMedians() {
  medians.clear();
  for (const auto& [group, metrics] : components) {
    for (const auto& [metric, of_metric] : metrics) {
      if (!of_metric.empty()) {
        medians[group][metric] = FindMedian(of_metric);
      }
    }
  }
}

std::optional<double> Thresholds::FindCwnd(std::string_view group, std::string_view metric) const {
  const auto of_group = cwnd.find(group);
  if (of_group == cwnd.end()) {
    return std::nullopt;
  }
  const auto found = of_group->second.find(metric);
  return found == of_group->second.end() ? std::nullopt : std::optional(found->second);
}

Thresholds::ByName<std::string> SettingsForTraining(const PresetSettings& preset) {
  Thresholds::ByName<std::string> settings;
  for (const auto& field : PresetFields()) {
    if (field.trained != nullptr && field.trained(preset)) {
      settings[std::string(field.key)] = PrintValue(field, preset);
    }
  }
  return settings;
}

// A setting that the file lacks is no reason to refuse it: older programs wrote fewer of them.
std::vector<std::string> OtherSettings(const Thresholds& thresholds, const PresetSettings& preset) {
  std::vector<std::string> texts;
  for (const auto& [key, now] : SettingsForTraining(preset)) {
    const auto then = thresholds.settings.find(key);
    if (then != thresholds.settings.end() && !SameSetting(then->second, now)) {
      texts.push_back(fmt::format("{} {}, which is {} now", key, then->second, now));
    }
  }
  return texts;
}

Result<std::vector<Thresholds>> ParseThresholds(std::string_view text, const std::string& file) {
  // Names are kept and written again: only what is a text comes back as it was.
  if (!IsUtf8(text)) {
    return Error{ErrorCode::kInvalid, "expected UTF-8", file};
  }
  const auto root = yaml::Parse(text, file, kMaxThresholdBytes);
  if (!root) {
    return root.error();
  }
  yaml::Problems problems{.file = file, .texts = {}};
  yaml::MapReader top(&*root, "", problems);
  const auto version = top.Integer("version", 1, 1);
  if (!version && problems.empty()) {
    problems.Add(root->line, "version", "expected 1");
  }
  std::vector<Thresholds> all;
  const auto* list = root->Find("presets");
  if (list == nullptr) {
    if (!OnlySystemCalls(*root)) {
      all.push_back(ReadOne(*root, "", problems));
    }
  } else if (list->kind != yaml::Node::Kind::kList || list->items.empty() ||
             list->items.size() > kMaxPresets) {
    problems.Add(list->line, "presets", "expected a list with one map for each preset");
  } else {
    std::set<std::string> names;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const auto path = fmt::format("presets[{}]", i);
      all.push_back(ReadOne(list->items[i], path, problems));
      // The later set would win unseen.
      if (!names.insert(all.back().preset).second) {
        problems.Add(list->items[i].line, path + ".preset",
                     "two sets of thresholds for \"" + all.back().preset + "\"");
      }
    }
  }
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.Joined(), ""};
  }
  return all;
}

}  // namespace limpet
