#include "diagnoser/detect/thresholds.h"

#include <cmath>
#include <utility>
#include <vector>

#include "diagnoser/detect/stats.h"
#include "exporter/common/text.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

constexpr double kLeastF = 0.05;
constexpr double kMostF = 0.95;

std::optional<double> NumberOf(const yaml::Node& node) {
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

void ReadComponents(const yaml::Node& root, Thresholds& thresholds, yaml::Problems& problems) {
  ForEach(root, "thresholds", problems, [&](const auto& group, const yaml::Node& metrics) {
    ForEach(metrics, "thresholds." + group, problems,
            [&](const auto& metric, const yaml::Node& of) {
              const auto path = "thresholds." + group + "." + metric;
              ForEach(of, path, problems, [&](const auto& component, const yaml::Node& value) {
                const auto number = NumberOf(value);
                if (!number || *number <= 0) {
                  problems.Add(value.line, path + "." + component, "expected a number over 0");
                  return;
                }
                thresholds.components[group][metric][component] = *number;
              });
            });
  });
}

void ReadCwnd(const yaml::Node& root, Thresholds& thresholds, yaml::Problems& problems) {
  ForEach(root, "cwnd", problems, [&](const auto& group, const yaml::Node& sides) {
    ForEach(sides, "cwnd." + group, problems, [&](const auto& side, const yaml::Node& value) {
      const auto number = NumberOf(value);
      if (!number || *number < kLeastF || *number > kMostF) {
        problems.Add(value.line, "cwnd." + group + "." + side,
                     "expected a number from 0.05 to 0.95");
        return;
      }
      thresholds.cwnd[group][side] = *number;
    });
  });
}

}  // namespace

std::optional<double> Thresholds::Find(std::string_view group, std::string_view metric,
                                       std::string_view component) const {
  const auto of_group = components.find(group);
  if (of_group == components.end()) {
    return std::nullopt;
  }
  const auto of_metric = of_group->second.find(metric);
  if (of_metric == of_group->second.end() || of_metric->second.empty()) {
    return std::nullopt;
  }
  const auto found = of_metric->second.find(component);
  if (found != of_metric->second.end()) {
    return found->second;
  }
  std::vector<double> all;
  for (const auto& [name, threshold] : of_metric->second) {
    all.push_back(threshold);
  }
  return Median(std::move(all));
}

std::optional<double> Thresholds::FindCwnd(std::string_view group, std::string_view metric) const {
  const auto of_group = cwnd.find(group);
  if (of_group == cwnd.end()) {
    return std::nullopt;
  }
  const auto found = of_group->second.find(metric);
  return found == of_group->second.end() ? std::nullopt : std::optional(found->second);
}

Result<Thresholds> ParseThresholds(std::string_view text, const std::string& file) {
  const auto root = yaml::Parse(text, file);
  if (!root) {
    return root.error();
  }
  yaml::Problems problems{.file = file, .texts = {}};
  Thresholds thresholds;
  yaml::MapReader reader(&*root, "", problems);
  const auto version = reader.Integer("version", 1, 1);
  if (!version && problems.empty()) {
    problems.Add(root->line, "version", "expected 1");
  }
  const auto preset = reader.Text("preset");
  if (!preset && problems.empty()) {
    problems.Add(root->line, "preset", "expected the name of the preset that was trained");
  }
  thresholds.preset = preset.value_or("");
  if (const auto* components = root->Find("thresholds")) {
    ReadComponents(*components, thresholds, problems);
  }
  if (const auto* cwnd = root->Find("cwnd")) {
    ReadCwnd(*cwnd, thresholds, problems);
  }
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.Joined(), ""};
  }
  return thresholds;
}

}  // namespace limpet
