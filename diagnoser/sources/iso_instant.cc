#include "diagnoser/sources/iso_instant.h"

#include <chrono>

#include "exporter/common/exposition/numbers.h"
#include "exporter/common/instants.h"

namespace limpet {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes text apart from its front; once something is not as expected, everything fails.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  int Digits(std::size_t count) {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_digit = i < rest_.size() && IsDigit(rest_[i]);
      good_ = good_ && is_digit;
      value = is_digit ? 10 * value + (rest_[i] - '0') : 0;
    }
    rest_.remove_prefix(std::min(count, rest_.size()));
    return value;
  }
  // The first of `allowed` that is next; 0 when none is.
  char AnyOf(std::string_view allowed) {
    const bool found = !rest_.empty() && allowed.find(rest_.front()) != std::string_view::npos;
    const char is = found ? rest_.front() : '\0';
    rest_.remove_prefix(found ? 1 : 0);
    return is;
  }
  void Expect(std::string_view allowed) { good_ = AnyOf(allowed) != '\0' && good_; }
  // Of a second, behind its point; digits past the ninth are dropped.
  Duration Fraction() {
    Duration fraction{};
    std::size_t digits = 0;
    for (Duration unit = std::chrono::milliseconds(100); !rest_.empty() && IsDigit(rest_.front());
         unit /= 10, ++digits) {
      fraction += unit * (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    good_ = good_ && digits > 0;
    return fraction;
  }
  [[nodiscard]] bool AtEnd() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

// "Z", "+01:00", "+0100" or nothing. How far the zone is ahead of UTC.
Duration ReadOffset(Cursor& cursor) {
  const char sign = cursor.AnyOf("Z+-");
  if (sign == '\0' || sign == 'Z') {
    return {};
  }
  const auto hours = std::chrono::hours(cursor.Digits(2));
  (void)cursor.AnyOf(":");
  const auto ahead = hours + std::chrono::minutes(cursor.Digits(2));
  return sign == '+' ? ahead : -ahead;
}

}  // namespace

std::optional<UnixTime> ParseIsoInstant(std::string_view text) {
  using std::chrono::hours;
  using std::chrono::minutes;
  using std::chrono::seconds;
  Cursor cursor(text);
  const auto year = cursor.Digits(4);
  cursor.Expect("-");
  const auto month = static_cast<unsigned>(cursor.Digits(2));
  cursor.Expect("-");
  const auto day = static_cast<unsigned>(cursor.Digits(2));
  cursor.Expect("T ");
  const auto hour = cursor.Digits(2);
  cursor.Expect(":");
  const auto minute = cursor.Digits(2);
  cursor.Expect(":");
  const auto second = cursor.Digits(2);
  const auto fraction = cursor.AnyOf(".") != '\0' ? cursor.Fraction() : Duration();
  const auto offset = ReadOffset(cursor);
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  // 60: a leap second, which Unix time counts as the first of the next minute.
  if (!cursor.AtEnd() || !date.ok() || year < 1970 || year > 2100 || hour > 23 || minute > 59 ||
      second > 60) {
    return std::nullopt;
  }
  const auto at = std::chrono::sys_days(date) + hours(hour) + minutes(minute) + seconds(second);
  const auto instant = UnixTime(at) + fraction - offset;
  return IsInstant(instant) ? std::optional(instant) : std::nullopt;
}

std::optional<UnixTime> ParseAnyInstant(std::string_view text) {
  if (const auto iso = ParseIsoInstant(text)) {
    return iso;
  }
  const auto seconds = ParseUnixSeconds(text);
  return seconds && IsInstant(*seconds) ? seconds : std::nullopt;
}

}  // namespace limpet
