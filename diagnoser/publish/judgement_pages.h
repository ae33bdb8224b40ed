// judgement_pages.h: which servers are judged, for /api/v1/judged and the metrics page.
//
// Threads: pure.
#pragma once

#include <string>
#include <string_view>

#include "diagnoser/publish/api_json.h"
#include "diagnoser/view/judgements.h"
#include "exporter/common/exposition/sample.h"

namespace limpet {

enum class JudgedList { kNotJudged, kAll };

// Counts and the sentence, without servers.
[[nodiscard]] ApiJson SummaryToJson(const Judgements& judgements);
// Returns JSON with the servers: `node` alone unless it is empty, otherwise the first 1000 that are
// not judged, or all.
[[nodiscard]] std::string JudgedJson(const Judgements& judgements, std::string_view node,
                                     JudgedList list);

// limpet_node_judged, a series for each server, and limpet_node_not_judged with the reason.
[[nodiscard]] Families JudgementFamilies(const Judgements& judgements);

}  // namespace limpet
