#include "diagnoser/evidence/packets/delay_seconds.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace limpet {
namespace {

constexpr std::size_t kByClients = 0;
constexpr std::size_t kByServer = 1;

// Numbers for names, in the order in which they come.
class Numbers {
 public:
  std::size_t Of(std::string_view name) {
    const auto [found, added] = numbers_.emplace(name, names_.size());
    if (added) {
      names_.push_back(name);
    }
    return found->second;
  }
  [[nodiscard]] std::span<const std::string_view> Names() const { return names_; }

 private:
  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::vector<std::string_view> names_;
};

}  // namespace

void DelaySeconds::Add(std::int64_t second, std::span<const Measured> trips) {
  for (std::size_t side = 0; side < kSides; ++side) {
    Numbers ends;
    Numbers servers;
    std::vector<MeasuredTrip> measured;
    for (const auto& trip : trips) {
      if (trip.side == side) {
        measured.push_back(
            {.end = ends.Of(trip.end), .server = servers.Of(trip.server), .seconds = trip.seconds});
      }
    }
    const auto names = servers.Names();
    const auto split = SplitTrips(std::move(measured), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!split[i]) {
        continue;
      }
      auto known = servers_.find(names[i]);
      if (known == servers_.end()) {
        known = servers_.try_emplace(std::string(names[i])).first;
      }
      auto& ring = known->second[side];
      ring.resize(keep_);
      ring[static_cast<std::size_t>(second) % keep_] = {.second = second, .trip = *split[i]};
    }
  }
}

std::optional<ServerTrip> DelaySeconds::SumUpRing(const Ring& ring, std::int64_t last,
                                                  std::size_t seconds) const {
  std::vector<ServerTrip> trips;
  for (auto second = std::max<std::int64_t>(0, last - static_cast<std::int64_t>(seconds) + 1);
       !ring.empty() && second <= last; ++second) {
    const auto& entry = ring[static_cast<std::size_t>(second) % keep_];
    if (entry.second == second) {
      trips.push_back(entry.trip);
    }
  }
  return SumUpTrips(trips, seconds);
}

std::optional<ServerTrip> DelaySeconds::SumUp(std::string_view server, std::int64_t last,
                                              std::size_t seconds) const {
  const auto known = servers_.find(server);
  if (known == servers_.end()) {
    return std::nullopt;
  }
  auto trip = SumUpRing(known->second[kByServer], last, seconds);
  const auto by_clients = SumUpRing(known->second[kByClients], last, seconds);
  if (trip && by_clients) {
    const auto [less, more] = std::minmax({trip->part, by_clients->part});
    trip->part = less > 0 ? less : std::min(more, 0.0);
    // Where a side only answers, acknowledgments of its answers wait behind what the other sends,
    // or until that has something to send.
    trip->level = std::min(trip->level, by_clients->level);
  }
  return trip;
}

void DelaySeconds::Forget(std::string_view server) {
  if (const auto known = servers_.find(server); known != servers_.end()) {
    servers_.erase(known);
  }
}

}  // namespace limpet
