// bpf.h: what is told of the programs in the kernel. collectors/bpf.h says how it is found.
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kBpfAvailable{
    .name = "bpf_available",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "programs,missing",
    .help =
        "1 if the programs of this collector run in the kernel; 0 if not, and `missing` says "
        "for want of what: build, permission, btf or kernel."};
inline constexpr MetricInfo kBpfMissed{
    .name = "bpf_missed_runs_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "programs,program",
    .help =
        "Events for which the kernel did not run the program, because it was running on that "
        "CPU already."};
inline constexpr MetricInfo kBpfRuns{
    .name = "bpf_runs_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "programs,program",
    .help = "Runs of the program while kernel.bpf_stats_enabled is 1."};
inline constexpr MetricInfo kBpfRunSeconds{
    .name = "bpf_run_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "programs,program",
    .help = "CPU time of the program while kernel.bpf_stats_enabled is 1."};

inline constexpr std::array kBpf = {&kBpfAvailable, &kBpfMissed, &kBpfRuns, &kBpfRunSeconds};

}  // namespace limpet::catalog
