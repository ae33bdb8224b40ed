#include "diagnoser/evidence/windows/cwnd_judge.h"

#include <utility>

#include "diagnoser/detect/cwnd/cwnd.h"
#include "diagnoser/detect/cwnd/cwnd_detector.h"
#include "diagnoser/evidence/whole_second.h"
#include "diagnoser/metrics/catalog.h"

namespace limpet {
namespace {

struct SideSamples {
  std::vector<std::string> servers;
  SampleSet logs;  // in their order
  std::vector<double> medians;
};

SideSamples SampleSide(const CwndRound& round, const CwndSeconds& seconds) {
  const auto span = SecondsPerShift(round.preset->Shift());
  SideSamples samples;
  for (const auto& server : seconds.Servers()) {
    auto past = seconds.LookBack(server, round.side, round.end, span);
    // A server without a second in this window has no say in n either.
    if (CwndSharesSecond(past.logs, past.medians)) {
      samples.servers.push_back(server);
      samples.logs.Add(past.logs);
      samples.medians = std::move(past.medians);  // the same for all
    }
  }
  return samples;
}

Evidence Explain(const CwndRound& round, const SideSamples& samples, const Comparison& comparison,
                 std::size_t place, const MetricRecord& record) {
  return {.component = samples.servers[place],
          .group = *round.group,
          .metric = std::string(Metrics(GroupKind::kCwnd)[round.side].name),
          .degree = record.degree,
          .s = std::nullopt,
          .threshold = round.f,
          .direction = comparison.direction[place],
          .mean = comparison.mean[place],
          .peer_median = comparison.median_mean,
          // One f for the whole group: no server has one of its own.
          .threshold_origin = round.trained ? ThresholdOrigin::kGroup : ThresholdOrigin::kDefault,
          .peers = samples.servers.size() - 1,
          .windows = AnomalousEnds(record.recent),
          .accumulator = record.accumulator,
          .episodes = EpisodesOfDay(record.episodes, round.end)};
}

}  // namespace

CwndSide JudgeCwndSide(const CwndRound& round, const CwndSeconds& seconds,
                       ComponentRecords& records) {
  const auto& metric = Metrics(GroupKind::kCwnd)[round.side];
  const auto samples = SampleSide(round, seconds);
  const auto comparison = CwndDetector(round.f).Compare(
      {.metric = &metric, .samples = &samples.logs, .medians = samples.medians});
  CwndSide result;
  result.window = {.end = round.end,
                   .preset = round.preset->name,
                   .group = *round.group,
                   .metric = std::string(metric.name),
                   .n = samples.servers.size(),
                   .components = {}};
  for (std::size_t place = 0; place < samples.servers.size(); ++place) {
    const auto& server = samples.servers[place];
    // A degree of 1 is where f draws the line, so that is the threshold of the filtered degree.
    const auto& record =
        records.Filter(records.Find({.name = server, .node = server, .device = "", .entities = {}}),
                       metric.name, round.mode,
                       {.end = round.end,
                        .degree = comparison.degree[place],
                        .anomalous = comparison.anomalous[place]},
                       1.0);
    result.window.components.push_back({.component = server,
                                        .degree = record.degree,
                                        .flagged = record.flagged,
                                        .direction = comparison.direction[place],
                                        .window_degree = comparison.degree[place],
                                        .mean = comparison.mean[place],
                                        .peer_median = comparison.median_mean});
    if (record.flagged) {
      result.flags.push_back(Explain(round, samples, comparison, place, record));
    }
  }
  return result;
}

}  // namespace limpet
