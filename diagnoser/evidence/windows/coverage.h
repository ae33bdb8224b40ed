// coverage.h: which servers the windows of one peer group have compared, and how often in a row.
//
// A verdict takes k anomalous windows, so a server is judged once k windows in a row have compared
// it in some metric.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

class Coverage {
 public:
  struct Server {
    std::optional<UnixTime> compared;  // end of the latest window that compared it
    std::size_t windows = 0;           // that did so in a row, none of them two shifts apart
  };
  // One member of the group in a window; `remembered`: windows of it that the filter holds.
  struct Member {
    const std::string* node = nullptr;
    bool compared = false;
    std::size_t remembered = 0;
  };

  // Takes the window that ends at `end`. Servers without a member are forgotten. With `resume` the
  // filters count as windows in a row: they survive a restart, and these counts do not.
  void Record(UnixTime end, Duration shift, const std::vector<Member>& members, bool resume);

  // Returns by name every server that had a member in the last window.
  [[nodiscard]] const std::map<std::string, Server>& Servers() const { return servers_; }

 private:
  std::map<std::string, Server> servers_;
};

}  // namespace limpet
