// decimal.h: a sample's value as a whole number of tenths, hundredths, …, where that is exact.
//
// Counters are whole numbers; the kernel's times are milliseconds or hundredths shown as seconds.
// Differences of such numbers are small and exact, those of the doubles are neither.
// Threads: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace limpet::columns {

inline constexpr unsigned kMaxDecimals = 9;

// value × 10^decimals; nullopt unless FromDecimal gives back the very same bits.
[[nodiscard]] std::optional<std::int64_t> ToDecimal(double value, unsigned decimals);
[[nodiscard]] double FromDecimal(std::int64_t number, unsigned decimals);

// Returns how many decimals all of them need; nullopt when some value has no such form.
[[nodiscard]] std::optional<unsigned> FindDecimals(std::span<const double> values);

}  // namespace limpet::columns
