// checklist.h: the steps of the root-cause checklist in plain words: what each looks for, and what
// it found on one server.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "diagnoser/verdict/events.h"

namespace limpet {

struct ChecklistStep {
  std::size_t step = 0;  // from 1
  bool found = false;    // the server shows it
  bool decided = false;  // it gave the cause
  std::string text;
};

// Returns steps in the order in which they are looked at, and the one that decided comes last: of
// the later ones nobody asked.
[[nodiscard]] std::vector<ChecklistStep> ExplainChecklist(const VerdictEvent& verdict);

// Returns what else can be said, each a sentence.
[[nodiscard]] std::vector<std::string> ListFacts(const VerdictEvent& verdict);

// Returns what to do next.
[[nodiscard]] std::string AdviseNextStep(const VerdictEvent& verdict);

}  // namespace limpet
