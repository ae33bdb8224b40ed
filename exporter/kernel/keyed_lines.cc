#include "exporter/kernel/keyed_lines.h"

#include <algorithm>

#include "exporter/common/text.h"
#include "exporter/kernel/whole_lines.h"

namespace limpet {

KeyedLines::Values KeyedLines::Parse(std::string_view text) {
  const auto whole = WholeLines(text);
  if (places_.size() == keys_.size()) {  // a key that was missing may have come
    if (auto values = ReadAtPlaces(whole)) {
      return *std::move(values);
    }
  }
  FindPlaces(whole);
  return ReadAtPlaces(whole).value_or(Values(keys_.size()));
}

// nullopt when the lines are not where they were.
std::optional<KeyedLines::Values> KeyedLines::ReadAtPlaces(std::string_view whole) const {
  Values values(keys_.size());
  auto place = places_.begin();
  Lines lines(whole);
  std::size_t number = 0;
  for (auto line = lines.Next(); line; line = lines.Next(), ++number) {
    // Most lines are stepped over: finding their end is all they cost.
    if (place == places_.end() || place->line != number) {
      continue;
    }
    Fields fields(*line);
    // The order is fixed while a kernel runs, but nothing promises that.
    if (fields.Next() != keys_[place->key]) {
      return std::nullopt;
    }
    values[place->key] = ParseU64(fields.Next());
    ++place;
  }
  // Another number of lines: a key that is missing may be among the new ones.
  if (number != lines_ || place != places_.end()) {
    return std::nullopt;
  }
  return values;
}

void KeyedLines::FindPlaces(std::string_view whole) {
  places_.clear();
  lines_ = 0;
  std::vector<bool> found(keys_.size());
  Lines lines(whole);
  for (auto line = lines.Next(); line; line = lines.Next(), ++lines_) {
    const auto key = std::find(keys_.begin(), keys_.end(), Fields(*line).Next());
    const auto index = static_cast<std::size_t>(key - keys_.begin());
    if (key != keys_.end() && !found[index]) {
      found[index] = true;
      places_.push_back({lines_, index});
    }
  }
}

}  // namespace limpet
