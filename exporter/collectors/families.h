// families.h: one number of many things as a family of samples.
//
// Threads: pure.
#pragma once

#include <optional>
#include <utility>

#include "exporter/common/exposition/sample.h"

namespace limpet {

// `labels(item)` and `value(item)` of each item; nullopt leaves an item out, and a family without
// samples is none.
template <class Items, class Labels, class Value>
void AddFamily(Families& families, const MetricInfo& info, const Items& items, const Labels& labels,
               const Value& value) {
  Family family{.info = &info, .samples = {}};
  family.samples.reserve(items.size());
  for (const auto& item : items) {
    if (const std::optional<double> number = value(item)) {
      family.samples.push_back({labels(item), *number});
    }
  }
  if (!family.samples.empty()) {
    families.push_back(std::move(family));
  }
}

}  // namespace limpet
