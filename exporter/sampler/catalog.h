// sampler.h: how the sampling itself goes. The two scrape_collector series are node_exporter's.
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kCollectorDuration{
    .name = "scrape_collector_duration_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "collector",
    .help = "Time the collector took for this sample, or has taken so far when it hangs."};
inline constexpr MetricInfo kCollectorSuccess{
    .name = "scrape_collector_success",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "collector",
    .help = "1 when the collector could read what it shows, 0 when it failed or hangs."};
inline constexpr MetricInfo kSampleTimestamp{
    .name = "sample_timestamp_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "",
    .help = "Unix time at which the kernel was read; its age tells how old this page is."};
inline constexpr MetricInfo kTicksMissed{
    .name = "sampler_ticks_missed_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "",
    .help =
        "Sampling instants that passed without a sample, because the one before took too long "
        "or the machine stood still."};
inline constexpr MetricInfo kSampleInterval{
    .name = "sample_interval_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "",
    .help = "Time since the sample before: more than sampling.interval where nobody asked for it."};
inline constexpr MetricInfo kConfigReloadSuccessful{
    .name = "config_last_reload_successful",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "",
    .help = "0 when the last configuration was refused and the one before is still in use."};
inline constexpr MetricInfo kConfigReloadTime{
    .name = "config_last_reload_success_timestamp_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "",
    .help = "Unix time at which the configuration in use was read."};

inline constexpr std::array kSampler = {
    &kCollectorDuration, &kCollectorSuccess,       &kSampleTimestamp, &kTicksMissed,
    &kSampleInterval,    &kConfigReloadSuccessful, &kConfigReloadTime};

}  // namespace limpet::catalog
