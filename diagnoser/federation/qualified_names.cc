#include "diagnoser/federation/qualified_names.h"

#include <algorithm>
#include <array>

namespace limpet {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"node", "component", "peer_group",
                                                    "secondary_to"};
constexpr std::array<std::string_view, 4> kLists = {"peer_groups", "far_peers", "near_peers",
                                                    "alone"};

void QualifyText(ApiJson& json, const std::string& member, char separator) {
  if (json.is_string()) {
    json = member + separator + json.get_ref<const std::string&>();
  }
}

std::optional<QualifiedName> SplitAt(std::string_view text, std::size_t place) {
  if (place == std::string_view::npos || place == 0 || place + 1 == text.size()) {
    return std::nullopt;
  }
  return QualifiedName{.member = std::string(text.substr(0, place)),
                       .name = std::string(text.substr(place + 1))};
}

}  // namespace

// The depth is that of what was parsed, which is bounded (answers.h).
void Qualify(ApiJson& json, const std::string& member) {
  if (json.is_array()) {
    for (auto& item : json) {
      Qualify(item, member);
    }
    return;
  }
  if (!json.is_object()) {
    return;
  }
  for (auto& [key, value] : json.items()) {
    if (key == "labels") {
      continue;
    }
    if (key == "id") {
      QualifyText(value, member, '.');
    } else if (std::ranges::find(kNames, key) != kNames.end()) {
      QualifyText(value, member, '/');
    } else if (std::ranges::find(kLists, key) != kLists.end() && value.is_array()) {
      for (auto& item : value) {
        QualifyText(item, member, '/');
      }
    }
    Qualify(value, member);
  }
}

std::optional<QualifiedName> SplitName(std::string_view text) {
  return SplitAt(text, text.find('/'));
}

std::optional<QualifiedName> SplitId(std::string_view text) {
  return SplitAt(text, text.rfind('.'));
}

}  // namespace limpet
