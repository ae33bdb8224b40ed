// sweep.h: what the numbers of a preset and the shape of a cluster decide ([Kasick10 §11.2, §12]).
//
// Threads: as RunMatrix.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "tests/accuracy/one_run.h"
#include "tests/accuracy/scenarios.h"

namespace limpet::accuracy {

// One number of the peer comparison, set to another value.
struct Variant {
  const char* setting;  // "WinSize"
  double value;         // in units of the paper's `testbench`; the scale of thresholds: its 2x is 2
};
// The paper's own values are the first of them; each other one differs from it in one number.
[[nodiscard]] std::span<const Variant> Variants();

// `presets` (one and its time scales) with the value, named "NAME, SETTING VALUE". Counts of
// samples and k keep their ratio to the paper's: a WinSize of 32 halves every window.
[[nodiscard]] std::vector<PresetSettings> WithVariant(const std::vector<PresetSettings>& presets,
                                                      const Variant& variant);

// "ITP/IFP/DTP/DFP, delay; IFP without a fault" in percent and seconds, of one preset.
[[nodiscard]] std::string SweepCell(std::span<const RunResult> runs, const std::string& preset);

// The tables; spec.servers is of SweepTable alone.
[[nodiscard]] std::string SweepTable(const ScenarioSpec& spec, const Progress& progress);
// Other numbers of clients, disks of two generations, reads from memory.
[[nodiscard]] std::string ClusterTable(const ScenarioSpec& spec, const Progress& progress);
// 100 servers compared in rotating domains [Kasick10 §11.1].
[[nodiscard]] std::string DomainTable(const ScenarioSpec& spec, const Progress& progress);

}  // namespace limpet::accuracy
