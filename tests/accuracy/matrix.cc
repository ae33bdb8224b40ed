#include "tests/accuracy/matrix.h"

#include <fmt/core.h>

#include <utility>

#include "tests/accuracy/pool.h"
#include "tests/accuracy/train_runs.h"

namespace limpet::accuracy {
namespace {

std::vector<RunKey> KeysOf(std::size_t servers, const MatrixSpec& spec) {
  std::vector<RunKey> keys;
  const auto seeds = spec.seeds;
  const auto add = [&](std::optional<simulator::Fault> fault, simulator::Workload workload,
                       std::uint64_t seed) {
    auto key = spec.like;
    key.servers = servers;
    key.workload = workload;
    key.fault = fault;
    key.seed = seed;
    keys.push_back(key);
  };
  for (const auto workload : simulator::kWorkloads) {
    for (std::size_t seed = 1; seed <= seeds; ++seed) {
      add(std::nullopt, workload, seed);
    }
    for (const auto fault : simulator::kFaults) {
      for (std::size_t seed = 1; seed <= seeds; ++seed) {
        add(fault, workload, seed);
      }
    }
  }
  return keys;
}

}  // namespace

MatrixSpec SlowMatrix() {
  MatrixSpec spec{.servers = {10}, .seeds = 3, .untrained = {}, .trained = {}, .iterations = 3};
  for (const auto& preset : {SlowDefaultPreset(), ProductionPreset()}) {
    spec.untrained.push_back(Named(preset, preset.name + ", untrained"));
    spec.trained.push_back(Named(preset, preset.name + ", trained"));
  }
  spec.like.seconds = 12600;
  spec.like.interval = 15;
  spec.like.fault_start = simulator::Seconds(2700);
  spec.like.fault_end = simulator::Seconds(11700);
  return spec;
}

std::vector<std::string> PresetNames(const MatrixSpec& spec) {
  std::vector<std::string> names;
  for (const auto* presets : {&spec.untrained, &spec.trained}) {
    for (const auto& preset : *presets) {
      if (!preset.IsScale()) {
        names.push_back(preset.name);
      }
    }
  }
  return names;
}

std::vector<RunResult> RunMatrix(const MatrixSpec& spec, const OnProgress& progress) {
  std::vector<RunResult> results;
  for (const auto servers : spec.servers) {
    PipelineConfig config{.presets = spec.untrained, .groups = PeerGroups()};
    if (!spec.trained.empty()) {
      config.presets.insert(config.presets.end(), spec.trained.begin(), spec.trained.end());
      auto like = spec.like;
      like.servers = servers;
      const auto runs = TrainingRuns(like, spec.iterations);
      const auto what = fmt::format("training, {} servers", servers);
      config.thresholds = TrainOn(runs, spec.trained, spec.threads,
                                  [&](std::size_t done) { progress(what, done, runs.size()); });
    }
    const auto keys = KeysOf(servers, spec);
    const auto what = fmt::format("judging, {} servers", servers);
    for (auto& result : MapAll(
             keys, spec.threads, [&](const RunKey& key) { return Diagnose(key, config); },
             [&](std::size_t done) { progress(what, done, keys.size()); })) {
      results.push_back(std::move(result));
    }
  }
  return results;
}

}  // namespace limpet::accuracy
