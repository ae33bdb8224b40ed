#include "diagnoser/evidence/timed_masks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace limpet {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
constexpr std::int64_t kFirstDay = 4;  // 1 January 1970 was a Thursday

}  // namespace

bool Holds(const TimedMask& mask, UnixTime begin, UnixTime end) {
  using std::chrono::days;
  using std::chrono::minutes;
  // The day before, too: a span that began on it may last into this one.
  const auto first = std::chrono::floor<days>(begin) - days(1);
  const auto last = std::chrono::floor<days>(end);
  const int length = mask.to > mask.from ? mask.to - mask.from : mask.to - mask.from + kDayMinutes;
  for (auto day = first; day <= last; day += days(1)) {
    const auto weekday = (day.time_since_epoch().count() + kFirstDay) % 7;
    if (!mask.days.test(static_cast<std::size_t>(weekday))) {
      continue;
    }
    const UnixTime from = day + minutes(mask.from);
    if (from <= end && from + minutes(length) > begin) {
      return true;
    }
  }
  return false;
}

std::vector<std::string> MaskedWithin(const std::vector<TimedMask>& masks, UnixTime begin,
                                      UnixTime end) {
  std::vector<std::string> masked;
  // A configuration lists few: a search for each costs less than a set.
  for (const auto& mask : masks) {
    if (Holds(mask, begin, end) && std::ranges::find(masked, mask.what) == masked.end()) {
      masked.push_back(mask.what);
    }
  }
  return masked;
}

std::string Describe(const TimedMask& mask) {
  auto text = fmt::format("{} from {:02}:{:02} to {:02}:{:02} UTC", mask.what, mask.from / 60,
                          mask.from % 60, mask.to / 60, mask.to % 60);
  // What holds every day needs no list of days.
  if (mask.days.all()) {
    return text;
  }
  std::string_view before = " on ";
  for (std::size_t day = 0; day < kDays.size(); ++day) {
    if (mask.days.test(day)) {
      text.append(before).append(kDays[day]);
      before = ", ";
    }
  }
  return text;
}

int DayNumber(std::string_view name) {
  const auto* const found = std::ranges::find(kDays, name);
  return found == kDays.end() ? -1 : static_cast<int>(found - kDays.begin());
}

}  // namespace limpet
