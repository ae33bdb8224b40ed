// messages.h: what commands say on standard error.
//
// Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/log.h"
#include "exporter/common/result.h"

namespace limpet {

// Prints `text` as a line of its own and returns `code`, for `return Fail(…, kExitFailed)`.
[[nodiscard]] int Fail(std::string_view text, int code);

// The configuration at `file` cannot be used: prints every problem, one a line. Returns kExitUsage.
[[nodiscard]] int RefuseConfig(const Error& error, const std::string& file);

// Logs what the configuration's loader wants told: thresholds that fit in part only.
void LogNotes(const std::vector<std::string>& notes, const LogSink& log);

}  // namespace limpet
