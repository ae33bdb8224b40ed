#include "diagnoser/commands/history.h"

#include <cstdio>

#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/state_history.h"
#include "diagnoser/commands/time_range.h"
#include "diagnoser/publish/incident_export.h"
#include "exporter/common/instants.h"

namespace limpet {
namespace {

bool Print(const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
}

// Row by row: years of it need not fit the memory.
int PrintHistory(const IncidentStore& store, const IncidentStore::Query& query, bool csv) {
  std::optional<Error> problem;
  bool written = !csv || Print(IncidentCsvHeader());
  const auto done = store.ForEach(query, [&](const IncidentRecord& record) {
    const auto answers = store.AnswersTo(record.id);
    if (!answers) {
      problem = answers.error();
      return false;
    }
    written = written &&
              Print(csv ? IncidentCsvRow(record, *answers) : IncidentJsonLine(record, *answers));
    return written;
  });
  if (!done || problem) {
    return Fail("history: " + (done ? *problem : done.error()).Text(), kExitFailed);
  }
  return written && std::fflush(stdout) == 0
             ? kExitOk
             : Fail("history: standard output cannot be written", kExitFailed);
}

}  // namespace

void HistoryOptions::Bind(Flags& flags) {
  BindStateFolder(flags, state_folder);
  flags.Add(from, "--from", "TIME", "incidents that were there at this time or later");
  flags.Add(to, "--to", "TIME", "incidents that had begun by this time");
  flags.Add(node, "--node", "NODE", "those of one node");
  flags.AddChoice(format, "--format", {"csv", "jsonl"},
                  "csv for spreadsheets; jsonl with all evidence, a limpet.verdict.v1 a line");
}

int RunHistory(const HistoryOptions& options) {
  const auto range = ParseTimeRange(options.from, options.to);
  if (!range) {
    return Fail("history: " + range.error().Text(), kExitUsage);
  }
  const auto store = OpenStateHistory(options.state_folder, Database::Access::kReadOnly);
  if (!store) {
    return Fail("history: " + store.error().Text(), kExitFailed);
  }
  const bool csv = options.format == "csv";
  return PrintHistory(*store,
                      {.from = std::max(range->from, UnixTime()),
                       .to = std::min(range->to, kLatestInstant),
                       .node = options.node,
                       .documents = !csv},
                      csv);
}

}  // namespace limpet
