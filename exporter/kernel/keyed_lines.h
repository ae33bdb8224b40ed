// keyed_lines.h: a few numbers out of a long file of "key number" lines: vmstat, meminfo, snmp6.
//
// The kernel prints the same lines in the same order every time, so after the first reading the
// others are stepped over without a look: 190 lines of vmstat for 7 numbers. A key that is not
// where it was, or another number of lines, makes it look at every line again; so does a key that
// the kernel does not have, each time.
// Units:   the kernel's. Missing keys, cut lines and signed or broken numbers are nullopt.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limpet {

class KeyedLines {
 public:
  // A key is the whole first word of its line: "pgpgin", "MemTotal:".
  explicit KeyedLines(std::vector<std::string> keys) : keys_(std::move(keys)) {}

  using Values = std::vector<std::optional<std::uint64_t>>;
  // Returns values in the order of the keys. Which of two lines with the same key counts is not
  // defined.
  [[nodiscard]] Values Parse(std::string_view text);

 private:
  struct Place {
    std::size_t line;
    std::size_t key;
  };
  [[nodiscard]] std::optional<Values> ReadAtPlaces(std::string_view whole) const;
  void FindPlaces(std::string_view whole);

  std::vector<std::string> keys_;
  std::vector<Place> places_;  // in the order of the lines
  std::size_t lines_ = 0;
};

}  // namespace limpet
