// sorted_text.h: metrics text that is ordered by series or metric, such as `promtool tsdb
// dump-openmetrics` prints it, as the text of a recording, which is ordered by time.
//
// Bounds:  the whole text is kept until its end, at most `most` bytes of it; more is kTooLarge.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/sources/converter.h"
#include "diagnoser/sources/input_notes.h"
#include "exporter/common/exposition/format.h"
#include "exporter/common/time.h"

namespace limpet {

// Returns whether a series comes again before another metric does.
[[nodiscard]] bool IsOrderedBySeries(std::string_view text);

class SortedText final : public Converter {
 public:
  static constexpr std::size_t kMost = std::size_t{512} << 20U;

  // `notes` must outlive it.
  explicit SortedText(InputNotes& notes, std::size_t most = kMost) : notes_(notes), most_(most) {}

  // Returns nothing: the first instant may stand at the end.
  [[nodiscard]] Result<std::string> Feed(std::string_view plain) override;
  // Returns the descriptions of metrics, then the samples in order of time; those of one instant
  // in the order of the file. Samples without a time are dropped.
  [[nodiscard]] Result<std::string> Finish() override;

 private:
  struct Line {
    UnixTime at;
    std::size_t begin;
    std::size_t size;  // with its newline
  };

  InputNotes& notes_;
  std::size_t most_;
  std::string text_;
};

}  // namespace limpet
