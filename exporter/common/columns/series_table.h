// series_table.h: which series the columns of a recording are, in the order of its lines.
//
// A series is `name{labels}` as on a line. A recording adds series as they appear and begins anew
// now and then, so a table only grows.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace limpet::columns {

inline constexpr std::size_t kMaxColumns = std::size_t{1} << 20U;
inline constexpr std::size_t kMaxSeriesBytes = std::size_t{64} << 10U;  // of one, as on a page
inline constexpr std::size_t kMaxTableBytes = std::size_t{16} << 20U;   // of all

class SeriesTable {
 public:
  [[nodiscard]] std::size_t Size() const { return series_.size(); }
  [[nodiscard]] const std::string& At(std::size_t column) const { return series_[column]; }
  // False: it is too long, or there are too many.
  [[nodiscard]] bool Add(std::string series);

 private:
  std::vector<std::string> series_;
  std::size_t bytes_ = 0;
};

// A table that is being filled, with the column of each series.
class SeriesIndex {
 public:
  [[nodiscard]] const SeriesTable& Table() const { return table_; }
  // The number of its column, a new one if need be; nullopt when there is no room.
  [[nodiscard]] std::optional<std::uint32_t> FindOrAdd(std::string_view series);
  // The same for a writer whose lines mostly come in one order: `guess` is tried first.
  [[nodiscard]] std::optional<std::uint32_t> FindOrAdd(std::string_view series,
                                                       std::uint32_t guess);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  SeriesTable table_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> columns_;
};

}  // namespace limpet::columns
