#include "diagnoser/commands/state_history.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "exporter/common/instants.h"

namespace limpet {
namespace {

std::optional<Error> ReadAnswers(const IncidentStore& store, HistorySpan& span) {
  const auto since = std::max(span.to, UnixTime() + kPrecisionSpan) - kPrecisionSpan;
  const auto answers = store.AnswersSince(std::min(span.from, since));
  if (!answers) {
    return answers.error();
  }
  std::vector<IncidentStore::Answered> latest;
  for (const auto& one : *answers) {
    span.answers[one.answer.incident] = one.answer;
    if (one.answer.at >= since && one.answer.at <= span.to) {
      latest.push_back(one);
    }
  }
  span.precision = MeasurePrecision(latest);
  return std::nullopt;
}

}  // namespace

// Never made here: a typing error in --state-dir would leave an empty history behind.
Result<IncidentStore> OpenStateHistory(const std::string& folder, Database::Access access) {
  std::error_code failed;
  // Without links: SQLite follows none, and systemd's state folder is one.
  const auto real = std::filesystem::canonical(folder, failed);
  const auto path = (failed ? folder : real.string()) + "/history.db";
  if (failed || !std::filesystem::exists(path, failed)) {
    return Error{ErrorCode::kNotFound,
                 failed ? "cannot be looked at: " + failed.message()
                        : "is not there; --state-dir names the folder of the running diagnoser",
                 path};
  }
  auto store = IncidentStore::Open(path, access);
  if (!store) {
    auto error = store.error();
    error.where = path;
    return error;
  }
  return store;
}

Result<HistorySpan> ReadHistory(const std::string& folder, const TimeRange& range, UnixTime now,
                                const std::string& node) {
  const auto store = OpenStateHistory(folder, Database::Access::kReadOnly);
  if (!store) {
    return store.error();
  }
  HistorySpan span{.from = std::max(range.from, UnixTime()),
                   .to = std::min(range.to, kLatestInstant),
                   .incidents = {},
                   .answers = {},
                   .precision = {}};
  if (auto read = store->ForEach({.from = span.from, .to = span.to, .node = node},
                                 [&](IncidentRecord record) {
                                   span.incidents.push_back(std::move(record));
                                   return true;
                                 });
      !read) {
    return read.error();
  }
  // A clock that was set back does not make those of a moment ago ones of the future.
  if (range.to > kLatestInstant) {
    span.to = now;
    for (const auto& one : span.incidents) {
      span.to = std::max({span.to, one.last, one.ended.value_or(one.last)});
    }
  }
  if (range.from == UnixTime::min() && !span.incidents.empty()) {
    span.from = span.incidents.front().since;
  }
  if (auto problem = ReadAnswers(*store, span)) {
    return *std::move(problem);
  }
  return span;
}

}  // namespace limpet
