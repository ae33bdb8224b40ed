#include "diagnoser/detect/direction.h"

#include "diagnoser/series/stats.h"

namespace limpet {

Direction FindDirection(double mean, double median_of_means) {
  // Rounding alone must not put a component on a side: equal peers would all point somewhere.
  if (Near(mean, median_of_means)) {
    return Direction::kNone;
  }
  return mean > median_of_means ? Direction::kHigh : Direction::kLow;
}

}  // namespace limpet
