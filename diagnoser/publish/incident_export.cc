#include "diagnoser/publish/incident_export.h"

#include <fmt/format.h>

#include <vector>

#include "diagnoser/publish/incident_document.h"

namespace limpet {
namespace {

std::string Quoted(const std::string& text) {
  // A spreadsheet takes a text that begins so for a formula; names come from other machines.
  const bool is_formula = !text.empty() && std::string_view("=+-@").find(text[0]) != text.npos;
  std::string quoted = is_formula ? "\"'" : "\"";
  for (const char c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + '"';
}

std::string IsoOrEmpty(const std::optional<UnixTime>& at) { return at ? IsoTime(*at) : ""; }

std::string Row(const std::vector<std::string>& cells) {
  return fmt::format("{}\n", fmt::join(cells, ","));
}

}  // namespace

// The order of the columns stays; new ones come at the end.
std::string IncidentCsvHeader() {
  return Row({"id",       "cluster", "node",   "cause",    "family", "indicted", "preset",
              "metric",   "since",   "named",  "last",     "ended",  "ending",   "degree",
              "episodes", "text",    "answer", "answered", "until",  "by",       "note"});
}

std::string IncidentCsvRow(const IncidentRecord& record, std::span<const IncidentAnswer> answers) {
  const auto answer = answers.empty() ? IncidentAnswer() : answers.back();
  const auto kind = answers.empty() ? std::string() : std::string(Name(answer.kind));
  return Row({record.id,
              Quoted(record.cluster),
              Quoted(record.node),
              record.cause,
              record.family,
              record.indicted ? "true" : "false",
              Quoted(record.preset),
              record.metric,
              IsoTime(record.since),
              IsoTime(record.named),
              IsoTime(record.last),
              IsoOrEmpty(record.ended),
              Quoted(record.ending),
              fmt::format("{:.4g}", record.degree),
              std::to_string(record.episodes),
              Quoted(record.text),
              kind,
              answers.empty() ? "" : IsoTime(answer.at),
              IsoOrEmpty(answer.until),
              Quoted(answer.by),
              Quoted(answer.note)});
}

std::string IncidentJsonLine(const IncidentRecord& record,
                             std::span<const IncidentAnswer> answers) {
  return PrintOneLine(IncidentToJson(record, answers)) + "\n";
}

}  // namespace limpet
