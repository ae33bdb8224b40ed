#include "exporter/common/columns/series_table.h"

#include <utility>

namespace limpet::columns {

bool SeriesTable::Add(std::string series) {
  if (series_.size() >= kMaxColumns || series.size() > kMaxSeriesBytes ||
      bytes_ + series.size() > kMaxTableBytes) {
    return false;
  }
  bytes_ += series.size();
  series_.push_back(std::move(series));
  return true;
}

std::optional<std::uint32_t> SeriesIndex::FindOrAdd(std::string_view series) {
  if (const auto found = columns_.find(series); found != columns_.end()) {
    return found->second;
  }
  // The table may refuse it, so the map comes second.
  const auto column = static_cast<std::uint32_t>(table_.Size());
  if (!table_.Add(std::string(series))) {
    return std::nullopt;
  }
  columns_.emplace(series, column);
  return column;
}

std::optional<std::uint32_t> SeriesIndex::FindOrAdd(std::string_view series, std::uint32_t guess) {
  return guess < table_.Size() && table_.At(guess) == series ? std::optional(guess)
                                                             : FindOrAdd(series);
}

}  // namespace limpet::columns
