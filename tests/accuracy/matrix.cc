#include "tests/accuracy/matrix.h"

#include <fmt/core.h>

#include <utility>

#include "tests/accuracy/pool.h"
#include "tests/accuracy/train_runs.h"

namespace limpet::accuracy {
namespace {

using simulator::Workload;

constexpr std::uint64_t kTrainingSeeds = 500;  // far from those that are judged
constexpr std::size_t kIterations = 10;        // 000 §10.1
constexpr Workload kTrainingWorkloads[] = {Workload::kDdr, Workload::kDdw, Workload::kPostmark};

std::vector<Thresholds> Train(std::size_t servers, const MatrixSpec& spec,
                              const OnProgress& progress) {
  auto testbench = TestbenchUnderTest();
  testbench.cwnd_events = true;
  const auto production = ProductionUnderTest();
  PipelineConfig config{.presets = {testbench, production}, .groups = PeerGroups()};
  std::vector<RunKey> keys;
  for (const auto workload : kTrainingWorkloads) {
    for (std::size_t i = 0; i < kIterations; ++i) {
      keys.push_back(
          {.servers = servers, .workload = workload, .fault = {}, .seed = kTrainingSeeds + i});
    }
  }
  const auto what = fmt::format("training, {} servers", servers);
  const auto trainers = MapAll(
      keys, spec.threads,
      [&](const RunKey& key) {
        std::pair both{Trainer(testbench), Trainer(production)};
        RunThrough(key, config, [&](const Event& event) {
          both.first.Add(event);
          both.second.Add(event);
        });
        both.first.EndRun();
        both.second.EndRun();
        return both;
      },
      [&](std::size_t done) { progress(what, done, keys.size()); });
  std::pair all{Trainer(testbench), Trainer(production)};
  for (const auto& [first, second] : trainers) {
    all.first.Merge(first);
    all.second.Merge(second);
  }
  return {all.first.Result(), all.second.Result()};
}

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
      config.thresholds = Train(servers, spec, progress);
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
