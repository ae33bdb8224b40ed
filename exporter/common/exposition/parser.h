// parser.h: a pull parser over a metrics page, Prometheus text 0.0.4 or OpenMetrics 1.0.
//
//   PageParser page(text, {.format = Format::kText});
//   for (auto item = page.Next(); item.kind != ItemKind::kEnd; item = page.Next()) {
//     if (item.kind == ItemKind::kError) return page.error();
//     if (item.kind == ItemKind::kSample) Use(item.series, item.value, item.timestamp);
//   }
//
// Nothing is copied or allocated (but for the text of an error): every view of an item points into
// the page and lives as long as the page does. Hostile input is bounded by the limits below.
//
// What is checked: the grammar of names, labels, escapes and numbers, UTF-8 in label values and
// help texts. What is not: that families are contiguous and typed (recordings interleave them), and
// that label names differ (ParseLabels does that, once a series). Comments and blank lines are
// skipped in both formats, exemplars too.
//
// Threads: one parser, one thread; parsers of the same text do not disturb each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/common/exposition/format.h"
#include "exporter/common/exposition/numbers.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet {

enum class ItemKind {
  kSample,
  kType,   // `name` and `text`: counter, gauge, …
  kHelp,   // `name` and `text`: as written, escapes and all
  kUnit,   // `name` and `text`
  kEof,    // the line "# EOF" (OpenMetrics); only kEnd may follow
  kEnd,    // nothing is left; Next goes on returning it
  kCut,    // kResume only: `text` is a last line without its newline; kEnd follows
  kError,  // see error(); in kStrict kEnd follows, in kResume the next line does
};

struct PageItem {
  ItemKind kind = ItemKind::kEnd;
  std::string_view series;  // name and labels exactly as written: a{b="c"}; a good cache key
  std::string_view name;
  std::string_view labels;  // between the braces, as written; empty when there are none
  double value = 0;
  std::optional<UnixTime> timestamp;
  std::string_view text;
};

// A line that was expected: see PageParser::NextIs. Plain members that fit into registers: it is
// made for every sample.
struct ExpectedSample {
  bool found = false;
  bool stamped = false;  // it has a timestamp
  NumberShape shape;     // of the value; the next page's is mostly alike
  double value = 0;
  UnixTime timestamp;

  explicit operator bool() const { return found; }
};

enum class ParseMode {
  kStrict,  // a live scrape: a bad line, a last line without newline or a missing # EOF
            // (OpenMetrics) is an error and ends the page
  kResume,  // a recording, maybe cut, or one piece of it: a last line without newline is handed out
            // as kCut (put it before the next piece), # EOF may be missing, a bad line is one error
};

struct ParserOptions {
  Format format = Format::kText;
  ParseMode mode = ParseMode::kStrict;
  std::size_t max_line = std::size_t{64} << 10;  // bytes
  std::size_t max_labels = 64;                   // of one sample
  std::size_t max_samples = std::numeric_limits<std::size_t>::max();
  std::size_t first_line = 1;  // number of the first line in error texts, for pieces of a file
};

class PageParser {
 public:
  // `page` must outlive the parser and every item.
  explicit PageParser(std::string_view page, const ParserOptions& options = {});

  [[nodiscard]] PageItem Next();

  // Serves a page that lists what the page before it did. When the next line is `series` as Next of
  // a parser with the same options handed it out, a blank, a number, maybe a blank and a timestamp:
  // what Next would return of it, several times faster. Otherwise it is not found, and nothing has
  // happened: ask Next. `shape`: what the value may look like (ExpectedSample::shape of the page
  // before); a wrong guess costs time only.
  [[nodiscard]] ExpectedSample NextIs(std::string_view series, NumberShape shape = {});
  // The same for a comment (kType, kHelp, kUnit) as LineText gave it: true when it was next and is
  // passed over.
  [[nodiscard]] bool Skip(std::string_view line);
  // The line of the last item that Next returned, whole but for its newline.
  [[nodiscard]] std::string_view LineText() const;

  // Returns what was wrong with the last kError: where is "line 3, column 14" (both from 1, columns
  // in bytes), the message says what was expected and what stands there.
  [[nodiscard]] const Error& error() const { return error_; }
  // Number of the line that the last item stood on.
  [[nodiscard]] std::size_t Line() const { return line_; }

 private:
  PageItem ParseComment(const char* begin, const char* end);
  PageItem ParseSample(const char* begin, const char* end);
  const char* ScanName(const char* at, const char* end);
  const char* ScanLabels(const char* at, const char* end);
  PageItem Unterminated();
  PageItem Fail(const char* at, std::string_view expected);
  PageItem Stop(ErrorCode code, std::string message);
  [[nodiscard]] bool StandsAt(std::string_view text) const;
  [[nodiscard]] bool IsLastStamp(const char* at) const;
  // Reads from `at` on, up to the newline. False: there is none.
  bool ReadStamp(const char* at);

  const char* at_;
  const char* page_end_;
  const char* line_begin_;
  std::string_view last_name_;   // of the sample before: most samples have the same
  std::string_view last_stamp_;  // of the expected sample before: all of a block have the same
  UnixTime last_time_;
  std::uint64_t stamp_head_ = 0;  // its first and last eight bytes, of 8 to 16
  std::uint64_t stamp_tail_ = 0;
  ParserOptions options_;
  std::size_t line_;
  std::size_t samples_ = 0;
  bool finished_ = false;  // # EOF, or an error that ends the page
  Error error_;
};

// Returns whether `text` is what comes next, with room behind it for a number and a timestamp.
inline bool PageParser::StandsAt(std::string_view text) const {
  constexpr std::size_t kRoom = 2 * kNumberBytes + 2;
  return !finished_ && static_cast<std::size_t>(page_end_ - at_) >= text.size() + kRoom &&
         text.size() + kRoom <= options_.max_line &&
         std::memcmp(at_, text.data(), text.size()) == 0;
}

inline bool PageParser::IsLastStamp(const char* at) const {
  const auto size = last_stamp_.size();
  if (size < 8 || size > 16) {
    return false;
  }
  return numbers_detail::FirstByteLowest(at) == stamp_head_ &&
         numbers_detail::FirstByteLowest(at + size - 8) == stamp_tail_ && at[size] == '\n';
}

inline ExpectedSample PageParser::NextIs(std::string_view series, NumberShape shape) {
  if (!StandsAt(series) || samples_ >= options_.max_samples) {
    return {};
  }
  const char* at = at_ + series.size();
  if (*at != ' ') {
    return {};
  }
  ++at;
  double value = 0;
  if (const auto number = ReadNumberOfShape(shape, at); number.end != nullptr) [[likely]] {
    value = number.value;
    at = number.end;
  } else {
    const auto other = ReadAnyNumber(at);
    if (other.end == nullptr) {
      return {};
    }
    value = other.value;
    shape = other.shape;
    at = other.end;
  }
  const bool stamped = *at == ' ';
  if (stamped) {
    ++at;
    if (!IsLastStamp(at) && !ReadStamp(at)) {
      return {};
    }
    at += last_stamp_.size();
  }
  if (*at != '\n') {
    return {};
  }
  at_ = at + 1;
  ++line_;
  ++samples_;
  return {
      .found = true, .stamped = stamped, .shape = shape, .value = value, .timestamp = last_time_};
}

using LabelPairs = std::vector<std::pair<std::string, std::string>>;

// Takes an item's `labels` apart, values unescaped, in the order written. An error when a name
// stands twice or the text is not one a PageParser would hand out.
[[nodiscard]] Result<LabelPairs> ParseLabels(std::string_view labels);

// Prometheus text or OpenMetrics, for a file without a content type: OpenMetrics when it ends with
// "# EOF" or the first sample's timestamp has a decimal point.
[[nodiscard]] Format SniffFormat(std::string_view page);

}  // namespace limpet
