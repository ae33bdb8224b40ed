#include "diagnoser/sources/schedule.h"

#include <chrono>
#include <cstdint>

#include "exporter/common/hash.h"

namespace limpet {
namespace {

constexpr Duration kSecond = std::chrono::seconds(1);
constexpr Duration kClear = std::chrono::milliseconds(150);  // of the exporters' own sampling

// Mixed once more: FNV-1a alone leaves the high bits of names like io01, io02 … alike.
std::uint64_t Hash(std::string_view text) {
  auto hash = Fnv1a64(text);
  hash ^= hash >> 32U;
  hash *= 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29U);
}

}  // namespace

Duration FindPhase(std::string_view node, Duration interval) {
  const auto hash = Hash(node);
  if (interval % kSecond != Duration::zero()) {
    return Duration(static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(interval.count())));
  }
  // The second and the place in it come from different bits, so that one does not follow the other.
  const auto seconds = static_cast<std::uint64_t>(interval / kSecond);
  const auto room = static_cast<std::uint64_t>((kSecond - 2 * kClear).count());
  return static_cast<std::int64_t>((hash >> 40U) % seconds) * kSecond + kClear +
         Duration(static_cast<std::int64_t>(hash % room));
}

Duration UntilNext(UnixTime now, Duration interval, Duration phase) {
  // Negative before the first phase after 1970, as in tests with a small clock.
  const auto into = (now.time_since_epoch() - phase) % interval;
  return into < Duration::zero() ? -into : interval - into;
}

}  // namespace limpet
