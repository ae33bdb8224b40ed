// families.h: looking up one number on a page of families.
#pragma once

#include <optional>
#include <string_view>

#include "exporter/common/exposition/sample.h"

namespace limpet::testing {

// The value of name{labels}, labels as rendered (`device="sda"`, "" for none); nullopt when there
// is no such series.
inline std::optional<double> Value(const Families& families, std::string_view name,
                                   std::string_view labels = "") {
  for (const auto& family : families) {
    if (family.info->name != name) {
      continue;
    }
    for (const auto& sample : family.All()) {
      const std::string_view rendered =
          sample.labels ? std::string_view(sample.labels->Rendered()) : std::string_view();
      if (rendered == labels) {
        return sample.value;
      }
    }
  }
  return std::nullopt;
}

inline const Family* Find(const Families& families, std::string_view name) {
  for (const auto& family : families) {
    if (family.info->name == name) {
      return &family;
    }
  }
  return nullptr;
}

}  // namespace limpet::testing
