// retention.h: which recordings of a folder have to go.
//
// Age:     a file goes once its last possible sample is older than keep_days; its day is in its
//          name (rotation.h). Other files are never touched, nor is the one that is being written.
// Size:    the oldest go until all of them together are below max_bytes.
// Threads: pure; a ClockWatch belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/time.h"
#include "exporter/record/recording_file.h"

namespace limpet {

struct RetentionLimits {
  std::uint64_t keep_days = 0;  // 0: for ever
  std::uint64_t max_bytes = 0;  // 0: as many as there are
};

// Names of `stored`, oldest first. `open`: name of the file that is being written, or empty. `now`:
// nullopt when the clock cannot be trusted; then nothing goes because of its age.
[[nodiscard]] std::vector<std::string> Expired(std::vector<StoredRecording> stored,
                                               const RetentionLimits& limits, std::string_view open,
                                               std::optional<UnixTime> now);

// Tells whether the wall clock may decide what is deleted: not within an hour after a step of more
// than a minute. A clock that jumps years ahead by mistake would otherwise delete everything at
// once.
class ClockWatch {
 public:
  [[nodiscard]] bool IsTrusted(UnixTime wall, SteadyTime steady);

 private:
  std::optional<Duration> offset_;  // of the wall clock to the steady one
  std::optional<SteadyTime> stepped_;
};

}  // namespace limpet
