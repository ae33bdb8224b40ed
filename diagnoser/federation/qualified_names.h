// qualified_names.h: names of several diagnosers side by side: io01 of north is "north/io01".
//
// Nodes, components and peer groups get the diagnoser's name and a slash before them, ids of
// verdicts and incidents its name and a dot: two diagnosers that watch the same servers make the
// same ids.
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/publish/api_json.h"

namespace limpet {

// Qualifies an answer of that diagnoser, at any depth but in labels; texts for people stay as they
// are.
void Qualify(ApiJson& json, const std::string& member);

struct QualifiedName {
  std::string member;
  std::string name;
};
// "north/io01". nullopt: no slash, or nothing on one of its sides.
[[nodiscard]] std::optional<QualifiedName> SplitName(std::string_view text);
// "north.0123456789abcdef": at the last dot, ids have none.
[[nodiscard]] std::optional<QualifiedName> SplitId(std::string_view text);

}  // namespace limpet
