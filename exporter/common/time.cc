#include "exporter/common/time.h"

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

// Not fmt: a scrape a second asks for the date, and its code would stay in memory for that alone
// (docs/decisions/0120).
template <class Number>
std::string Digits(Number number, std::size_t width) {
  auto text = std::to_string(static_cast<std::int64_t>(number));
  return text.insert(0, width > text.size() ? width - text.size() : 0, '0');
}

std::string ClockText(const Calendar& at) {
  return Digits(at.clock.hours().count(), 2) + ":" + Digits(at.clock.minutes().count(), 2) + ":" +
         Digits(at.clock.seconds().count(), 2);
}

}  // namespace

std::string IsoTime(UnixTime t) {
  const Calendar at(t);
  return Digits(static_cast<int>(at.date.year()), 4) + "-" +
         Digits(static_cast<unsigned>(at.date.month()), 2) + "-" +
         Digits(static_cast<unsigned>(at.date.day()), 2) + "T" + ClockText(at) + "Z";
}

std::string HttpDate(UnixTime t) {
  // English whatever the locale: the field is for programs.
  constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed",
                                                     "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const Calendar at(t);
  std::string text(kDays.at(std::chrono::weekday(at.day).c_encoding()));
  text.append(", ").append(Digits(static_cast<unsigned>(at.date.day()), 2)).append(" ");
  text.append(kMonths.at(static_cast<unsigned>(at.date.month()) - 1)).append(" ");
  return text + Digits(static_cast<int>(at.date.year()), 4) + " " + ClockText(at) + " GMT";
}

}  // namespace limpet
