#include "exporter/kernel/net_stat.h"

#include <algorithm>

#include "exporter/common/text.h"
#include "exporter/kernel/whole_lines.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxPairs = 64;  // kernels print under ten

// "Tcp" of "Tcp: …"; empty when the line has no such word.
std::string_view Protocol(std::string_view line) {
  auto first = Fields(line).Next();
  if (!first.ends_with(':')) {
    return {};
  }
  first.remove_suffix(1);
  return first;
}

}  // namespace

PairedLines::Heading PairedLines::ParseHeading(std::string_view names) const {
  Heading heading{std::string(names), {}};
  const auto protocol = Protocol(names);
  Fields words(names);
  words.Next();
  std::size_t column = 0;
  for (auto name = words.Next(); !name.empty(); name = words.Next(), ++column) {
    const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const auto& field) {
      return field.protocol == protocol && field.name == name;
    });
    if (found != fields_.end()) {
      heading.columns.push_back({column, static_cast<std::size_t>(found - fields_.begin())});
    }
  }
  return heading;
}

NetStatValues PairedLines::Parse(std::string_view text) {
  NetStatValues values(fields_.size());
  Lines lines(WholeLines(text));
  for (std::size_t pair = 0; pair < kMaxPairs; ++pair) {
    const auto names = lines.Next();
    const auto numbers = lines.Next();
    if (!names || !numbers) {
      break;
    }
    // A line of names is compared as a whole, which is cheaper than looking its words up.
    if (pair == headings_.size()) {
      headings_.push_back(ParseHeading(*names));
    } else if (headings_[pair].line != *names) {
      headings_[pair] = ParseHeading(*names);
    }
    // A pair that nothing is wanted of, or whose two lines do not belong together: a damaged file.
    const auto& columns = headings_[pair].columns;
    if (columns.empty() || Protocol(*numbers) != Protocol(*names)) {
      continue;
    }
    Fields words(*numbers);
    words.Next();
    std::size_t column = 0;
    for (const auto& wanted : columns) {
      for (; column < wanted.column; ++column) {
        words.Next();
      }
      values[wanted.field] = ParseU64(words.Next());
      ++column;
    }
  }
  return values;
}

NetStatValues ParseSockstat(std::string_view text, std::span<const NetStatField> fields) {
  NetStatValues values(fields.size());
  Lines lines(WholeLines(text));
  while (const auto line = lines.Next()) {
    const auto protocol = Protocol(*line);
    Fields words(*line);
    words.Next();
    for (auto name = words.Next(); !name.empty(); name = words.Next()) {
      const auto number = ParseU64(words.Next());
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].protocol == protocol && fields[i].name == name) {
          values[i] = number;
        }
      }
    }
  }
  return values;
}

}  // namespace limpet
