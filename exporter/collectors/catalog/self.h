// self.h: what the exporter says about itself: under names of its own, which recordings keep apart
// from those of other programs, and as process_* like any other program.
#pragma once

#include <array>

#include "exporter/common/exposition/catalog/process.h"
#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kExporterBuildInfo{
    .name = "exporter_build_info",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "version,compiler",
    .help = "Always 1; the labels say which build this is."};
inline constexpr MetricInfo kExporterCpuSeconds{
    .name = "exporter_cpu_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "",
    .help = "Processor time the exporter itself has used."};
inline constexpr MetricInfo kExporterResidentMemory{
    .name = "exporter_resident_memory_bytes",
    .type = MetricType::kGauge,
    .unit = "bytes",
    .labels = "",
    .help = "Memory of the exporter itself that is in RAM."};
inline constexpr MetricInfo kExporterOpenFds{
    .name = "exporter_open_fds",
    .type = MetricType::kGauge,
    .unit = "files",
    .labels = "",
    .help = "Open file descriptors of the exporter itself."};
inline constexpr MetricInfo kExporterThreads{.name = "exporter_threads",
                                             .type = MetricType::kGauge,
                                             .unit = "threads",
                                             .labels = "",
                                             .help = "Threads of the exporter itself."};
inline constexpr MetricInfo kExporterStartTime{.name = "exporter_start_time_seconds",
                                               .type = MetricType::kGauge,
                                               .unit = "seconds",
                                               .labels = "",
                                               .help = "Unix time at which the exporter started."};

inline constexpr std::array kSelf = {
    &kExporterBuildInfo, &kExporterCpuSeconds, &kExporterResidentMemory, &kExporterOpenFds,
    &kExporterThreads,   &kExporterStartTime,  &kProcessCpuSeconds,      &kProcessResidentMemory,
    &kProcessStartTime,  &kProcessOpenFds,     &kProcessMaxFds};

}  // namespace limpet::catalog
