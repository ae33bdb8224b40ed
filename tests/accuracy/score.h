// score.h: ITP, IFP, DTP and DFP of [Kasick10 §11] over many runs.
//
//   ITP  part of the runs in which the faulty server was indicted (without a fault: 0)
//   IFP  in which another one was, in any window of the run
//   DTP  in which the faulty server was diagnosed with its root cause
//   DFP  in which it was diagnosed with another, or another server was indicted
// 000 has one diagnosis a run; ours is the cause of most windows in which the server was indicted
// (of the later ones when equal). Beside that: how often the very first verdict named another
// cause, and the seconds from the fault to the first indictment.
// Threads: pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/accuracy/one_run.h"

namespace limpet::accuracy {

struct Outcome {  // of one run under one preset
  bool indicted = false;
  bool misindicted = false;
  bool diagnosed = false;
  bool misdiagnosed = false;
  bool first_wrong = false;
  std::optional<double> delay;  // seconds
  Cause cause = Cause::kNone;   // of the faulty server
  std::vector<Indictment> false_indictments;
};
[[nodiscard]] Outcome Judge(const RunResult& run, std::string_view preset);

struct Rates {
  std::size_t runs = 0;
  double itp = 0;  // all from 0 to 1
  double ifp = 0;
  double dtp = 0;
  double dfp = 0;
  double first_wrong = 0;
  std::optional<double> delay;  // median over the runs with an indictment
};
[[nodiscard]] Rates RatesOf(std::span<const Outcome> outcomes);

}  // namespace limpet::accuracy
