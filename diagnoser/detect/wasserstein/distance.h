// distance.h: how far apart the samples of two components are; wasserstein_pairs.h has it for a
// group.
//
// Threads: pure.
#pragma once

#include <span>

namespace limpet {

// The integral of |F_a - F_b| over x, exact, in the unit of the samples: what it takes to move one
// distribution onto the other (1-Wasserstein). Symmetric, 0 between equals, and it obeys the
// triangle inequality. Both ascending and not empty.
[[nodiscard]] double WassersteinDistance(std::span<const double> a, std::span<const double> b);

}  // namespace limpet
