// fingerprint.h: tells whether a piece of saved state belongs to the configuration in use.
//
// Filters and accumulators of a group and metric mean something only under the preset and the rule
// they came from. What changes them is in the fingerprint; what does not (thresholds: a filter
// keeps what was decided at the time; ranking, events, masks) is not, so it may be tuned without
// loss. Threads: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/profile/model.h"
#include "diagnoser/evidence/config.h"
#include "diagnoser/mapping/rules.h"

namespace limpet {

[[nodiscard]] std::uint64_t Fingerprint(const PresetSettings& preset);
[[nodiscard]] std::uint64_t Fingerprint(const PresetSettings& preset, const PeerGroupRule& group);

[[nodiscard]] std::uint64_t Fingerprint(const PresetSettings& preset, const CustomMetric& metric);

// Returns that of a group by name: of a peer group, or of a metric of the configuration, whose
// groups begin with its name and ":". nullopt: the configuration has no such preset or group.
[[nodiscard]] std::optional<std::uint64_t> FindFingerprint(const PipelineConfig& config,
                                                           std::string_view preset,
                                                           std::string_view group);
// The metric of a group of that kind: what is before the colon.
[[nodiscard]] std::string_view MetricOfGroup(std::string_view group);

// Labels mean something under one model only; its threshold is not part of it.
[[nodiscard]] std::uint64_t Fingerprint(const ProfileModel& model);

}  // namespace limpet
