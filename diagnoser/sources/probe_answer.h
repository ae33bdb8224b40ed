// probe_answer.h: what an exporter says of a disk that it was asked to read (docs/configure.md).
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/sources/fetcher.h"
#include "exporter/common/time.h"

namespace limpet {

// The reading of one disk.
struct ProbeReading {
  enum class State {
    kMeasured,   // `reads` and `median`
    kNoAnswer,   // the disk has not answered a read for `waited`
    kDiskError,  // the disk failed a read: `error`
    kNone,       // nobody could have it read, for what `error` says
  };

  std::string node;
  std::string device;
  State state = State::kNone;
  std::size_t reads = 0;
  double median = 0;  // seconds a read
  Duration waited{};
  std::string error;  // printable, bounded
  bool operator==(const ProbeReading&) const = default;
};

// A result from before the verdict says nothing about it.
inline constexpr Duration kMaxProbeAge = std::chrono::minutes(1);

// nullopt: not yet, ask again. `reading` names the disk; the rest of it is filled in.
[[nodiscard]] std::optional<ProbeReading> ReadProbeAnswer(const FetchResult& result,
                                                          ProbeReading reading);

}  // namespace limpet
