#include "diagnoser/sources/target_groups.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

#include "exporter/common/utf8.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

using Json = nlohmann::json;

bool IsLabelName(std::string_view name) {
  const auto is_word = [](unsigned char c) { return c == '_' || std::isalnum(c) != 0; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), is_word);
}

std::string Quoted(std::string_view text) { return "\"" + std::string(text.substr(0, 80)) + "\""; }

// What both formats share once their own types are out of the way.
class Collector {
 public:
  // nullptr when there is no room for another group.
  TargetGroup* Begin(std::string where) {
    if (list_.groups.size() == kMaxGroups) {
      if (!full_) {
        Refuse(where, "more than " + std::to_string(kMaxGroups) + " groups; the rest is left out");
      }
      full_ = true;
      return nullptr;
    }
    list_.groups.push_back({.where = std::move(where), .targets = {}, .labels = {}});
    good_ = true;
    return &list_.groups.back();
  }
  void AddTarget(std::string_view text) {
    if (targets_ == kMaxListTargets) {
      RefuseGroup("targets",
                  "more than " + std::to_string(kMaxListTargets) + " targets in one list");
      return;
    }
    ++targets_;
    list_.groups.back().targets.emplace_back(text);
  }
  void AddLabel(const std::string& name, std::string_view value) {
    auto& labels = list_.groups.back().labels;
    if (!IsLabelName(name)) {
      RefuseGroup("labels", "expected label names of letters, digits and _, got " + Quoted(name));
    } else if (name.size() > kMaxLabelBytes || value.size() > kMaxLabelBytes || !IsUtf8(value)) {
      RefuseGroup(
          "labels." + name.substr(0, 80),
          "expected a text of at most " + std::to_string(kMaxLabelBytes) + " bytes of UTF-8");
    } else if (labels.size() == kMaxGroupLabels) {
      RefuseGroup("labels", "more than " + std::to_string(kMaxGroupLabels) + " labels");
    } else {
      labels[name] = value;
    }
  }
  // A group is taken whole or not at all.
  void RefuseGroup(const std::string& key, const std::string& text) {
    if (good_) {  // its first problem is enough
      Refuse(list_.groups.back().where + (key.empty() ? "" : "." + key), text);
    }
    good_ = false;
  }
  void End() {
    if (good_ && list_.groups.back().targets.empty()) {
      list_.groups.pop_back();  // an empty group is Prometheus' way to say "nobody now"
    } else if (!good_) {
      targets_ -= list_.groups.back().targets.size();
      list_.groups.pop_back();
    }
  }
  void Refuse(const std::string& where, const std::string& text) {
    list_.problems.push_back(where + ": " + text);
  }
  TargetGroups ReleaseGroups() { return std::move(list_); }

 private:
  TargetGroups list_;
  std::size_t targets_ = 0;
  bool good_ = true;
  bool full_ = false;
};

constexpr std::string_view kExpectedGroup =
    "expected a group such as {\"targets\": [\"io01:9100\"], \"labels\": {\"role\": \"server\"}}";

void ReadJsonGroup(const Json& group, Collector& collector) {
  if (!group.is_object()) {
    collector.RefuseGroup("", std::string(kExpectedGroup) + ", got " + group.type_name());
    return;
  }
  for (const auto& [key, value] : group.items()) {
    // Unknown keys are refused: a misspelt "lables" would put servers into the wrong peer group.
    if ((key == "targets" || key == "labels") && value.is_null()) {
      continue;  // as Go programs print an empty list or map
    }
    if (key == "targets" && value.is_array()) {
      for (const auto& target : value) {
        if (target.is_string()) {
          collector.AddTarget(target.get_ref<const std::string&>());
        } else {
          collector.RefuseGroup("targets",
                                std::string("expected texts, got ") + target.type_name());
        }
      }
    } else if (key == "labels" && value.is_object()) {
      for (const auto& [name, text] : value.items()) {
        if (text.is_string()) {
          collector.AddLabel(name, text.get_ref<const std::string&>());
        } else if (!text.is_null()) {  // an empty label is none
          collector.RefuseGroup("labels." + name.substr(0, 80),
                                std::string("expected a text in quotes, got ") + text.type_name());
        }
      }
    } else if (key == "targets" || key == "labels") {
      collector.RefuseGroup(key, (key == "targets" ? "expected a list of addresses, got "
                                                   : "expected names and texts, got ") +
                                     std::string(value.type_name()));
    } else {
      collector.RefuseGroup("", "unknown key " + Quoted(key) + "; expected targets and labels");
    }
  }
}

Result<TargetGroups> ParseJson(std::string_view text, const std::string& name) {
  Json list;
  try {
    list = Json::parse(text.begin(), text.end());
  } catch (const Json::exception& why) {
    // "[json.exception.parse_error.101] parse error at …": the name of a C++ type helps nobody.
    const std::string what = why.what();
    const auto space = what.find("] ");
    return Error{ErrorCode::kInvalid,
                 "expected JSON: " + what.substr(space == std::string::npos ? 0 : space + 2, 200),
                 name};
  }
  if (!list.is_array()) {
    return Error{ErrorCode::kInvalid,
                 std::string("expected a list of target groups, got ") + list.type_name(), name};
  }
  Collector collector;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (collector.Begin(name + ": [" + std::to_string(i) + "]") == nullptr) {
      break;
    }
    ReadJsonGroup(list[i], collector);
    collector.End();
  }
  return collector.ReleaseGroups();
}

void ReadYamlGroup(const yaml::Node& group, Collector& collector) {
  using Kind = yaml::Node::Kind;
  if (group.kind != Kind::kMap) {
    collector.RefuseGroup("", std::string(kExpectedGroup));
    return;
  }
  for (std::size_t i = 0; i < group.keys.size(); ++i) {
    const auto& key = group.keys[i];
    const auto& value = group.items[i];
    if (key == "targets" && value.kind == Kind::kList) {
      for (const auto& target : value.items) {
        if (target.kind == Kind::kScalar) {
          collector.AddTarget(target.scalar);
        } else {
          collector.RefuseGroup("targets", "expected texts");
        }
      }
    } else if (key == "labels" && value.kind == Kind::kMap) {
      for (std::size_t label = 0; label < value.keys.size(); ++label) {
        if (value.items[label].kind == Kind::kScalar) {
          collector.AddLabel(value.keys[label], value.items[label].scalar);
        } else if (value.items[label].kind != Kind::kNull) {  // an empty label is none
          collector.RefuseGroup("labels." + value.keys[label].substr(0, 80), "expected a text");
        }
      }
    } else if ((key == "targets" || key == "labels") && value.kind == Kind::kNull) {
      continue;
    } else if (key == "targets" || key == "labels") {
      collector.RefuseGroup(
          key, key == "targets" ? "expected a list of addresses" : "expected names and texts");
    } else {
      collector.RefuseGroup("", "unknown key " + Quoted(key) + "; expected targets and labels");
    }
  }
}

Result<TargetGroups> ParseYaml(std::string_view text, const std::string& name) {
  const auto list = yaml::Parse(text, name, kMaxListBytes);
  if (!list) {
    return list.error();
  }
  if (list->kind != yaml::Node::Kind::kList) {
    return Error{ErrorCode::kInvalid, "expected a list of target groups", name};
  }
  Collector collector;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const auto& group = list->items[i];
    if (collector.Begin(name + ":" + std::to_string(group.line) + ": [" + std::to_string(i) +
                        "]") == nullptr) {
      break;
    }
    ReadYamlGroup(group, collector);
    collector.End();
  }
  return collector.ReleaseGroups();
}

}  // namespace

Result<TargetGroups> ParseTargetGroups(std::string_view text, ListFormat format,
                                       const std::string& name) {
  if (text.size() > kMaxListBytes) {
    return Error{ErrorCode::kTooLarge,
                 "expected at most " + std::to_string(kMaxListBytes) + " bytes of targets", name};
  }
  // A file that is being written is empty for a moment; nobody at all is written [].
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return Error{ErrorCode::kInvalid, "is empty; write [] when there are no targets", name};
  }
  return format == ListFormat::kJson ? ParseJson(text, name) : ParseYaml(text, name);
}

}  // namespace limpet
