#include "diagnoser/evidence/packets/recent_rise.h"

namespace limpet {

using std::chrono::seconds;

std::optional<double> RiseInSecond(const RecentReadings& counter, UnixTime t,
                                   Duration max_between) {
  const auto* now = counter.Latest(t);
  const auto* before = counter.Latest(t - seconds(1));
  for (const auto& reading : counter.All()) {
    if (before != nullptr && reading.at <= t - seconds(1) && reading.value > before->value) {
      before = &reading;
    }
  }
  if (now == nullptr || before == nullptr || now->value < before->value ||
      now->at - before->at > max_between || t - now->at > max_between) {
    return std::nullopt;
  }
  return now->value - before->value;
}

}  // namespace limpet
