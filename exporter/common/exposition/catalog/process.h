// process.h: the process_* metrics that every Prometheus client library has, for dashboards and
// alerts that are made for any program. Their names have no prefix, whatever the others have
// (writer.h).
#pragma once

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kProcessCpuSeconds{
    .name = "process_cpu_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "",
    .help = "Processor time that this program has used, in user and kernel mode."};
inline constexpr MetricInfo kProcessResidentMemory{
    .name = "process_resident_memory_bytes",
    .type = MetricType::kGauge,
    .unit = "bytes",
    .labels = "",
    .help = "Memory of this program that is in RAM."};
inline constexpr MetricInfo kProcessStartTime{.name = "process_start_time_seconds",
                                              .type = MetricType::kGauge,
                                              .unit = "seconds",
                                              .labels = "",
                                              .help = "Unix time at which this program started."};
inline constexpr MetricInfo kProcessOpenFds{.name = "process_open_fds",
                                            .type = MetricType::kGauge,
                                            .unit = "",
                                            .labels = "",
                                            .help = "Open file descriptors of this program."};
inline constexpr MetricInfo kProcessMaxFds{
    .name = "process_max_fds",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "",
    .help = "How many file descriptors this program may have open."};

// A name that is the same for every program.
[[nodiscard]] constexpr bool IsStandard(const MetricInfo& info) {
  return info.name.starts_with("process_");
}

}  // namespace limpet::catalog
