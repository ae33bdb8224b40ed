#include "diagnoser/pipeline/loss_judge.h"

#include <algorithm>
#include <utility>

#include "diagnoser/detect/loss/retransmissions.h"
#include "diagnoser/metrics/catalog.h"
#include "diagnoser/pipeline/whole_second.h"

namespace limpet {
namespace {

// Rows of the windows of both sides come first.
const MetricRow& Row(const LossRound& round) {
  return Metrics(GroupKind::kCwnd)[kCwndSides + round.side];
}

struct Side {
  std::vector<std::string> servers;  // those that take part
  std::vector<SegmentTotals> totals;
  std::set<std::string> known;
};

Side SampleSide(const LossRound& round, const CwndSeconds& seconds) {
  const auto span = SecondsPerShift(round.preset->Shift());
  Side side;
  for (const auto& server : seconds.Servers()) {
    const auto totals = seconds.Segments(server, round.side, round.end, span);
    if (!totals) {
      continue;
    }
    side.known.insert(server);
    if (RetransmittedShare(*totals)) {
      side.servers.push_back(server);
      side.totals.push_back(*totals);
    }
  }
  return side;
}

Evidence Explain(const LossRound& round, const Side& side, const Comparison& comparison,
                 std::size_t place, const MetricRecord& record) {
  return {.component = side.servers[place],
          .group = *round.group,
          .metric = std::string(Row(round).name),
          .degree = record.degree,
          .s = comparison.s[place],
          .threshold = round.preset->threshold_factor,
          .direction = comparison.direction[place],
          .mean = comparison.mean[place],
          .peer_median = comparison.median_mean,
          .threshold_origin = ThresholdOrigin::kDefault,
          .peers = side.servers.size() - 1,
          .windows = AnomalousEnds(record.recent),
          .accumulator = record.accumulator,
          .episodes = EpisodesOfDay(record.episodes, round.end)};
}

// Unlike a congestion window, retransmissions end with the fault, and two windows without any say
// so: the filter would keep the flag for as long as it took to raise.
bool IsGoingOn(const MetricRecord& record) {
  const auto& windows = record.recent;
  const auto last = windows.size() - std::min<std::size_t>(windows.size(), 2);
  return std::any_of(windows.begin() + static_cast<std::ptrdiff_t>(last), windows.end(),
                     [](const FilterEntry& window) { return window.anomalous; });
}

}  // namespace

LossSide JudgeLossSide(const LossRound& round, const CwndSeconds& seconds,
                       ComponentRecords& records) {
  auto side = SampleSide(round, seconds);
  const auto loss = CompareRetransmissions(side.totals);
  const auto& comparison = loss.comparison;
  const auto metric = Row(round).name;
  // Nothing trains it: what is lost on a healthy way is the same everywhere.
  const double threshold = round.preset->threshold_factor;
  LossSide result;
  result.window = {.end = round.end,
                   .preset = round.preset->name,
                   .group = *round.group,
                   .metric = std::string(metric),
                   .n = side.servers.size(),
                   .undetermined = comparison.undetermined,
                   .components = {}};
  for (std::size_t place = 0; !comparison.undetermined && place < side.servers.size(); ++place) {
    const auto& server = side.servers[place];
    const double degree = comparison.degree[place];
    if (loss.elevated[place]) {
      result.elevated.insert(server);
    }
    auto& record = records.Filter(
        records.Find({.name = server, .node = server, .device = "", .entities = {}}), metric,
        round.mode, {.end = round.end, .degree = degree, .anomalous = degree > threshold},
        threshold);
    record.flagged = record.flagged && IsGoingOn(record);
    result.window.components.push_back(
        {.component = server, .degree = record.degree, .flagged = record.flagged});
    if (record.flagged) {
      result.flags.push_back(Explain(round, side, comparison, place, record));
    }
  }
  result.known = std::move(side.known);
  return result;
}

}  // namespace limpet
