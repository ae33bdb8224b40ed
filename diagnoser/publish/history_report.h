// history_report.h: incidents of months as one HTML page that needs nothing else: which servers,
// what causes, what people answered.
//
// Bounded: kMaxReportRows incidents are listed, the latest; all are counted. Threads: pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "diagnoser/publish/history_totals.h"

namespace limpet {

inline constexpr std::size_t kMaxReportRows = 2000;

// `program`: and its version.
[[nodiscard]] std::string HistoryReportHtml(const HistorySpan& span, std::string_view program);

}  // namespace limpet
