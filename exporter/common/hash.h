// hash.h: FNV-1a, 64 bits (draft-eastlake-fnv), for values that must not change between versions
// or machines: fingerprints in state files, a target's phase, the order of components.
//
// Not for untrusted keys of a hash table: anybody can make collisions.
// Threads: pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace limpet {

inline constexpr std::uint64_t kFnv1aBasis = 0xCBF29CE484222325U;

// One step. The algorithm takes bytes; a wider value mixes less well but is still deterministic.
constexpr std::uint64_t Fnv1aStep(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x100000001B3U;
}

constexpr std::uint64_t Fnv1a64(std::string_view text) {
  std::uint64_t hash = kFnv1aBasis;
  for (const char c : text) {
    hash = Fnv1aStep(hash, static_cast<unsigned char>(c));
  }
  return hash;
}

}  // namespace limpet
