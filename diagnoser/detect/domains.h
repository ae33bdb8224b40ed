// domains.h: a large group dealt into domains that rotate from window to window [Kasick10 §11.1].
//
// Components are ordered by splitmix64(seed ^ window * 0x9E3779B97F4A7C15 ^ fnv1a64(name)) and
// dealt round-robin into max(1, floor(n / domain_size)) domains, so each has at least domain_size,
// who is compared with whom changes with every window, and all programs deal alike. Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace limpet {

[[nodiscard]] std::uint64_t SplitMix64(std::uint64_t x);
[[nodiscard]] std::uint64_t Fnv1a64(std::string_view text);

// The places in `names` of each domain's components, ascending. `window` counts window ends since
// 1970; domain_size at least 1.
[[nodiscard]] std::vector<std::vector<std::size_t>> DealDomains(
    std::span<const std::string_view> names, std::size_t domain_size, std::uint64_t seed,
    std::uint64_t window);

}  // namespace limpet
