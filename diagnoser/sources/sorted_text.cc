#include "diagnoser/sources/sorted_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "diagnoser/sources/line_times.h"
#include "exporter/common/exposition/parser.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

bool IsSample(std::string_view line) { return !Trim(line).empty() && line.front() != '#'; }

// The name and labels of a sample.
std::string_view SeriesOf(std::string_view line) {
  const auto brace = line.rfind('}');
  return brace == std::string_view::npos ? line.substr(0, line.find(' '))
                                         : line.substr(0, brace + 1);
}

}  // namespace

bool IsOrderedBySeries(std::string_view text) {
  std::string_view name;
  std::set<std::string_view> seen;
  Lines lines(text.substr(0, text.rfind('\n')));
  while (const auto line = lines.Next()) {
    if (!IsSample(*line)) {
      continue;
    }
    const auto of_line = line->substr(0, line->find_first_of("{ "));
    if (!name.empty() && of_line != name) {
      return false;
    }
    name = of_line;
    if (!seen.insert(SeriesOf(*line)).second) {
      return true;
    }
  }
  return false;
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
  std::string sorted;
  sorted.reserve(text_.size());
  for (std::size_t begin = 0; begin < text_.size();) {
    const auto newline = text_.find('\n', begin);
    if (newline == std::string::npos) {
      break;  // a last line without its newline may lack digits
    }
    const auto line = std::string_view(text_).substr(begin, newline + 1 - begin);
    if (line.starts_with("# ") && !line.starts_with("# EOF")) {
      sorted += line;
    } else if (IsSample(line)) {
      if (const auto at = FindFirstTime(line, 0, line.size(), format)) {
        lines.push_back({.at = *at, .begin = begin, .size = line.size()});
      }
    }
    begin = newline + 1;
  }
  std::ranges::stable_sort(lines, {}, &Line::at);
  for (const auto& line : lines) {
    sorted.append(text_, line.begin, line.size);
  }
  text_ = {};
  return sorted;
}

}  // namespace limpet
