#include "diagnoser/pipeline/delay_judge.h"

#include <utility>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/pipeline/loss_judge.h"
#include "diagnoser/pipeline/whole_second.h"

namespace limpet {
namespace {

// After the rows of both sides' windows and of what they send again.
const MetricRow& Row() { return Metrics(GroupKind::kCwnd)[2 * kCwndSides]; }

struct Sampled {
  std::vector<std::string> servers;
  std::vector<ServerDelay> delays;  // by server
};

Sampled Sample(const DelayRound& round, const CwndSeconds& seconds, std::size_t span) {
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

Evidence Explain(const DelayRound& round, const Sampled& sampled, const Comparison& comparison,
                 std::size_t place, const MetricRecord& record) {
  return {.component = sampled.servers[place],
          .group = *round.group,
          .metric = std::string(Row().name),
          .degree = record.degree,
          .s = comparison.s[place],
          .threshold = round.preset->threshold_factor,
          .direction = comparison.direction[place],
          .mean = comparison.mean[place],
          .peer_median = comparison.median_mean,
          .threshold_origin = ThresholdOrigin::kDefault,
          .peers = sampled.servers.size() - 1,
          .windows = AnomalousEnds(record.recent),
          .accumulator = record.accumulator,
          .episodes = EpisodesOfDay(record.episodes, round.end)};
}

}  // namespace

DelayFlags JudgeDelays(const DelayRound& round, const CwndSeconds& seconds,
                       ComponentRecords& records) {
  const auto span = SecondsPerShift(round.preset->Shift());
  const auto sampled = span < kMinDelaySeconds ? Sampled() : Sample(round, seconds, span);
  const auto comparison = CompareDelays(sampled.delays);
  // Nothing trains it: the floor and the peers' scatter say what is much.
  const double threshold = round.preset->threshold_factor;
  DelayFlags result;
  result.window = {.end = round.end,
                   .preset = round.preset->name,
                   .group = *round.group,
                   .metric = std::string(Row().name),
                   .n = sampled.servers.size(),
                   .undetermined = comparison.undetermined,
                   .components = {}};
  for (std::size_t place = 0; !comparison.undetermined && place < sampled.servers.size(); ++place) {
    const auto& server = sampled.servers[place];
    const double degree = comparison.degree[place];
    auto& record = records.Filter(
        records.Find({.name = server, .node = server, .device = "", .entities = {}}), Row().name,
        round.mode, {.end = round.end, .degree = degree, .anomalous = degree > threshold},
        threshold);
    record.flagged = record.flagged && IsGoingOn(record);
    result.window.components.push_back(
        {.component = server, .degree = record.degree, .flagged = record.flagged});
    if (record.flagged) {
      result.flags.push_back(Explain(round, sampled, comparison, place, record));
    }
  }
  return result;
}

}  // namespace limpet
