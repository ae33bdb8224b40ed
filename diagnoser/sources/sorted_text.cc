#include "diagnoser/sources/sorted_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnoser/sources/line_times.h"
#include "exporter/common/exposition/parser.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::size_t kEnough = 3;  // samples that show an order

bool IsSample(std::string_view line) { return !Trim(line).empty() && line.front() != '#'; }

// The name and labels of a sample.
std::string_view SeriesOf(std::string_view line) {
  const auto brace = line.rfind('}');
  return brace == std::string_view::npos ? line.substr(0, line.find(' '))
                                         : line.substr(0, brace + 1);
}

}  // namespace

bool IsOrderedBySeries(std::string_view text) {
  std::size_t samples = 0;
  std::size_t repeated = 0;
  std::string_view last;
  Lines lines(text.substr(0, text.rfind('\n')));
  while (const auto line = lines.Next()) {
    if (IsSample(*line)) {
      const auto series = SeriesOf(*line);
      ++samples;
      repeated += series == last ? 1U : 0U;
      last = series;
    }
  }
  return samples >= kEnough && 2 * repeated >= samples;
}

Result<std::string> SortedText::Feed(std::string_view plain) {
  if (text_.size() + plain.size() > most_) {
    return Error{ErrorCode::kTooLarge,
                 fmt::format("is ordered by series, not by time, and has more than {} MiB to sort; "
                             "dump a shorter time, or fewer series (promtool's --min-time, "
                             "--max-time and --match)",
                             most_ >> 20U),
                 notes_.Path()};
  }
  text_ += plain;
  return std::string();
}

Result<std::string> SortedText::Finish() {
  const auto format = SniffFormat(text_);
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < text_.size();) {
    const auto newline = text_.find('\n', begin);
    if (newline == std::string::npos) {
      break;  // a last line without its newline may lack digits
    }
    const auto line = std::string_view(text_).substr(begin, newline + 1 - begin);
    if (IsSample(line)) {
      if (const auto at = FindFirstTime(line, 0, line.size(), format)) {
        lines.push_back({.at = *at, .begin = begin, .size = line.size()});
      }
    }
    begin = newline + 1;
  }
  std::ranges::stable_sort(lines, {}, &Line::at);
  std::string sorted;
  sorted.reserve(text_.size());
  for (const auto& line : lines) {
    sorted.append(text_, line.begin, line.size);
  }
  text_ = {};
  return sorted;
}

}  // namespace limpet
