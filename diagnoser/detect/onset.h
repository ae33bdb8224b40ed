// onset.h: where in its first anomalous window a component begins to differ from its peers.
//
// The window is cut in two where one step up explains most of the difference's variance (least
// squares). Where the part before the cut differs by half as much as the part
// after it or more, there was no step, and the difference is as old as the window.
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "diagnoser/detect/direction.h"
#include "diagnoser/series/window_samples.h"

namespace limpet {

// Returns the number of the first sample that differs. `own` and `peers` have one length.
[[nodiscard]] std::size_t FindOnset(std::span<const double> own, std::span<const double> peers,
                                    Direction direction);

// Returns the medians of the peers' samples of one metric, step by step, of those of `who` that
// have all `window` samples, but at most 256 of them, evenly spread; empty when fewer than two do.
[[nodiscard]] std::vector<double> MedianSteps(std::span<const MemberSamples> samples,
                                              std::size_t metric, std::span<const std::size_t> who,
                                              std::size_t window);

}  // namespace limpet
