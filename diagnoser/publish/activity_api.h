// activity_api.h: /api/v1/activity: what a node's disks and programs are asked for.
//
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/history/recorder.h"
#include "exporter/common/time.h"

namespace limpet {

// The latest step up to `to`, and those from `from` on as series, every n-th of them when they are
// very many. nullopt: there is no such node.
[[nodiscard]] std::optional<std::string> ActivityJson(const LiveView& live, std::string_view node,
                                                      std::optional<UnixTime> from,
                                                      std::optional<UnixTime> to);

}  // namespace limpet
