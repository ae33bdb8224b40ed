#include "diagnoser/evidence/packets/recent_rise.h"

namespace limpet {

using namespace std::chrono_literals;

std::optional<double> RiseInSecond(const RecentReadings& counter, UnixTime t,
                                   Duration max_between) {
  const auto* now = counter.Latest(t);
  const auto* before = counter.Latest(t - 1s);
  for (const auto& reading : counter.All()) {
    if (before != nullptr && reading.at <= t - 1s && reading.value > before->value) {
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
