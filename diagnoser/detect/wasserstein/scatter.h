// scatter.h: how far peers scatter around what they do in common.
//
// A component's own samples vary with the workload, and all peers' vary together: when a hog takes
// everybody's throughput down, each peer's own spread is as large as the fall, though no peer
// differs from another. So what counts is what is left of x_i(t) when the peers' median at the same
// time, median_j x_j(t), is taken away.
// Unit:    the metric's.
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>

#include "diagnoser/series/sample_set.h"

namespace limpet {

// Median over the components of the IQR of x_i(t) - median_j x_j(t). Times are matched by the
// samples' places, so components with fewer than `window` samples (holes) are left out; nullopt
// when fewer than three remain.
[[nodiscard]] std::optional<double> ResidualIqr(const SampleSet& samples, std::size_t window);

}  // namespace limpet
