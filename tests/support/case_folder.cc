#include "tests/support/case_folder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "diagnoser/detect/default_presets.h"
#include "exporter/common/exposition/codec.h"

namespace limpet::testing {
namespace {

using Json = nlohmann::json;

std::string ReadAll(const std::filesystem::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

GroupKind KindOf(const std::string& name) {
  if (name == "storage") {
    return GroupKind::kStorage;
  }
  return name == "network" ? GroupKind::kNetwork : GroupKind::kCwnd;
}

PeerGroupRule RuleOf(const Json& group) {
  PeerGroupRule rule;
  rule.name = group.at("name");
  rule.kind = KindOf(group.at("kind"));
  rule.roles = group.at("roles").get<std::vector<std::string>>();
  rule.device = group.value("device", "");
  rule.ports = group.value("ports", std::vector<std::uint16_t>());
  return rule;
}

Thresholds ThresholdsOf(const Json& file, const std::string& preset) {
  Thresholds thresholds;
  thresholds.preset = preset;
  for (const auto& [group, metrics] : file.items()) {
    for (const auto& [metric, value] : metrics.items()) {
      if (value.is_number()) {
        thresholds.cwnd[group][metric] = value.get<double>();
        continue;
      }
      for (const auto& [component, threshold] : value.items()) {
        thresholds.components[group][metric][component] = threshold.get<double>();
      }
    }
  }
  return thresholds;
}

std::vector<std::string> LinesOf(const std::string& path) {
  const auto bytes = ReadAll(path);
  const auto text = Decode(SniffEncoding(bytes), bytes,
                           {.max_output = DecodeLimits::kNone, .max_ratio = DecodeLimits::kNone});
  if (!text) {
    throw std::runtime_error(path + ": " + text.error().Text());
  }
  std::vector<std::string> lines;
  std::istringstream stream(text->text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

// Evidence tells more than the other implementation does; everything else has the same keys.
bool MayHaveMore(const std::string& path) { return path.find(".evidence[") != std::string::npos; }

void Compare(const Json& expected, const Json& found, const std::string& path,
             std::vector<std::string>& differences) {
  const auto differ = [&] {
    differences.push_back(path + ": expected " + expected.dump() + ", found " + found.dump());
  };
  if (expected.is_number() && found.is_number()) {
    const auto a = expected.get<double>();
    const auto b = found.get<double>();
    if (!(std::abs(a - b) <= 1e-9 * (1 + std::max(std::abs(a), std::abs(b))))) {
      differ();
    }
  } else if (expected.is_object() && found.is_object() &&
             (expected.size() == found.size() || MayHaveMore(path))) {
    for (const auto& [key, value] : expected.items()) {
      if (!found.contains(key)) {
        differences.push_back(path + ": no key " + key);
      } else {
        Compare(value, found.at(key), path + "." + key, differences);
      }
    }
  } else if (expected.is_array() && found.is_array() && expected.size() == found.size()) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      Compare(expected[i], found[i], path + "[" + std::to_string(i) + "]", differences);
    }
  } else if (expected != found) {
    differ();
  }
}

}  // namespace

std::vector<std::string> CaseFoldersIn(const std::string& root) {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (std::filesystem::exists(entry.path() / "config.json")) {
      folders.push_back(entry.path().string());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

namespace {

// The names in the case's model.json.
HostMetric HostMetricOf(const std::string& name) {
  const std::map<std::string, std::string> kOurs = {{"runq", "runq-sz"},
                                                    {"plist", "plist-sz"},
                                                    {"ldavg", "ldavg-1"},
                                                    {"rx", "eth-rxbyt"},
                                                    {"tx", "eth-txbyt"}};
  const auto found = kOurs.find(name);
  return HostMetricByName(found == kOurs.end() ? name : found->second).value();
}

}  // namespace

ProfileModel LoadProfileModel(const std::string& path) {
  const auto json = Json::parse(ReadAll(path));
  ProfileModel model;
  for (const auto& name : json.at("metrics")) {
    model.metrics.push_back(HostMetricOf(name));
  }
  model.sigma = json.at("sigma").get<std::vector<double>>();
  for (std::size_t i = 0; i < json.at("mu").size(); ++i) {
    Profile profile{.mean = json.at("mu")[i].get<std::vector<double>>(), .covariance = {}};
    for (const auto& row : json.at("Sigma")[i]) {
      const auto values = row.get<std::vector<double>>();
      profile.covariance.insert(profile.covariance.end(), values.begin(), values.end());
    }
    model.profiles.push_back(std::move(profile));
  }
  model.threshold = json.at("threshold");
  model.trained = true;
  return model;
}

std::vector<std::string> ReadCaseLines(const std::string& path) { return LinesOf(path); }

// The cases were made when `default` was what is called bare now; their events say default.
PresetSettings PresetOfCase(const std::string& name) {
  auto preset = name == "default" ? BarePreset() : PresetByName(name).value();
  preset.name = name;
  return preset;
}

CaseFolder LoadCase(const std::string& folder) {
  const std::filesystem::path root(folder);
  const auto json = Json::parse(ReadAll(root / "config.json"));
  CaseFolder result;
  result.name = root.filename().string();
  auto preset = PresetOfCase(json.at("preset").get<std::string>());
  preset.cwnd_events = json.at("cwnd_events");
  if (const auto& options = json.at("options"); options.contains("noise_floor")) {
    for (const auto& [metric, floor] : options.at("noise_floor").items()) {
      preset.noise_floor[metric] = floor.get<double>();
    }
  }
  for (const auto& group : json.at("groups")) {
    result.config.groups.push_back(RuleOf(group));
  }
  if (std::filesystem::exists(root / "thresholds.json")) {
    result.config.thresholds.push_back(
        ThresholdsOf(Json::parse(ReadAll(root / "thresholds.json")), preset.name));
  }
  if (std::filesystem::exists(root / "trained.json")) {
    result.trained = ThresholdsOf(Json::parse(ReadAll(root / "trained.json")), preset.name);
  }
  result.config.presets.push_back(std::move(preset));
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    const auto name = entry.path().filename().string();
    if (name.ends_with(".om.zst")) {
      result.recordings.push_back(entry.path().string());
    } else if (name.starts_with("expected.jsonl")) {
      result.expected = LinesOf(entry.path().string());
    }
  }
  std::sort(result.recordings.begin(), result.recordings.end());
  return result;
}

namespace {

// Ours names the group twice, for the release in which `group` becomes `peer_group`.
void WithoutPeerGroup(Json& event) {
  if (event.is_object() && event.contains("peer_group") &&
      event.at("peer_group") == event.value("group", Json())) {
    event.erase("peer_group");
  }
  if (event.is_structured()) {
    for (auto& part : event) {
      WithoutPeerGroup(part);
    }
  }
}

}  // namespace

std::string Differences(const std::vector<std::string>& expected,
                        const std::vector<std::string>& found, std::size_t most) {
  std::vector<std::string> differences;
  if (expected.size() != found.size()) {
    differences.push_back("expected " + std::to_string(expected.size()) + " events, found " +
                          std::to_string(found.size()));
  }
  for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i) {
    auto event = Json::parse(found[i]);
    WithoutPeerGroup(event);
    Compare(Json::parse(expected[i]), event, "event " + std::to_string(i), differences);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(most, differences.size()); ++i) {
    text += differences[i] + "\n";
  }
  return text;
}

}  // namespace limpet::testing
