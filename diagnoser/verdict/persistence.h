// persistence.h: problems that last, and the hourly list of them [Kasick12 §4.3].
//
// Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

// One up for a window in which the component is flagged, one down (not under 0) for one in which it
// took part and is not.
[[nodiscard]] constexpr std::uint32_t Accumulate(std::uint32_t accumulator, bool flagged) {
  if (flagged) {
    return accumulator + 1;
  }
  return accumulator == 0 ? 0 : accumulator - 1;
}

struct Persistent {
  std::string group;
  std::string component;
  std::uint32_t accumulator = 0;
};

// Returns them by decreasing accumulator, then group and component; those of 0 left out.
[[nodiscard]] std::vector<Persistent> TopPersistent(std::vector<Persistent> all, std::size_t most);

// "20231115.22: 8 io:io02/sdb 3 io:io05/sdb", one row for each hour (H, H+1h] UTC, as entities
// stood after the last window end in it. Keeps the latest kMaxHours.
class HourlyList {
 public:
  static constexpr std::size_t kMaxHours = 24UL * 400;

  void Record(UnixTime window_end, const std::vector<Persistent>& top);
  [[nodiscard]] std::vector<std::string> Rows() const;

 private:
  std::map<std::int64_t, std::string> rows_;  // by hours since 1970
};

}  // namespace limpet
