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
  for (const auto workload : simulator::kWorkloads) {
    for (std::size_t seed = 1; seed <= seeds; ++seed) {
      keys.push_back({.servers = servers, .workload = workload, .fault = {}, .seed = seed});
    }
    for (const auto fault : simulator::kFaults) {
      for (std::size_t seed = 1; seed <= seeds; ++seed) {
        keys.push_back({.servers = servers, .workload = workload, .fault = fault, .seed = seed});
      }
    }
  }
  for (auto& key : keys) {
    key.hardware = spec.hardware;
    key.background = spec.background;
  }
  return keys;
}

}  // namespace

std::vector<std::string> PresetNames(const MatrixSpec& spec) {
  std::vector<std::string> names = {spec.preset.name};
  if (spec.trained) {
    names.push_back(TestbenchUnderTest().name);
    names.push_back(ProductionUnderTest().name);
  }
  return names;
}

std::vector<RunResult> RunMatrix(const MatrixSpec& spec, const OnProgress& progress) {
  std::vector<RunResult> results;
  for (const auto servers : spec.servers) {
    PipelineConfig config{.presets = {spec.preset}, .groups = PeerGroups()};
    if (spec.trained) {
      config.presets.push_back(TestbenchUnderTest());
      config.presets.push_back(ProductionUnderTest());
      const auto runs = TrainingRuns(
          {.servers = servers, .hardware = spec.hardware, .background = spec.background});
      const auto what = fmt::format("training, {} servers", servers);
      config.thresholds = TrainOn(runs, {TestbenchUnderTest(), ProductionUnderTest()}, spec.threads,
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
