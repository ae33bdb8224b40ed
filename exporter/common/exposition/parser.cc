#include "exporter/common/exposition/parser.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "exporter/common/exposition/characters.h"
#include "exporter/common/utf8.h"

// Every line handed to the functions below ends in a newline that can be read, so a loop over bytes
// of one class needs no other bound.

namespace limpet {
namespace {

constexpr std::uint64_t kEveryByte = 0x0101010101010101U;
constexpr std::uint64_t kHighBits = 0x8080808080808080U;

// A high bit for each byte of `word` that equals `byte`; bits above the first may be wrong.
constexpr std::uint64_t Matches(std::uint64_t word, char byte) {
  const auto x = word ^ (kEveryByte * static_cast<unsigned char>(byte));
  return (x - kEveryByte) & ~x & kHighBits;
}

// The first quote, backslash, newline or byte over 127. Eight bytes at a time while the page has
// as many.
const char* SkipPlain(const char* at, const char* page_end) {
  while (page_end - at >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    const auto stops =
        Matches(word, '"') | Matches(word, '\\') | Matches(word, '\n') | (word & kHighBits);
    if (stops != 0) {
      break;
    }
    at += sizeof(word);
  }
  while (*at != '"' && *at != '\\' && *at != '\n' &&
         (static_cast<unsigned char>(*at) & 0x80U) == 0) {
    ++at;
  }
  return at;
}

const char* SkipBlanks(const char* at) {
  while (Is(*at, kBlankByte)) {
    ++at;
  }
  return at;
}

const char* SkipToken(const char* at) {
  while (!Is(*at, kTokenEndByte)) {
    ++at;
  }
  return at;
}

std::string_view View(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

// What stands at the place of an error, short and printable.
std::string Found(const char* at, const char* end) {
  if (at == end || *at == '\n') {
    return "the end of the line";
  }
  std::string shown = "\"";
  for (const char* const stop = at + std::min<std::ptrdiff_t>(24, end - at);
       at != stop && *at != '\n'; ++at) {
    shown += *at >= ' ' && *at <= '~' ? *at : '?';
  }
  return shown + '"';
}

bool IsTypeWord(std::string_view word) {
  constexpr std::array<std::string_view, 9> kWords = {"counter", "gauge",    "histogram",
                                                      "summary", "untyped",  "unknown",
                                                      "info",    "stateset", "gaugehistogram"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace

PageParser::PageParser(std::string_view page, const ParserOptions& options)
    : at_(page.data()),
      page_end_(page.data() + page.size()),
      line_begin_(page.data()),
      options_(options),
      line_(options.first_line - 1) {}

PageItem PageParser::Next() {
  while (at_ != page_end_) {
    const char* const begin = at_;
    line_begin_ = begin;
    const auto left = static_cast<std::size_t>(page_end_ - begin);
    const auto* const end = static_cast<const char*>(std::memchr(begin, '\n', left));
    ++line_;
    if (finished_) {
      return Stop(ErrorCode::kInvalid, "expected nothing after # EOF");
    }
    if (end == nullptr) {
      return Unterminated();
    }
    at_ = end + 1;
    if (static_cast<std::size_t>(end - begin) > options_.max_line) {
      return Fail(begin, "a shorter line");
    }
    const char* const first = SkipBlanks(begin);
    if (first == end) {
      continue;
    }
    if (*first != '#') {
      return ParseSample(first, end);
    }
    auto item = ParseComment(first, end);
    if (item.kind != ItemKind::kEnd) {
      return item;
    }
  }
  if (!finished_ && options_.mode == ParseMode::kStrict &&
      options_.format == Format::kOpenMetrics) {
    ++line_;
    line_begin_ = page_end_;
    return Stop(ErrorCode::kInvalid, "expected # EOF, found the end of the page: it was cut");
  }
  return {};
}

PageItem PageParser::Unterminated() {
  const auto rest = View(at_, page_end_);
  if (rest.size() > options_.max_line) {
    return Stop(ErrorCode::kTooLarge,
                "expected a line of at most " + std::to_string(options_.max_line) + " bytes");
  }
  if (options_.mode == ParseMode::kStrict) {
    // Its number may have lost digits, so it is worth nothing. But a complete "# EOF" is complete.
    if (options_.format == Format::kOpenMetrics && rest == "# EOF") {
      at_ = page_end_;
      finished_ = true;
      return {.kind = ItemKind::kEof};
    }
    line_begin_ = page_end_ - rest.size();
    return Stop(ErrorCode::kInvalid, "expected a newline at the end of the last line");
  }
  at_ = page_end_;
  return {.kind = ItemKind::kCut, .text = rest};
}

// kEnd stands for "a comment for people, go on".
PageItem PageParser::ParseComment(const char* begin, const char* end) {
  if (options_.format == Format::kOpenMetrics && View(begin, end) == "# EOF") {
    finished_ = true;
    return {.kind = ItemKind::kEof};
  }
  if (!Is(begin[1], kBlankByte)) {
    return {};
  }
  const char* const word_begin = SkipBlanks(begin + 1);
  const char* const word_end = SkipToken(word_begin);
  const auto word = View(word_begin, word_end);
  PageItem item;
  if (word == "HELP") {
    item.kind = ItemKind::kHelp;
  } else if (word == "TYPE") {
    item.kind = ItemKind::kType;
  } else if (word == "UNIT" && options_.format == Format::kOpenMetrics) {
    item.kind = ItemKind::kUnit;
  } else {
    return {};
  }
  const char* const name = SkipBlanks(word_end);
  const char* const name_end = SkipToken(name);
  item.name = View(name, name_end);
  if (!IsMetricName(item.name)) {
    return Fail(name, "a metric name");
  }
  const char* const text = SkipBlanks(name_end);
  item.text = View(text, end);
  if (item.kind == ItemKind::kHelp) {
    return IsUtf8(item.text) ? item : Fail(text, "a help text in UTF-8");
  }
  while (!item.text.empty() && Is(item.text.back(), kBlankByte)) {
    item.text.remove_suffix(1);
  }
  if (item.kind == ItemKind::kType && !IsTypeWord(item.text)) {
    return Fail(text, "a metric type such as counter or gauge");
  }
  return item;
}

// The end of the metric name that begins at `at`; `at` itself when there is none.
const char* PageParser::ScanName(const char* at, const char* end) {
  // Most samples have the name of the one before: comparing is faster than classifying bytes.
  const auto known = last_name_.size();
  if (known != 0 && static_cast<std::size_t>(end - at) > known &&
      std::memcmp(at, last_name_.data(), known) == 0 && !Is(at[known], kNameByte)) {
    return at + known;
  }
  if (Is(*at, kDigitByte)) {
    return at;
  }
  const char* stop = at;
  while (Is(*stop, kNameByte)) {
    ++stop;
  }
  last_name_ = View(at, stop);
  return stop;
}

// Checks `name="value",…}` from just behind the opening brace. The place of the closing brace, or
// nullptr after Fail.
const char* PageParser::ScanLabels(const char* at, const char* end) {
  const auto fail = [&](const char* place, std::string_view expected) -> const char* {
    (void)Fail(place, expected);
    return nullptr;
  };
  at = SkipBlanks(at);
  for (std::size_t count = 1; *at != '}'; ++count) {
    if (count > options_.max_labels) {
      return fail(at, "fewer labels");
    }
    const char* const name = at;
    if (!Is(*at, kLabelByte) || Is(*at, kDigitByte)) {
      return fail(at, "a label name");
    }
    while (Is(*at, kLabelByte)) {
      ++at;
    }
    at = SkipBlanks(at);
    if (*at != '=') {
      return fail(at, "= after the label name " + std::string(View(name, at)));
    }
    at = SkipBlanks(at + 1);
    if (*at != '"') {
      return fail(at, "a label value in double quotes");
    }
    const char* const value = ++at;
    bool ascii = true;
    while (*(at = SkipPlain(at, page_end_)) != '"') {
      if (*at == '\n') {
        return fail(end, "a double quote at the end of the label value");
      }
      if (*at == '\\') {
        if (at[1] != '\\' && at[1] != '"' && at[1] != 'n') {
          return fail(at, "one of \\\\ \\\" \\n in a label value");
        }
        at += 2;
      } else {
        ascii = false;
        ++at;
      }
    }
    if (!ascii && !IsUtf8(View(value, at))) {
      return fail(value, "a label value in UTF-8");
    }
    at = SkipBlanks(at + 1);
    if (*at == ',') {
      at = SkipBlanks(at + 1);  // the last one may stand before the brace
    } else if (*at != '}') {
      return fail(at, ", or } after a label");
    }
  }
  return at;
}

PageItem PageParser::ParseSample(const char* begin, const char* end) {
  PageItem item;
  const char* at = ScanName(begin, end);
  if (at == begin) {
    return Fail(begin, "a metric name");
  }
  item.name = View(begin, at);
  const char* const name_end = at;
  at = SkipBlanks(at);
  if (*at == '{') {
    const char* const close = ScanLabels(at + 1, end);
    if (close == nullptr) {
      return {.kind = ItemKind::kError};
    }
    item.labels = View(at + 1, close);
    at = close + 1;
    item.series = View(begin, at);
    at = SkipBlanks(at);
  } else {
    item.series = item.name;
    if (at == name_end) {
      return Fail(at, "a blank or { after the metric name");
    }
  }

  const char* const value_end = SkipToken(at);
  const auto value = ParseSampleValue(View(at, value_end));
  if (!value) {
    return Fail(at, "a number");
  }
  item.value = *value;
  at = SkipBlanks(value_end);
  if (*at != '\n' && *at != '#') {
    const char* const time_end = SkipToken(at);
    const auto time = View(at, time_end);
    item.timestamp =
        options_.format == Format::kText ? ParseUnixMilliseconds(time) : ParseUnixSeconds(time);
    if (!item.timestamp) {
      return Fail(at, options_.format == Format::kText
                          ? "a timestamp in whole milliseconds since 1970"
                          : "a timestamp in seconds since 1970");
    }
    at = SkipBlanks(time_end);
  }
  if (*at != '\n' && !(*at == '#' && options_.format == Format::kOpenMetrics)) {
    return Fail(at, "the end of the line");
  }
  if (++samples_ > options_.max_samples) {
    return Stop(ErrorCode::kTooLarge,
                "expected at most " + std::to_string(options_.max_samples) + " samples");
  }
  item.kind = ItemKind::kSample;
  return item;
}

bool PageParser::ReadStamp(const char* at) {
  // Comparing text first: all samples of a block carry the same stamp.
  const char* const end = std::find(at, at + kNumberBytes, '\n');
  const auto stamp = View(at, end);
  if (!last_stamp_.empty() && stamp == last_stamp_) {
    return true;
  }
  const auto time =
      options_.format == Format::kText ? ParseUnixMilliseconds(stamp) : ParseUnixSeconds(stamp);
  if (!time || stamp.size() == kNumberBytes) {
    return false;
  }
  last_stamp_ = stamp;
  last_time_ = *time;
  if (stamp.size() >= sizeof(stamp_head_)) {
    stamp_head_ = numbers_detail::FirstByteLowest(at);
    stamp_tail_ = numbers_detail::FirstByteLowest(end - sizeof(stamp_tail_));
  }
  return true;
}

bool PageParser::Skip(std::string_view line) {
  if (!StandsAt(line) || at_[line.size()] != '\n') {
    return false;
  }
  at_ += line.size() + 1;
  ++line_;
  return true;
}

std::string_view PageParser::LineText() const {
  const auto* const end = at_ != line_begin_ && at_[-1] == '\n' ? at_ - 1 : at_;
  return View(line_begin_, end);
}

PageItem PageParser::Fail(const char* at, std::string_view expected) {
  auto message = "expected " + std::string(expected) + ", found " + Found(at, page_end_);
  const auto column = at - line_begin_ + 1;
  const bool ends = options_.mode == ParseMode::kStrict;
  error_ = {ErrorCode::kInvalid, std::move(message),
            "line " + std::to_string(line_) + ", column " + std::to_string(column)};
  if (ends) {
    at_ = page_end_;
    finished_ = true;
  }
  return {.kind = ItemKind::kError};
}

// An error after which there is nothing more in either mode.
PageItem PageParser::Stop(ErrorCode code, std::string message) {
  error_ = {code, std::move(message), "line " + std::to_string(line_) + ", column 1"};
  at_ = page_end_;
  finished_ = true;
  return {.kind = ItemKind::kError};
}

}  // namespace limpet
