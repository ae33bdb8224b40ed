// points.h: many vectors of the same size, one after the other.
//
// Threads: values.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace limpet {

struct Points {
  std::size_t dimensions = 0;
  std::vector<double> values;  // point by point

  [[nodiscard]] std::size_t size() const {
    return dimensions == 0 ? 0 : values.size() / dimensions;
  }
  [[nodiscard]] std::span<const double> operator[](std::size_t i) const {
    return std::span(values).subspan(i * dimensions, dimensions);
  }
};

}  // namespace limpet
