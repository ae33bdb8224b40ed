// number_mutator.h: every other mutation of this fuzzer's input makes one number another
// (tests/support/mutate_numbers.h); the rest are libFuzzer's own. For formats that are text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "tests/support/mutate_numbers.h"

// Weak: the ordinary tests replay the corpus without libFuzzer.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                              std::size_t max_size);

extern "C" inline __attribute__((used)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                                                            std::size_t size,
                                                                            std::size_t max_size,
                                                                            unsigned seed) {
  std::mt19937 random(seed);
  if (seed % 2 == 0 && LLVMFuzzerMutate != nullptr) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  const auto text =
      limpet::testing::MutateNumber(std::string(reinterpret_cast<char*>(data), size), random);
  const auto kept = std::min(text.size(), max_size);
  std::copy_n(text.begin(), kept, reinterpret_cast<char*>(data));
  return kept;
}
