// random.h: the simulator's dice: the same numbers for the same seed with every standard library.
//
// xoshiro256++ seeded by splitmix64. The standard's distributions differ between libraries, so the
// few that are wanted are here.
// Threads: one object, one thread.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace limpet::simulator {

class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (auto& word : state_) {
      seed += 0x9E3779B97F4A7C15U;
      auto z = seed;
      z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
      z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
      word = z ^ (z >> 31U);
    }
  }

  [[nodiscard]] std::uint64_t Next() {
    const auto result = Rotate(state_[0] + state_[3], 23) + state_[0];
    const auto shifted = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = Rotate(state_[3], 45);
    return result;
  }

  // [0, 1).
  [[nodiscard]] double Uniform() { return static_cast<double>(Next() >> 11U) * 0x1p-53; }
  // [least, most); doubles or durations.
  template <class T>
  [[nodiscard]] T Uniform(T least, T most) {
    return least + (most - least) * Uniform();
  }
  [[nodiscard]] double Normal(double mean, double deviation) {
    const double radius = std::sqrt(-2 * std::log(1 - Uniform()));
    return mean + deviation * radius * std::cos(2 * 3.14159265358979323846 * Uniform());
  }
  template <class T>
  [[nodiscard]] T Exponential(T mean) {
    return mean * -std::log(1 - Uniform());
  }
  [[nodiscard]] bool Chance(double probability) { return Uniform() < probability; }
  // [0, count), count > 0.
  [[nodiscard]] std::size_t Below(std::size_t count) {
    return static_cast<std::size_t>(Uniform() * static_cast<double>(count));
  }

 private:
  static constexpr std::uint64_t Rotate(std::uint64_t x, unsigned by) {
    return (x << by) | (x >> (64U - by));
  }
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace limpet::simulator
