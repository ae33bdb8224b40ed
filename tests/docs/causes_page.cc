#include "tests/docs/causes_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace limpet::testing {
namespace {

std::string WithoutBackticks(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '`');
  return plain;
}

std::string_view ColourOf(CauseFamily family) {
  return family == CauseFamily::kStorage   ? "red"
         : family == CauseFamily::kNetwork ? "violet"
                                           : "brown";
}

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string ReadText(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// What an alert's description says of a cause, and its next step.
std::string Meaning(const CauseRow& row) {
  return fmt::format("that {}. Look at {} there: {}?", row.meaning, WithoutBackticks(row.look),
                     WithoutBackticks(row.reasons));
}
std::string AlertStep(const CauseRow& row) {
  return FillIn(row.next_step, "{{ $labels.node }}", "the disk");
}

// The branches of one annotation, at the indentation of the first.
std::string AlertChain(CauseAlert alert, std::string_view indent, bool is_step) {
  std::string chain;
  for (const auto& row : CauseRows()) {
    if (row.alert == alert) {
      fmt::format_to(std::back_inserter(chain), "{}{{{{{} eq $labels.cause \"{}\" }}}}{}\n", indent,
                     chain.empty() ? " if" : "- else if", row.name,
                     is_step ? AlertStep(row) : Meaning(row));
    }
  }
  return chain;
}

std::string BrokenNames() {
  std::string names;
  for (const auto& row : CauseRows()) {
    if (row.alert == CauseAlert::kBroken) {
      names += (names.empty() ? "" : "|") + std::string(row.name);
    }
  }
  return names;
}

// cause=~"…" and cause!~"…" are always about the causes that break a server.
std::string WithBrokenNames(std::string line) {
  constexpr std::string_view kMatcher = "~\"";
  for (auto at = line.find("cause"); at != std::string::npos; at = line.find("cause", at + 1)) {
    const auto begin = line.find(kMatcher, at);
    if (begin == std::string::npos || begin > at + std::string_view("cause!").size()) {
      continue;
    }
    const auto first = begin + kMatcher.size();
    line.replace(first, line.find('"', first) - first, BrokenNames());
  }
  return line;
}

std::string UsualReasons(const CauseRow& row) {
  return fmt::format("| `{}` | {} | {} | {} |\n", row.name, row.differs, row.look, row.reasons);
}

std::string NextStep(const CauseRow& row) {
  return fmt::format("| `{}` | {}, {} | {} | {} |\n", row.name, row.letter, ColourOf(row.family),
                     row.meaning, FillIn(row.next_step, "the server", "the disk"));
}

}  // namespace

std::string PageTable() {
  std::string table =
      "// cause_table.ts: made from diagnoser/verdict/causes.cc by the target refresh_causes.\n"
      "import type { Cause } from \"./causes\";\n\nexport const CAUSES: readonly Cause[] = [\n";
  for (const auto& row : CauseRows()) {
    fmt::format_to(std::back_inserter(table),
                   "  {{\n    name: \"{}\",\n    letter: \"{}\",\n    family: \"{}\",\n"
                   "    meaning: \"{}\",\n  }},\n",
                   row.name, row.letter, Name(row.family), WithoutBackticks(row.meaning));
  }
  return table + "];\n";
}

std::string WithAlertTexts(std::string_view alerts) {
  std::string made;
  auto alert = CauseAlert::kIndicted;
  bool in_chain = false;
  bool is_step = false;
  for (const auto& line : Lines(alerts)) {
    if (line.find("- alert: ") != std::string::npos) {
      alert = line.ends_with("LimpetServerBroken") ? CauseAlert::kBroken : CauseAlert::kIndicted;
    }
    if (line.find("description:") != std::string::npos ||
        line.find("next_step:") != std::string::npos) {
      is_step = line.find("next_step:") != std::string::npos;
    }
    const auto branch = line.find("if eq $labels.cause \"");
    if (branch == std::string::npos) {
      in_chain = false;
      made += WithBrokenNames(line) + "\n";
    } else if (!in_chain) {
      in_chain = true;
      made += AlertChain(alert, line.substr(0, line.find('{')), is_step);
    }
  }
  return made;
}

std::string WithCauseTables(std::string_view playbooks) {
  std::string made;
  std::string_view section;
  const auto lines = Lines(playbooks);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("## ")) {
      section = std::string_view(lines[i]).substr(3);
    }
    made += lines[i] + "\n";
    const bool reasons = lines[i] == "| cause | what differs | look at | usual reasons |";
    if (!reasons && lines[i] != "| cause | letter | it means | next step |") {
      continue;
    }
    made += lines[++i] + "\n";  // the rule under the head
    const auto alert =
        section == "LimpetServerBroken" ? CauseAlert::kBroken : CauseAlert::kIndicted;
    for (const auto& row : CauseRows()) {
      made += !reasons ? NextStep(row) : row.alert == alert ? UsualReasons(row) : "";
    }
    while (i + 1 < lines.size() && lines[i + 1].starts_with("|")) {
      ++i;
    }
  }
  return made;
}

std::vector<CauseFile> CauseFiles(const std::string& root) {
  constexpr auto kAlerts = "config/prometheus/alerts.yml";
  constexpr auto kPlaybooks = "docs/playbooks.md";
  return {{"diagnoser/page/src/text/cause_table.ts", PageTable()},
          {kAlerts, WithAlertTexts(ReadText(root + "/" + kAlerts))},
          {kPlaybooks, WithCauseTables(ReadText(root + "/" + kPlaybooks))}};
}

}  // namespace limpet::testing
