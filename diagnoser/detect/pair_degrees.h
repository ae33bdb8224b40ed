// pair_degrees.h: the s of every component from the distances of all pairs, or bounds of it where
// those will do.
//
// Threads: pure.
#pragma once

#include <cstddef>

#include "diagnoser/detect/detector.h"
#include "diagnoser/detect/kernels/all_pairs.h"

namespace limpet {

// Fills `result.s` and, where some stay bounds, `result.is_bound`. Everything else that
// `bound_will_do` may read of `result` must be final. `terms`: how many numbers a distance is the
// sum of.
void FillDegrees(Pairs& pairs, std::size_t terms, const BoundWillDo& bound_will_do,
                 Comparison& result);

}  // namespace limpet
