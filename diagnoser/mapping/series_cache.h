// series_cache.h: from the text of a series, as written on a page, to what it feeds.
//
// A page lists the same series in the same order each time, so each entry remembers which one came
// after it: the usual cost of a series is one comparison of its text, not even a hash.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "diagnoser/mapping/builtin.h"

namespace limpet {

struct SeriesTarget {
  Field field;
  std::uint32_t thing = 0;  // Directory's number of the thing, by kind
  bool wanted = true;       // false: known, but no peer group wants it
};

class SeriesCache {
 public:
  // Begins a page: the order starts anew.
  void Rewind() { previous_ = kNone; }
  // The target of `series`; nullptr when it has not been Added. Valid until the next Add.
  [[nodiscard]] const SeriesTarget* Find(std::string_view series);
  // Remembers a series that Find did not know.
  const SeriesTarget* Add(std::string_view series, const SeriesTarget& target);

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Entry {
    std::string series;
    SeriesTarget target;
    std::uint32_t next = kNone;
  };

  void Follow(std::uint32_t entry);

  std::deque<Entry> entries_;  // keys of index_ point into it
  std::unordered_map<std::string_view, std::uint32_t> index_;
  std::uint32_t previous_ = kNone;
  std::uint32_t first_ = kNone;  // what a page usually begins with
};

}  // namespace limpet
