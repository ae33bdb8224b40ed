// evidence_metrics.h: since when a node is indicted, and the leading evidence in numbers, so that
// the text of an alert can say "await of io03/sdb 10.6× its 5 peers, +77 ms, for 4 min".
//
// Only who is indicted has series here: they are few and end with the verdict. The leading evidence
// is the one with the largest degree; over several presets that indict a node for one cause, too.
// Every value is finite.
// Threads: pure.
#pragma once

#include "diagnoser/publish/verdict_log.h"
#include "diagnoser/view/view_types.h"
#include "exporter/common/exposition/sample.h"

namespace limpet {

// `log` has seen the view.
[[nodiscard]] Families EvidenceFamilies(const PipelineView& view, const VerdictLog& log);

}  // namespace limpet
