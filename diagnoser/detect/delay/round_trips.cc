#include "diagnoser/detect/delay/round_trips.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

// The middle; of an even count that of the middle two which is nearer to 0, and 0 between them.
double MiddleVoice(std::vector<double> values) {
  const auto [lower, upper] = MiddleTwo(std::move(values));
  return lower > 0 ? lower : std::min(upper, 0.0);
}

// Sorted by end and server, one of each.
std::vector<MeasuredTrip> JoinConnections(std::vector<MeasuredTrip> trips) {
  std::ranges::sort(trips, {}, [](const MeasuredTrip& one) {
    return std::tuple(one.end, one.server, one.seconds);
  });
  std::vector<MeasuredTrip> joined;
  for (std::size_t begin = 0; begin < trips.size();) {
    auto after = begin;
    double sum = 0;
    while (after < trips.size() && trips[after].end == trips[begin].end &&
           trips[after].server == trips[begin].server) {
      sum += trips[after++].seconds;
    }
    joined.push_back({.end = trips[begin].end,
                      .server = trips[begin].server,
                      .seconds = sum / static_cast<double>(after - begin)});
    begin = after;
  }
  return joined;
}

double LowerQuartile(std::span<const ServerTrip> trips, double ServerTrip::*field) {
  std::vector<double> values;
  values.reserve(trips.size());
  for (const auto& trip : trips) {
    values.push_back(trip.*field);
  }
  std::ranges::sort(values);
  return SortedQuantile(values, 0.25);
}

// One value of all servers but the one at `place`.
template <class Value>
std::vector<double> Others(std::span<const ServerDelay> servers, std::size_t place, Value value) {
  std::vector<double> others;
  others.reserve(servers.size() - 1);
  for (std::size_t i = 0; i < servers.size(); ++i) {
    if (i != place) {
      others.push_back(value(servers[i]));
    }
  }
  return others;
}

double PartOf(const ServerDelay& server) { return server.trip.part; }
double LevelOf(const ServerDelay& server) { return server.trip.level; }
double LoadOf(const ServerDelay& server) { return server.load; }

}  // namespace

std::vector<std::optional<ServerTrip>> SplitTrips(std::vector<MeasuredTrip> trips,
                                                  std::size_t servers) {
  const auto joined = JoinConnections(std::move(trips));
  std::vector<std::vector<double>> parts(servers);
  std::vector<std::vector<double>> levels(servers);
  for (std::size_t begin = 0; begin < joined.size();) {
    auto after = begin;
    std::vector<double> row;
    while (after < joined.size() && joined[after].end == joined[begin].end) {
      row.push_back(joined[after++].seconds);
    }
    if (row.size() >= kMinPeers) {
      const double typical = Median(row);
      for (auto i = begin; i < after; ++i) {
        parts[joined[i].server].push_back(joined[i].seconds - typical);
        levels[joined[i].server].push_back(joined[i].seconds);
      }
    }
    begin = after;
  }
  std::vector<std::optional<ServerTrip>> split(servers);
  for (std::size_t i = 0; i < servers; ++i) {
    if (!parts[i].empty()) {
      split[i] = {.part = MiddleVoice(std::move(parts[i])),
                  .level = MiddleTwo(std::move(levels[i]))[0]};
    }
  }
  return split;
}

std::optional<ServerTrip> SumUpTrips(std::span<const ServerTrip> trips, std::size_t seconds) {
  if (trips.empty() || 2 * trips.size() < seconds) {
    return std::nullopt;
  }
  return ServerTrip{.part = LowerQuartile(trips, &ServerTrip::part),
                    .level = LowerQuartile(trips, &ServerTrip::level)};
}

Comparison CompareDelays(std::span<const ServerDelay> servers) {
  Comparison comparison;
  comparison.undetermined = servers.size() < kMinPeers;
  for (const auto& server : servers) {
    comparison.mean.push_back(server.trip.level);
  }
  if (comparison.undetermined) {
    return comparison;
  }
  comparison.median_mean = Median(comparison.mean);
  for (std::size_t place = 0; place < servers.size(); ++place) {
    const auto parts = Others(servers, place, PartOf);
    const double excess = PartOf(servers[place]) - Median(parts);
    const double limit =
        std::max({kDelayFloor, kDelayTimesLevel * Median(Others(servers, place, LevelOf)),
                  kDelayTimesScatter * MedianScatter(parts)});
    const double degree = std::max(0.0, excess / limit);
    const bool busier =
        LoadOf(servers[place]) >= kDelayLoadTimes * Median(Others(servers, place, LoadOf));
    comparison.s.push_back(excess);
    comparison.degree.push_back(busier ? 0 : degree);
    comparison.direction.push_back(excess > 0   ? Direction::kHigh
                                   : excess < 0 ? Direction::kLow
                                                : Direction::kNone);
  }
  return comparison;
}

}  // namespace limpet
