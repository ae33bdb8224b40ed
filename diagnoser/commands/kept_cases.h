// kept_cases.h: an answered incident with the recordings of its time in a folder of its own, which
// outlives the site's recordings and its history: FOLDER/ID/verdict.json and FOLDER/ID/*.om.zst.
//
// Threads: from main.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnoser/incidents/store.h"
#include "diagnoser/sources/recording_slice.h"

namespace limpet {

// An incident by the latest answer that says whether it was a fault.
struct Case {
  IncidentRecord record;
  IncidentAnswer answer;
  std::string folder;  // with the recordings of its time; empty: it is of the history

  [[nodiscard]] bool IsFault() const {
    return answer.kind == AnswerKind::kFixed || answer.kind == AnswerKind::kKnown;
  }
  // Readings by which it is judged, and a little around them.
  [[nodiscard]] TimeRange Span() const;
};

// Those in the folders, by id. A file that is none of ours is left out.
[[nodiscard]] std::vector<Case> FindKeptCases(const std::vector<std::string>& inputs);

// Writes one case. Returns how many recordings have something of its span; with none nothing is
// written. Of a case that is there already only the answer is written.
[[nodiscard]] Result<std::size_t> KeepCase(const Case& one, const std::vector<std::string>& inputs,
                                           const std::string& folder);

}  // namespace limpet
