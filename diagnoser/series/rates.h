// rates.h: the rates of several devices, step by step, summed.
// Threads: any.
#pragma once

#include <cstddef>
#include <span>

namespace limpet {

// Adds increases / seconds of every step to `sums`, which has as many. What is missing in one of
// them leaves the other; in both it stays missing.
void SumRates(std::span<const double> increases, double seconds, double* sums);

}  // namespace limpet
