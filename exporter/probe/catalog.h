// catalog.h: what `serve` says about the probes it was asked for; absent while they are off.
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kProbeReads{
    .name = "probe_reads_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "",
    .help = "Blocks of 4 KiB read straight from disks for probes, 30 a probe."};

inline constexpr std::array kProbe = {&kProbeReads};

}  // namespace limpet::catalog
