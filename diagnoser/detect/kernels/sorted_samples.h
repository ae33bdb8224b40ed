// sorted_samples.h: the samples of each component in ascending order.
//
// Threads: pure.
#pragma once

#include "diagnoser/series/sample_set.h"

namespace limpet {

// Components with the same number of samples are sorted side by side (sort_kernels.h). None is NaN.
[[nodiscard]] SampleSet SortedSamples(SampleSet samples);

}  // namespace limpet
