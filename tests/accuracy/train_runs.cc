#include "tests/accuracy/train_runs.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "diagnoser/training/trainer.h"
#include "tests/accuracy/pool.h"

namespace limpet::accuracy {
namespace {

using simulator::Workload;

constexpr std::uint64_t kFirstSeed = 500;  // far from those that are judged
constexpr Workload kTrainingWorkloads[] = {Workload::kDdr, Workload::kDdw, Workload::kPostmark};

// Runs happen one after the other, far enough apart that no window is a neighbour of another run's.
constexpr Duration kApart = std::chrono::hours(8);

Event Later(Event event, Duration by) {
  std::visit(
      [&](auto& one) {
        if constexpr (requires { one.end; }) {
          one.end += by;
        }
      },
      event);
  return event;
}

}  // namespace

std::vector<RunKey> TrainingRuns(const RunKey& like, std::size_t iterations) {
  std::vector<RunKey> runs;
  for (const auto workload : kTrainingWorkloads) {
    for (std::size_t i = 0; i < iterations; ++i) {
      auto run = like;
      run.workload = workload;
      run.fault.reset();
      run.seed = kFirstSeed + i;
      runs.push_back(run);
    }
  }
  return runs;
}

std::vector<Thresholds> TrainOn(const std::vector<RunKey>& runs,
                                const std::vector<PresetSettings>& presets, std::size_t threads,
                                const std::function<void(std::size_t)>& progress) {
  const auto config = ConfigForTraining({.presets = presets, .groups = PeerGroups()});
  Trainer trainer(presets);
  // As many at a time as there are threads: the events of a large cluster are many.
  for (std::size_t first = 0; first < runs.size(); first += threads) {
    const auto last = std::min(runs.size(), first + threads);
    const std::vector<RunKey> some(runs.begin() + static_cast<std::ptrdiff_t>(first),
                                   runs.begin() + static_cast<std::ptrdiff_t>(last));
    const auto events = MapAll(
        some, threads,
        [&](const RunKey& key) {
          std::vector<Event> all;
          RunThrough(key, config, [&](const Event& event, double) { all.push_back(event); });
          return all;
        },
        [&](std::size_t done) { progress(first + done); });
    for (std::size_t i = 0; i < events.size(); ++i) {
      for (const auto& event : events[i]) {
        trainer.Learn(Later(event, kApart * static_cast<Duration::rep>(first + i)));
      }
    }
  }
  std::vector<Thresholds> thresholds;
  for (auto& trained : trainer.Finish()) {
    thresholds.push_back(std::move(trained.thresholds));
  }
  return thresholds;
}

}  // namespace limpet::accuracy
