#include "diagnoser/evidence/windows/loss_judge.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "diagnoser/detect/loss/retransmissions.h"
#include "diagnoser/evidence/whole_second.h"
#include "diagnoser/metrics/catalog.h"

namespace limpet {
namespace {

// Of whom segments are counted.
enum class CountedAt : std::uint8_t { kConnections, kNodes, kPorts };

// Rows of the windows of both sides come first.
const MetricRow& Row(std::size_t side, CountedAt counted_at) {
  const auto rows = Metrics(GroupKind::kCwnd);
  if (counted_at == CountedAt::kPorts) {
    return rows[2 * kCwndSides + (side == kSending ? 2 : 3)];
  }
  // What a node receives out of order is no share of what was sent again: it comes after those and
  // after the round trips.
  return rows[counted_at == CountedAt::kNodes && side == kReceiving ? 2 * kCwndSides + 1
                                                                    : kCwndSides + side];
}
static_assert(kCwndSides == 2 && kReceiving == 0 && kSending == 1);

// The time over which peers are looked at is so many times that of a server itself.
constexpr std::size_t kTimes = 4;

// A server's own connections with the group's peers, or where nothing tells them apart all of the
// node's; or its ports'.
std::optional<SegmentTotals> TotalsOf(const CwndSeconds& seconds, const std::string& server,
                                      std::size_t side, UnixTime end, std::size_t span,
                                      CountedAt counted_at) {
  switch (counted_at) {
    case CountedAt::kNodes:
      return seconds.NodeTotals(server, side, end, span);
    case CountedAt::kPorts:
      return seconds.RdmaTotals(server, side, end, span);
    case CountedAt::kConnections:
      break;
  }
  return seconds.Segments(server, side, end, span);
}

// Of a node nobody knows whose the connections are: shares of a few seconds are not the file
// system's.
constexpr std::size_t kMinNodeSeconds = 30;

// Whether no exporter of the group tells connections apart.
bool AreWholeNodes(const ServerRound& round, const CwndSeconds& seconds, std::size_t side) {
  const auto span = SecondsPerShift(round.preset->Shift());
  return span >= kMinNodeSeconds &&
         std::ranges::none_of(seconds.Servers(), [&](const std::string& server) {
           return seconds.Segments(server, side, round.end, span).has_value();
         });
}

// Those of one side that take part; adds those whose segments are known to `known`.
LossTotals SampleSide(const ServerRound& round, const CwndSeconds& seconds, std::size_t side,
                      CountedAt counted_at, std::set<std::string>& known) {
  const auto span = SecondsPerShift(round.preset->Shift());
  LossTotals sampled;
  for (const auto& server : seconds.Servers()) {
    auto totals = TotalsOf(seconds, server, side, round.end, span, counted_at);
    if (!totals) {
      continue;
    }
    known.insert(server);
    if (RetransmittedShare(*totals)) {
      const auto longer = TotalsOf(seconds, server, side, round.end, kTimes * span, counted_at);
      totals->usual = longer ? RetransmittedShare(*longer).value_or(0) : 0;
      totals->usual_steady = longer ? longer->steady : SegmentTotals::kSteadyUnknown;
      if (counted_at == CountedAt::kConnections) {
        if (const auto worst = seconds.WorstEnd(server, side, round.end, span)) {
          LeaveToEnd(*totals, *worst);
        }
      }
      sampled.servers.push_back(server);
      sampled.totals.push_back(*totals);
    }
  }
  return sampled;
}

// In the window before this one, which the windows of a few seconds want: a queue that overflows
// once makes no small congestion window a loss. Who is elevated has at least this degree.
bool WasElevatedBefore(const MetricRecord& record) {
  constexpr double kElevatedDegree = kElevatedTimesPeers / kTimesPeers;
  const auto& windows = record.recent;
  return windows.size() > 1 && windows[windows.size() - 2].degree > kElevatedDegree;
}

LossSide JudgeSide(const ServerRound& round, std::string_view metric, const LossTotals& side,
                   ComponentRecords& records) {
  const auto loss = CompareRetransmissions(side.totals);
  std::set<std::string> elevated;
  const auto note = [&](std::size_t place, const MetricRecord& record) {
    if (loss.elevated[place] && (!round.preset->IsScale() || WasElevatedBefore(record))) {
      elevated.insert(side.servers[place]);
    }
  };
  return {RecordServers(round, metric, side.servers, loss.comparison, records, note),
          {},
          std::move(elevated)};
}

// Adds the sides that some server's RDMA ports count. What they say of known and elevated servers
// is nothing about connections, which have a congestion window.
void JudgePorts(const ServerRound& round, const CwndSeconds& seconds, ComponentRecords& records,
                std::vector<LossSide>& judged) {
  // Adapters are read every five seconds.
  if (SecondsPerShift(round.preset->Shift()) < kMinNodeSeconds) {
    return;
  }
  for (std::size_t side = 0; side < kCwndSides; ++side) {
    std::set<std::string> counted;
    const auto sampled = SampleSide(round, seconds, side, CountedAt::kPorts, counted);
    if (!counted.empty()) {
      judged.push_back(JudgeSide(round, Row(side, CountedAt::kPorts).name, sampled, records));
      judged.back().elevated.clear();
    }
  }
}

}  // namespace

std::vector<LossSide> JudgeLoss(const ServerRound& round, const CwndSeconds& seconds,
                                ComponentRecords& records) {
  std::array<LossTotals, kCwndSides> sampled;
  std::array<std::set<std::string>, kCwndSides> known;
  std::array<CountedAt, kCwndSides> counted_at{};
  for (std::size_t side = 0; side < kCwndSides; ++side) {
    counted_at[side] =
        AreWholeNodes(round, seconds, side) ? CountedAt::kNodes : CountedAt::kConnections;
    sampled[side] = SampleSide(round, seconds, side, counted_at[side], known[side]);
  }
  ExplainAway(sampled, seconds.PairLosses(round.end, SecondsPerShift(round.preset->Shift())));
  std::vector<LossSide> judged;
  for (std::size_t side = 0; side < kCwndSides; ++side) {
    judged.push_back(JudgeSide(round, Row(side, counted_at[side]).name, sampled[side], records));
    judged.back().known = std::move(known[side]);
  }
  JudgePorts(round, seconds, records, judged);
  return judged;
}

}  // namespace limpet
