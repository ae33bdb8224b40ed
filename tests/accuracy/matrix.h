// matrix.h: the runs of the table: 5 workloads x 6 faults x seeds, runs without a fault, training.
//
// Threads: pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "tests/accuracy/one_run.h"

namespace limpet::accuracy {

struct MatrixSpec {
  std::vector<std::size_t> servers = {10, 100};
  std::size_t seeds = 10;  // of each workload with each fault, and without one
  std::vector<PresetSettings> untrained = DefaultPresets();
  std::vector<PresetSettings> trained = {TestbenchUnderTest(), ProductionUnderTest()};
  std::size_t iterations = 10;  // of each workload in training
  std::size_t threads = 2;
  RunKey like;  // how long, how often scraped, on which hardware …; the matrix has the rest
};

// The presets for scrapes every 15 s over their real windows, of up to half an hour: runs of 3.5 h
// with a fault of 2.5 h, each preset as it comes and trained.
[[nodiscard]] MatrixSpec SlowMatrix();

using OnProgress = std::function<void(const std::string& what, std::size_t done, std::size_t all)>;

// Runs ordered by servers, workload, fault and seed, whatever the number of threads.
[[nodiscard]] std::vector<RunResult> RunMatrix(const MatrixSpec& spec, const OnProgress& progress);
// The names of the presets RunMatrix compares; a time scale is part of its preset.
[[nodiscard]] std::vector<std::string> PresetNames(const MatrixSpec& spec);

}  // namespace limpet::accuracy
