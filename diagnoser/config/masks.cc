#include "diagnoser/config/masks.h"

#include <algorithm>
#include <bitset>
#include <cstdint>

#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::size_t kLongestName = 512;

// Empty when the line is right.
std::string FindProblem(std::string_view name) {
  if (name.size() > kLongestName) {
    return "a name of more than " + std::to_string(kLongestName) + " bytes";
  }
  // A blank in it is most likely a remark without its #: refused, or the mask would name nobody.
  if (std::any_of(name.begin(), name.end(),
                  [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; })) {
    return "expected one node or node/device a line, got \"" + std::string(name) +
           "\"; comments begin with #";
  }
  const auto slash = name.find('/');
  if (slash == 0 || (slash != std::string_view::npos && slash + 1 == name.size())) {
    return "expected node or node/device, got \"" + std::string(name) + "\"";
  }
  return {};
}

// "02:00" to minutes; "24:00" too. nullopt: it is none.
std::optional<int> ParseMinute(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || text.size() - colon != 3 || colon == 0 || colon > 2) {
    return std::nullopt;
  }
  const auto hour = ParseU64(text.substr(0, colon));
  const auto minute = ParseU64(text.substr(colon + 1));
  if (!hour || !minute || *minute > 59 || *hour * 60 + *minute > kDayMinutes) {
    return std::nullopt;
  }
  return static_cast<int>(*hour * 60 + *minute);
}

std::optional<int> ReadMinute(yaml::MapReader& entry, std::string_view key) {
  const auto text = entry.Text(key);
  const auto minute = text ? ParseMinute(*text) : std::nullopt;
  if (!minute) {
    entry.Refuse(key, "expected a time of the day in UTC such as \"02:00\", in quotes" +
                          (text ? ", got \"" + *text + "\"" : std::string()));
  }
  return minute;
}

// All days where none is listed; nullopt: one is none.
std::optional<std::bitset<7>> ReadDays(yaml::MapReader& entry) {
  const auto names = entry.Texts("days");
  std::bitset<7> days;
  for (const auto& name : names) {
    const int day = DayNumber(name);
    if (day < 0) {
      entry.Refuse("days", "expected days such as [sat, sun], got \"" + name + "\"");
      return std::nullopt;
    }
    days.set(static_cast<std::size_t>(day));
  }
  return names.empty() ? std::bitset<7>().set() : days;
}

}  // namespace

std::optional<TimedMask> ReadTimedMask(yaml::MapReader& entry) {
  const auto node = entry.Text("node");
  const auto problem = node ? FindProblem(*node) : "expected node or node/device";
  if (!problem.empty()) {
    entry.Refuse("node", problem);
  }
  const auto from = ReadMinute(entry, "from");
  const auto to = ReadMinute(entry, "to");
  const auto days = ReadDays(entry);
  if (from && to && (*from == *to || *from == kDayMinutes)) {
    entry.Refuse("to", "expected another time than from; all day is from \"00:00\" to \"24:00\"");
    return std::nullopt;
  }
  entry.RefuseUnknown();
  if (!problem.empty() || !from || !to || !days) {
    return std::nullopt;
  }
  return TimedMask{.what = *node, .from = *from, .to = *to, .days = *days};
}

Result<std::vector<std::string>> ParseMasks(std::string_view text, const std::string& file) {
  std::vector<std::string> masks;
  Lines lines(text);
  std::size_t number = 0;
  while (const auto line = lines.Next()) {
    ++number;
    // Everything behind a # goes first: a comment may hold anything.
    const auto name = Trim(line->substr(0, line->find('#')));
    if (name.empty()) {
      continue;
    }
    auto problem = FindProblem(name);
    if (problem.empty() && masks.size() == kMaxMasks) {
      problem = "more than " + std::to_string(kMaxMasks) + " entries";
    }
    if (!problem.empty()) {
      return Error{ErrorCode::kInvalid, std::move(problem), file + ":" + std::to_string(number)};
    }
    masks.emplace_back(name);
  }
  return masks;
}

}  // namespace limpet
