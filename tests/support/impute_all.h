// impute_all.h: a whole series with its holes filled in at once.
//
// Threads: pure.
#pragma once

#include <vector>

#include "diagnoser/detect/profile/impute.h"

namespace limpet::testing {

// One value a second, as Imputer gives them.
inline std::vector<double> ImputeAll(const std::vector<double>& samples) {
  Imputer imputer;
  std::vector<double> filled;
  for (const double sample : samples) {
    imputer.Put(sample);
    while (const auto value = imputer.Next()) {
      filled.push_back(*value);
    }
  }
  imputer.Finish();
  while (const auto value = imputer.Next()) {
    filled.push_back(*value);
  }
  return filled;
}

}  // namespace limpet::testing
