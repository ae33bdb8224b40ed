#include "diagnoser/sources/schedule.h"

#include <chrono>
#include <cstdint>

namespace limpet {
namespace {

constexpr Duration kSecond = std::chrono::seconds(1);
constexpr Duration kClear = std::chrono::milliseconds(150);

// FNV-1a with a final mix: names like io01, io02 … differ in their last character only.
std::uint64_t Hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  hash ^= hash >> 32U;
  hash *= 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29U);
}

}  // namespace

Duration PhaseOf(std::string_view node, Duration interval) {
  const auto hash = Hash(node);
  if (interval % kSecond != Duration::zero()) {
    return Duration(static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(interval.count())));
  }
  const auto seconds = static_cast<std::uint64_t>(interval / kSecond);
  const auto room = static_cast<std::uint64_t>((kSecond - 2 * kClear).count());
  return static_cast<std::int64_t>((hash >> 40U) % seconds) * kSecond + kClear +
         Duration(static_cast<std::int64_t>(hash % room));
}

Duration UntilNext(UnixTime now, Duration interval, Duration phase) {
  const auto into = (now.time_since_epoch() - phase) % interval;
  return into < Duration::zero() ? -into : interval - into;
}

}  // namespace limpet
