#include "exporter/record/retention.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "exporter/record/rotation.h"

namespace limpet {
namespace {

// A clock that is slewed moves less than this between two looks.
constexpr Duration kStep = std::chrono::minutes(1);
// Time for whoever set it wrongly to set it right before anything is deleted by it.
constexpr Duration kDistrust = std::chrono::hours(1);

struct Dated {
  UnixTime start;
  StoredRecording file;
};

}  // namespace

std::vector<std::string> Expired(std::vector<StoredRecording> stored, const RetentionLimits& limits,
                                 std::string_view open, std::optional<UnixTime> now) {
  std::vector<Dated> dated;
  std::uint64_t total = 0;
  for (auto& one : stored) {
    if (const auto start = ParseRecordingName(one.name)) {
      total += one.bytes;
      dated.push_back({*start, std::move(one)});
    }
  }
  std::sort(dated.begin(), dated.end(), [](const Dated& a, const Dated& b) {
    return std::pair(a.start, a.file.name) < std::pair(b.start, b.file.name);
  });
  std::vector<std::string> expired;
  for (const auto& [start, file] : dated) {
    if (file.name == open) {
      continue;  // it is being written, and is what somebody will want to see
    }
    // A file holds at most the day after its first sample.
    const bool is_old =
        limits.keep_days != 0 && now && *now - start >= std::chrono::days(limits.keep_days + 1);
    if (is_old || (limits.max_bytes != 0 && total > limits.max_bytes)) {
      total -= file.bytes;
      expired.push_back(file.name);
    }
  }
  return expired;
}

bool ClockWatch::IsTrusted(UnixTime wall, SteadyTime steady) {
  const auto offset = wall.time_since_epoch() - steady.time_since_epoch();
  if (offset_ && (offset - *offset_ > kStep || *offset_ - offset > kStep)) {
    stepped_ = steady;
  }
  offset_ = offset;
  return !stepped_ || steady - *stepped_ >= kDistrust;
}

}  // namespace limpet
