#include "exporter/record/rotation.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::string_view kTextEnding = ".om.zst";
constexpr std::string_view kColumnsEnding = ".columns.zst";
constexpr std::uint64_t kNoNumber = 9999;     // larger than any part of a date may be
constexpr std::chrono::year kLastYear{2261};  // 64 bits of nanoseconds end in 2262

std::chrono::sys_days RecordingDay(UnixTime at) {
  return std::chrono::floor<std::chrono::days>(at - kDayBegins);
}

}  // namespace

Placement Place(std::optional<UnixTime> last, UnixTime at) {
  // A clock that was set back far begins a new file: time only grows within one. After a small step
  // the samples are left out until time has caught up.
  if (!last || *last - at >= kSmallStep) {
    return Placement::kNewFile;
  }
  if (at <= *last) {
    return Placement::kSkip;
  }
  return RecordingDay(at) > RecordingDay(*last) ? Placement::kNewFile : Placement::kAppend;
}

std::string RecordingName(UnixTime start, unsigned again, RecordingForm form) {
  const auto day = std::chrono::floor<std::chrono::days>(start);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(start - day));
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z{}{}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     again == 0 ? "" : fmt::format("-{}", again),
                     form == RecordingForm::kText ? kTextEnding : kColumnsEnding);
}

std::optional<UnixTime> ParseRecordingName(std::string_view name) {
  constexpr std::string_view kShape = "00000000T000000Z";
  const auto form = name.ends_with(kColumnsEnding) ? RecordingForm::kColumns : RecordingForm::kText;
  const auto ending = form == RecordingForm::kColumns ? kColumnsEnding : kTextEnding;
  if (name.size() < kShape.size() + ending.size() || !name.ends_with(ending)) {
    return std::nullopt;
  }
  const auto number = [&](std::size_t at, std::size_t count) {
    return static_cast<int>(ParseU64(name.substr(at, count)).value_or(kNoNumber));
  };
  const std::chrono::year_month_day date{std::chrono::year(number(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(number(4, 2))),
                                         std::chrono::day(static_cast<unsigned>(number(6, 2)))};
  if (!date.ok() || date.year() > kLastYear) {
    return std::nullopt;
  }
  const UnixTime start = std::chrono::sys_days(date) + std::chrono::hours(number(9, 2)) +
                         std::chrono::minutes(number(11, 2)) + std::chrono::seconds(number(13, 2));
  // Only what would be written the same again: "20260231…" and "2026-1-1…" are not ours.
  const auto tail = name.substr(kShape.size(), name.size() - kShape.size() - ending.size());
  const auto again = tail.empty() ? 0 : ParseU64(tail.substr(1)).value_or(0);
  return RecordingName(start, static_cast<unsigned>(again), form) == name ? std::optional(start)
                                                                          : std::nullopt;
}

}  // namespace limpet
