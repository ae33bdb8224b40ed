// settings.h: how much is kept for the live page.
//
// Threads: values.
#pragma once

#include <chrono>
#include <cstddef>

#include "exporter/common/time.h"

namespace limpet {

struct HistorySettings {
  Duration duration = std::chrono::hours(6);
  std::size_t max_bytes = std::size_t{32} << 20U;
  bool operator==(const HistorySettings&) const = default;
};

}  // namespace limpet
