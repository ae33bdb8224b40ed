// sample_instant.h: when the readings on a page were taken.
//
// limpet-exporter says so itself (limpet_sample_timestamp_seconds): all its readings are of that
// instant, up to a second before the scrape. Other exporters read while they answer.
// Threads: pure.
#pragma once

#include <optional>
#include <string_view>

#include "exporter/common/time.h"

namespace limpet {

// Returns what the page says, the nearest instant to it; nullopt when it says nothing.
[[nodiscard]] std::optional<UnixTime> SampleInstant(std::string_view page);

inline constexpr Duration kSamplePeriod = std::chrono::seconds(1);  // of limpet-exporter

// The least difference of clocks (theirs − ours) that explains a sample of `sampled` (their clock)
// on a page asked for at `asked` and there at `answered` (ours), when samples are taken every
// `period`: zero when it was taken meanwhile or up to one period before, negative when it is older,
// positive when it is of the future.
[[nodiscard]] Duration ClockSkew(UnixTime sampled, UnixTime asked, UnixTime answered,
                                 Duration period);

}  // namespace limpet
