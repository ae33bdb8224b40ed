#include "diagnoser/evidence/windows/delay_judge.h"

#include <string>
#include <vector>

#include "diagnoser/evidence/whole_second.h"
#include "diagnoser/metrics/catalog.h"

namespace limpet {
namespace {

// After the rows of both sides' windows and of what they send again.
const MetricRow& Row() { return Metrics(GroupKind::kCwnd)[2 * kCwndSides]; }

struct Sampled {
  std::vector<std::string> servers;
  std::vector<ServerDelay> delays;  // by server
};

Sampled Sample(const ServerRound& round, const CwndSeconds& seconds, std::size_t span) {
  Sampled sampled;
  for (const auto& server : seconds.Servers()) {
    const auto trip = seconds.Delays().SumUp(server, WholeSecond(round.end), span);
    if (!trip) {
      continue;
    }
    double segments = 0;
    for (std::size_t side = 0; side < kCwndSides; ++side) {
      const auto totals = seconds.Segments(server, side, round.end, span);
      segments += totals ? totals->sent : 0;
    }
    sampled.servers.push_back(server);
    sampled.delays.push_back({.trip = *trip, .load = segments / static_cast<double>(span)});
  }
  return sampled;
}

}  // namespace

ServerWindow JudgeDelays(const ServerRound& round, const CwndSeconds& seconds,
                         ComponentRecords& records) {
  const auto span = SecondsPerShift(round.preset->Shift());
  const auto sampled = span < kMinDelaySeconds ? Sampled() : Sample(round, seconds, span);
  return RecordServers(round, Row().name, sampled.servers, CompareDelays(sampled.delays), records);
}

}  // namespace limpet
