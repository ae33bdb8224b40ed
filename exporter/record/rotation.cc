#include "exporter/record/rotation.h"

#include <fmt/format.h>

#include <chrono>

namespace limpet {
namespace {

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

std::string RecordingName(UnixTime start, unsigned again) {
  const auto day = std::chrono::floor<std::chrono::days>(start);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(start - day));
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z{}.om.zst", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     again == 0 ? "" : fmt::format("-{}", again));
}

}  // namespace limpet
