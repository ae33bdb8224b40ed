// series_cache.h: from the text of a series, as written on a page, to what it feeds.
//
// A page lists the same lines in the same order each time, so each entry remembers which one came
// after it: the usual cost of a series is one comparison of its text, not even a hash. Comments are
// remembered too, so that the order is that of all lines.
//
//   cache.Rewind();                                  // a page begins
//   guess = cache.Expected();                        // try it: PageParser::NextIs or Skip
//   cache.Came(guess);                               // it was right
//   number = cache.Find(text);                       // it was not: look it up
//   number = cache.Add(text, kind, target);          // not known either
// Memory: the text and about 50 bytes a line. Lines that have not come for a while are forgotten
// (ForgetUnseen), but not at once: a page may alternate between two sets of series.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/mapping/builtin.h"
#include "exporter/common/exposition/numbers.h"

namespace limpet {

struct SeriesTarget {
  Field field;
  std::uint32_t entity = 0;  // Directory's number of the entity, by kind
  bool wanted = true;        // false: known, but no peer group wants it
  bool no_room = false;      // not wanted because there is no room for its entity
};

class SeriesCache {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  enum class LineKind : std::uint8_t {
    kSeries,    // the text is name and labels; its target says what it feeds
    kIdentity,  // who the exporter is and on which machine: no component's series
    kIgnored,   // a series that nothing is made of
    kComment,   // the text is the whole line
  };
  struct Entry {
    const char* text = nullptr;
    std::uint32_t size = 0;
    std::uint32_t hash = 0;
    std::uint32_t next = kNone;  // what came after it
    std::uint32_t page = 0;      // the last one it came on
    LineKind kind = LineKind::kSeries;
    NumberShape shape;       // of its last value
    SeriesTarget target;     // of kSeries
    std::uint32_t mark = 0;  // see Mark

    [[nodiscard]] std::string_view Text() const { return {text, size}; }
  };

  // Begins a page: the order starts anew.
  void Rewind() {
    previous_ = kNone;
    ++page_;
  }
  // The number of what usually comes now; kNone when there is no telling.
  [[nodiscard]] std::uint32_t Expected() const {
    return previous_ == kNone ? first_ : entries_[previous_].next;
  }
  void Came(std::uint32_t number) {
    previous_ = number;
    entries_[number].page = page_;
  }
  void SetShape(std::uint32_t number, NumberShape shape) { entries_[number].shape = shape; }
  // Returns whether the entry has this mark already; from now on it has. Never 0.
  [[nodiscard]] bool Mark(std::uint32_t number, std::uint32_t mark) {
    return std::exchange(entries_[number].mark, mark) == mark;
  }
  // The number of `text`, and now it has come; kNone when it has not been Added.
  [[nodiscard]] std::uint32_t Find(std::string_view text);
  // Remembers a text that Find did not know, as come after what came last. At most 4 GiB long.
  std::uint32_t Add(std::string_view text, LineKind kind, const SeriesTarget& target);
  // Every `pages` pages, when a quarter of the lines has not come on any of them: forgets those.
  // Other lines get other numbers. Before Rewind.
  void ForgetUnseen(std::uint32_t pages);

  // Good until the next Add.
  [[nodiscard]] const Entry& At(std::uint32_t number) const { return entries_[number]; }
  [[nodiscard]] std::size_t Size(LineKind kind) const {
    return sizes_[static_cast<std::size_t>(kind)];
  }
  // Returns the bytes of all texts, and of those that are no kSeries.
  [[nodiscard]] std::size_t Bytes() const { return bytes_; }
  [[nodiscard]] std::size_t OtherBytes() const { return other_bytes_; }
  // Series for whose entity there was no room.
  [[nodiscard]] std::size_t WithoutRoom() const { return without_room_; }

 private:
  void Follow(std::uint32_t number);
  void Grow();
  [[nodiscard]] const char* Keep(std::string_view text);

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // open addressing over entries_; a power of two, half empty
  std::vector<std::unique_ptr<char[]>> blocks_;  // the texts, in the order of the entries
  std::size_t block_left_ = 0;
  char* block_at_ = nullptr;
  std::uint32_t previous_ = kNone;
  std::uint32_t first_ = kNone;  // what a page usually begins with
  std::size_t sizes_[4] = {};
  std::size_t bytes_ = 0;
  std::size_t other_bytes_ = 0;
  std::size_t without_room_ = 0;
  std::uint32_t page_ = 0;  // the current one
};

}  // namespace limpet
