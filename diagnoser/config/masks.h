// masks.h: the file of components in maintenance: one "node" or "node/device" a line.
//
//   # rack r4 is being moved
//   io07
//   io08/sdc      until Tuesday's disk swap     <- refused: a comment begins with #
//
// Empty lines and what follows a # are skipped.
// In the configuration an entry may also be a map of times (evidence/timed_masks.h):
//
//   masked: [io07, {node: io03, from: "02:00", to: "05:00", days: [sun]}]
//
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/evidence/timed_masks.h"
#include "exporter/common/result.h"
#include "exporter/common/yaml.h"

namespace limpet {

inline constexpr std::size_t kMaxMasks = 200'000;

// `file` is the name in messages; a bad line is an error as a whole ("masked.txt:3: …").
[[nodiscard]] Result<std::vector<std::string>> ParseMasks(std::string_view text,
                                                          const std::string& file);

// One entry with times; nullopt when it has a problem, which the reader then knows.
[[nodiscard]] std::optional<TimedMask> ReadTimedMask(yaml::MapReader& entry);

}  // namespace limpet
