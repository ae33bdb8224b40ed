// target_groups.h: lists of targets as Prometheus' file_sd and http_sd have them.
//
//   [{"targets": ["io01:9100", "io02:9100"], "labels": {"role": "server", "rack": "r1"}}]
//
// JSON, or the same in YAML. A bad group or address is left out and told ("fleet.json: [3].labels:
// …"); only a text that is no list at all is an error.
// Bounded: kMaxListBytes, kMaxGroups, kMaxListTargets, kMaxGroupLabels.
// Threads: pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/result.h"

namespace limpet {

inline constexpr std::size_t kMaxListBytes = std::size_t{16} << 20U;
inline constexpr std::size_t kMaxGroups = 100'000;
inline constexpr std::size_t kMaxListTargets = 100'000;
inline constexpr std::size_t kMaxGroupLabels = 64;
inline constexpr std::size_t kMaxLabelBytes = 4096;  // of a name or a value

struct TargetGroup {
  std::string where;                 // "fleet.json: [3]", or with its line
  std::vector<std::string> targets;  // host or host:port, not checked yet
  std::map<std::string, std::string> labels;
};

struct TargetGroups {
  std::vector<TargetGroup> groups;
  std::vector<std::string> problems;  // what was left out and why, each with its place
};

enum class ListFormat { kJson, kYaml };

// `name` is what messages call the text: its file or URL.
[[nodiscard]] Result<TargetGroups> ParseTargetGroups(std::string_view text, ListFormat format,
                                                     const std::string& name);

}  // namespace limpet
