// slips.h: what in a configuration that can be used looks like a slip, one text each: it names the
// key or target, what was found and what to do.
//
// Threads: pure, but for `exists`.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/config/review.h"

namespace limpet {

// The port tells what a target most likely is.
inline constexpr std::uint16_t kNodeExporterPort = 9100;

// `groups`: those of the configuration, in its order, with their members. `answers` as in review.h.
[[nodiscard]] std::vector<std::string> FindSlips(const DiagnoserConfig& config,
                                                 const std::vector<GroupReview>& groups,
                                                 const FileExists& exists, const Answers* answers);

// Labels that only pages can tell of, as far as we know: disk_info's and the series' own.
[[nodiscard]] bool IsOfSeries(std::string_view label);

// The labels of all configured targets, each with its values.
[[nodiscard]] std::map<std::string, std::set<std::string>> LabelsOf(const DiagnoserConfig& config);

// "io01, io02, …": the first `most` names.
[[nodiscard]] std::string ListedNames(const std::vector<std::string>& names, std::size_t most = 5);

}  // namespace limpet
