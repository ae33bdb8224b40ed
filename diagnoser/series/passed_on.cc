#include "diagnoser/series/passed_on.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "diagnoser/series/stats.h"
#include "diagnoser/series/typical.h"

namespace limpet {
namespace {

constexpr double kFewCopies = 0.1;  // of what is received

// Means over the window, B/s.
struct Way {
  double received = 0;
  double sent = 0;
  double to_servers = 0;
};

std::size_t FindSymptom(std::span<const MetricRow> metrics, Symptom symptom) {
  const auto found = std::ranges::find_if(
      metrics, [&](const MetricRow& row) { return row.checklist.symptom == symptom; });
  return static_cast<std::size_t>(found - metrics.begin());
}

std::vector<Way> FindWays(std::span<const MetricRow> metrics,
                          std::span<const MemberSamples> samples) {
  const auto received = FindSymptom(metrics, Symptom::kReceived);
  const auto sent = FindSymptom(metrics, Symptom::kSent);
  std::vector<Way> ways;
  for (const auto& member : samples) {
    const auto in = member.metrics.Of(received);
    const auto out = member.metrics.Of(sent);
    auto& way = ways.emplace_back();
    if (!in.empty() && !out.empty()) {
      way = {.received = Mean(in), .sent = Mean(out)};
      way.to_servers = way.sent * member.to_servers.value_or(0);
    }
  }
  return ways;
}

}  // namespace

OwnBytes OwnBytesSent(std::span<const MetricRow> metrics, std::span<const MemberSamples> samples) {
  const auto ways = FindWays(metrics, samples);
  std::vector<double> passed_on;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (samples[i].to_servers && ways[i].received > kMinTraffic) {
      passed_on.push_back(ways[i].to_servers / ways[i].received);
    }
  }
  const auto known = static_cast<std::size_t>(std::ranges::count_if(
      samples, [](const MemberSamples& member) { return member.to_servers.has_value(); }));
  // What hogs receive at half of the servers makes their shares less.
  const double usual =
      passed_on.size() < kMinTypical ? 0 : std::min(MiddleTwo(std::move(passed_on))[1], 1.0);
  OwnBytes result{
      .own = {}, .clients = {}, .no_copies = known >= kMinTypical && usual < kFewCopies};
  for (const auto& way : ways) {
    const double passed = std::min(way.to_servers, usual * way.received);
    result.own.push_back(way.sent > 0 ? 1 - passed / way.sent : 1);
    result.clients.push_back(way.sent > 0 ? 1 - way.to_servers / way.sent : 1);
  }
  return result;
}

OwnBytes OwnBytesReceived(std::size_t members) {
  return {.own = std::vector(members, 1.0), .clients = std::vector(members, 1.0)};
}

}  // namespace limpet
