#include "tests/accuracy/score.h"

#include <algorithm>
#include <map>

namespace limpet::accuracy {
namespace {

Cause CauseNamed(std::string_view name) {
  for (const auto& row : CauseRows()) {
    if (name == row.name) {
      return row.cause;
    }
  }
  return Cause::kNone;
}

}  // namespace

Outcome Judge(const RunResult& run, std::string_view preset) {
  Outcome outcome;
  std::map<Cause, std::size_t> windows;
  const auto truth = run.key.fault ? CauseNamed(simulator::CauseOf(*run.key.fault)) : Cause::kNone;
  for (const auto& one : run.indictments) {
    if (one.preset != preset) {
      continue;
    }
    if (one.node != run.faulty) {
      outcome.misindicted = true;
      outcome.false_indictments.push_back(one);
      continue;
    }
    const auto start = run.key.fault_start.count();
    if (one.at <= start) {  // the right server before there was anything wrong with it
      outcome.misindicted = true;
      outcome.false_indictments.push_back(one);
      continue;
    }
    if (!outcome.indicted) {
      outcome.indicted = true;
      outcome.first_wrong = one.cause != truth;
      outcome.delay = one.at - start;
    }
    auto& count = windows[one.cause];
    ++count;
    if (count >= windows[outcome.cause]) {
      outcome.cause = one.cause;
    }
  }
  outcome.diagnosed = outcome.indicted && outcome.cause == truth;
  outcome.misdiagnosed = outcome.misindicted || (outcome.indicted && outcome.cause != truth);
  return outcome;
}

Rates RatesOf(std::span<const Outcome> outcomes) {
  Rates rates;
  std::vector<double> delays;
  for (const auto& one : outcomes) {
    ++rates.runs;
    rates.itp += one.indicted ? 1 : 0;
    rates.ifp += one.misindicted ? 1 : 0;
    rates.dtp += one.diagnosed ? 1 : 0;
    rates.dfp += one.misdiagnosed ? 1 : 0;
    rates.first_wrong += one.first_wrong ? 1 : 0;
    if (one.delay) {
      delays.push_back(*one.delay);
    }
  }
  if (rates.runs > 0) {
    for (auto* rate : {&rates.itp, &rates.ifp, &rates.dtp, &rates.dfp, &rates.first_wrong}) {
      *rate /= static_cast<double>(rates.runs);
    }
  }
  if (!delays.empty()) {
    std::sort(delays.begin(), delays.end());
    rates.delay = delays[delays.size() / 2];
  }
  return rates;
}

}  // namespace limpet::accuracy
