#include "diagnoser/detect/degree.h"

#include "diagnoser/detect/stats.h"

namespace limpet {

Direction DirectionOf(double mean, double median_of_means) {
  if (Near(mean, median_of_means)) {
    return Direction::kNone;
  }
  return mean > median_of_means ? Direction::kHigh : Direction::kLow;
}

}  // namespace limpet
