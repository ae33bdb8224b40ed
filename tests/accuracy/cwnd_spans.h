// cwnd_spans.h: how long congestion windows are averaged, and what that decides ([Kasick10 §11.2]).
//
// Threads: as RunMatrix.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tests/accuracy/one_run.h"
#include "tests/accuracy/scenarios.h"

namespace limpet::accuracy {

// The logs of the servers' windows in one second, each the mean of the last `span` seconds. Nothing
// until there are so many.
using CwndSeconds = std::vector<std::optional<std::vector<double>>>;

// By second, as clients (side 0) and servers (side 1) see them, in the units of detect/cwnd/cwnd.h.
[[nodiscard]] std::vector<CwndSeconds> ReadWindows(const RunKey& key, std::size_t span);

// The least log over its second's median, over all seconds and servers; 1 without any.
[[nodiscard]] double LeastShare(const CwndSeconds& seconds);

// The seconds at which windows of 64 s, every 32 s, flag each server, by server: those with half of
// their seconds below f of the median, in 3 of the last 5 windows [Kasick10 §10.1].
[[nodiscard]] std::vector<std::vector<std::size_t>> FlagsOf(const CwndSeconds& seconds, double f,
                                                            std::size_t servers);

// Packet losses at 10 servers under all workloads, thresholds trained for each span.
[[nodiscard]] std::string CwndSpanTable(const ScenarioSpec& spec, const Progress& progress);

}  // namespace limpet::accuracy
