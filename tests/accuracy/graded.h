// graded.h: how weak a fault may be and still be named, and how long that takes.
//
// Every kind of fault at several strengths, under each workload: runs of minutes that are scraped
// every second, and runs of 25 hours that are scraped every 15 s.
// Threads: as RunMatrix.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tests/accuracy/one_run.h"
#include "tests/accuracy/scenarios.h"

namespace limpet::accuracy {

struct Grade {
  simulator::Fault fault = simulator::Fault::kSlowDisk;
  double strength = 0;  // as simulator::Injection has it
};
// By fault, the weakest first.
[[nodiscard]] std::span<const Grade> Grades();
// "1.5 times", "5 % of the link", "0.2 %".
[[nodiscard]] std::string StrengthText(const Grade& grade);

// What was said in one run.
struct Said {
  std::optional<double> delay;  // s from the fault to the faulty server with the right cause
  bool other_cause = false;     // it was named while the fault lasted, but never with that
  bool accused = false;         // a healthy server was indicted, or this one before its fault
};
[[nodiscard]] Said WhatWasSaid(const RunResult& run);

// A line a fault and strength: in how many runs it was named within 20 s and 2 min (`presets`), 1 h
// and a day (`at_15s`), and healthy servers were. `seeds` runs of each workload at 1 s, a third of
// them at 15 s under three of the workloads. Losses, which nobody tells at 15 s, are not run there.
[[nodiscard]] std::string GradedTable(const ScenarioSpec& spec, const Progress& progress);

}  // namespace limpet::accuracy
