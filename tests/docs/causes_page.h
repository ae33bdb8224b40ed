// causes_page.h: what is written from the rows of diagnoser/verdict/causes.h: the live page's
// table, the texts of alerts, the tables of docs/playbooks.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/verdict/causes.h"

namespace limpet::testing {

// diagnoser/page/src/text/cause_table.ts, whole.
[[nodiscard]] std::string PageTable();

// `alerts` (config/prometheus/alerts.yml) with its lists of causes as the rows have them: the texts
// after {{ if eq $labels.cause "…" }}, of LimpetServerBroken those of causes that break a server
// and elsewhere the others', and the regular expressions of those that break one.
[[nodiscard]] std::string WithAlertTexts(std::string_view alerts);

// `playbooks` (docs/playbooks.md) with the rows of its tables of causes.
[[nodiscard]] std::string WithCauseTables(std::string_view playbooks);

struct CauseFile {
  std::string path;  // from `root`
  std::string text;
};
// All of them as they should be. A file that cannot be read comes out as if it were empty.
[[nodiscard]] std::vector<CauseFile> CauseFiles(const std::string& root);

}  // namespace limpet::testing
