#include "exporter/common/time.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace limpet {
namespace {

// The standard's calendar instead of gmtime and strftime: no static buffer, no locale, and no
// time_t that may be narrower than ours.
struct Calendar {
  explicit Calendar(UnixTime t)
      : day(std::chrono::floor<std::chrono::days>(t)),
        date(day),
        clock(std::chrono::floor<std::chrono::seconds>(t - day)) {}

  std::chrono::sys_days day;
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<std::chrono::seconds> clock;
};

}  // namespace

std::string IsoTime(UnixTime t) {
  const Calendar at(t);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(at.date.year()),
                     static_cast<unsigned>(at.date.month()), static_cast<unsigned>(at.date.day()),
                     at.clock.hours().count(), at.clock.minutes().count(),
                     at.clock.seconds().count());
}

std::string HttpDate(UnixTime t) {
  // English whatever the locale: the field is for programs.
  constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed",
                                                     "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const Calendar at(t);
  return fmt::format(
      "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
      kDays.at(std::chrono::weekday(at.day).c_encoding()), static_cast<unsigned>(at.date.day()),
      kMonths.at(static_cast<unsigned>(at.date.month()) - 1), static_cast<int>(at.date.year()),
      at.clock.hours().count(), at.clock.minutes().count(), at.clock.seconds().count());
}

}  // namespace limpet
