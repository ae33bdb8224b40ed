#include "diagnoser/commands/time_range.h"

#include <optional>

#include "diagnoser/runtime/store_replay.h"

namespace limpet {
namespace {

Error ExpectedTime(const std::string& flag, const std::string& more, const std::string& text) {
  return {ErrorCode::kInvalid,
          "expected a time such as 2026-01-31T10:00:00Z or Unix seconds" + more + ", got \"" +
              text + "\"",
          flag};
}

}  // namespace

Result<TimeRange> ParseTimeRange(const std::string& from, const std::string& to) {
  TimeRange range;
  if (!from.empty()) {
    const auto parsed = ParseInstant(from);
    if (!parsed) {
      return ExpectedTime("--from", "", from);
    }
    range.from = *parsed;
  }
  if (!to.empty()) {
    const auto parsed = ParseInstant(to);
    // An empty range would say "nothing found" of recordings that hold much.
    if (!parsed || *parsed <= range.from) {
      return ExpectedTime("--to", from.empty() ? "" : " after --from", to);
    }
    range.to = *parsed;
  }
  return range;
}

}  // namespace limpet
