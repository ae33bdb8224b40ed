// course.h: how a server's bytes went over the last minute, and whether an imbalance goes with its
// own traffic.
//
// What a server reads ahead, compresses, keeps in memory or serves locally is a share of its own
// load, and rises and falls with it; a stranger's bytes do not know of it. A short window is too
// short to tell, so time scales look further back than their own.
// Threads: pure.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "diagnoser/series/window_shape.h"

namespace limpet {

inline constexpr std::size_t kCourseBlocks = 8;
// Means of so many parts of the time, kMissing (metrics/missing.h) where there is no reading. A
// part is long enough for what is buffered for a second or two not to matter.
using Course = std::array<double, kCourseBlocks>;

// Steps up to a window's end that are looked at: at least those of the shipped window.
[[nodiscard]] constexpr std::size_t CourseSteps(const WindowShape& shape) {
  constexpr std::size_t kLeast = 64;
  return std::max(shape.window + shape.smoothing, kLeast);
}

// `values`: of consecutive steps.
[[nodiscard]] Course MakeCourse(std::span<const double> values);

// Returns whether the imbalance, positive on average, is a share of the traffic, from which it is
// away by a quarter of itself at most, as a standard deviation.
[[nodiscard]] bool IsSteadyShare(const Course& imbalance, const Course& traffic);

// Returns whether it also grows with the traffic: by at least three tenths of that share and by
// more than one and a half standard errors.
[[nodiscard]] bool Follows(const Course& imbalance, const Course& traffic);

}  // namespace limpet
