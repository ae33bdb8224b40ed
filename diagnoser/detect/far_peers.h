// far_peers.h: from which of its peers a component is far in a window, for evidence.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "diagnoser/detect/peers.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/series/sample_set.h"

namespace limpet {

// The distances of one component to all, in the order of the set; 0 to itself. The same numbers
// that `comparison`, made of the same samples, took its s from.
[[nodiscard]] std::vector<double> DistancesOf(const SampleSet& samples, std::size_t component,
                                              const PeerComparison& comparison,
                                              const PresetSettings& preset);

}  // namespace limpet
