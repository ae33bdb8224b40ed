#include "diagnoser/incidents/precision.h"

#include <map>
#include <utility>

namespace limpet {

// One row for the cause and one for its metric, from the same answers.
std::vector<MeasuredPrecision> MeasurePrecision(std::span<const IncidentStore::Answered> answers) {
  std::map<std::string, const IncidentStore::Answered*> latest;
  for (const auto& one : answers) {
    if (one.answer.kind != AnswerKind::kMaintenance) {
      latest[one.answer.incident] = &one;
    }
  }
  std::map<std::pair<std::string, std::string>, MeasuredPrecision> found;
  for (const auto& [id, one] : latest) {
    const auto kind = one->answer.kind;
    const bool right = kind == AnswerKind::kFixed || kind == AnswerKind::kKnown;
    for (const auto& metric : {std::string(), one->incident.metric}) {
      auto& row = found[{one->incident.cause, metric}];
      row.cause = one->incident.cause;
      row.metric = metric;
      (right ? row.right : row.wrong) += 1;
      if (one->incident.metric.empty()) {
        break;  // it is counted already
      }
    }
  }
  std::vector<MeasuredPrecision> rows;
  rows.reserve(found.size());
  for (auto& [key, row] : found) {
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace limpet
