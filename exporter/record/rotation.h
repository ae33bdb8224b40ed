// rotation.h: which file a sample belongs into.
//
// Day:     begins at 00:00:05 UTC, so that a clock which is set back by a few seconds just after
//          midnight is still in the new day.
// Forward: a step forward ends the file at once when it leads into another day.
// Back:    under 5 s the file goes on; samples not later than the last one are left out, since time
//          must grow within a file (promtool refuses anything else). 5 s and more: a new file.
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exporter/common/time.h"

namespace limpet {

inline constexpr Duration kDayBegins = std::chrono::seconds(5);
inline constexpr Duration kSmallStep = std::chrono::seconds(5);

enum class RecordingForm {
  kText,     // OpenMetrics, for any tool
  kColumns,  // a fifth of its size
};

enum class Placement {
  kAppend,   // to the open file
  kNewFile,  // close the open one, if any, and begin another with this sample
  kSkip,     // left out
};

// `last` is the time of the last sample in the open file; nullopt when none is open.
[[nodiscard]] Placement Place(std::optional<UnixTime> last, UnixTime at);

// "20260131T000005Z.om.zst" or, in columns, "20260131T000005Z.columns.zst": ISO 8601, UTC, whole
// seconds. `again` is 0, or how many files of this second there are already:
// "20260131T000005Z-1.om.zst".
[[nodiscard]] std::string RecordingName(UnixTime start, unsigned again, RecordingForm form);
// The start, in whole seconds, of a file that RecordingName named; nullopt for any other name.
[[nodiscard]] std::optional<UnixTime> ParseRecordingName(std::string_view name);

}  // namespace limpet
