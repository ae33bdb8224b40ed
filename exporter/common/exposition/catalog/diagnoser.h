// diagnoser.h: the rows of the catalogue about the diagnoser itself: its sources, targets, windows,
// state and process. The label of other machines is `node`, as in verdicts.h.
#pragma once

#include <array>

#include "exporter/common/exposition/catalog/process.h"
#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kTargetUp{
    .name = "target_up",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "node",
    .help = "1 when the latest scrape of the node gave a page that could be read."};
inline constexpr MetricInfo kTargetScrapeDuration{
    .name = "target_scrape_duration_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "node",
    .help = "How long the latest scrape of the node took."};
inline constexpr MetricInfo kTargetSamples{.name = "target_samples",
                                           .type = MetricType::kGauge,
                                           .unit = "samples",
                                           .labels = "node",
                                           .help = "Samples on the latest good page of the node."};
inline constexpr MetricInfo kTargetOverLimit{
    .name = "target_over_limit_series",
    .type = MetricType::kGauge,
    .unit = "series",
    .labels = "node",
    .help =
        "Series of the node that are left out because it has more components or lines than a "
        "target may."};
inline constexpr MetricInfo kTargetFailures{.name = "target_consecutive_failures",
                                            .type = MetricType::kGauge,
                                            .unit = "scrapes",
                                            .labels = "node",
                                            .help = "Scrapes of the node in a row that failed."};
inline constexpr MetricInfo kTargetClockSkew{
    .name = "target_clock_skew_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "node",
    .help =
        "Clock of the node minus ours (a store's), from its latest sample; missing when nothing "
        "tells its time."};
inline constexpr MetricInfo kTargetIdentityChanges{
    .name = "target_identity_changes_total",
    .type = MetricType::kCounter,
    .unit = "changes",
    .labels = "node,reason",
    .help =
        "Pages that came from another exporter or machine than the one before, by what told "
        "(start_time, boot_time, hostname, disk). Absent until the first."};
inline constexpr MetricInfo kTargetRefusedIncreases{
    .name = "target_refused_increases_total",
    .type = MetricType::kCounter,
    .unit = "increases",
    .labels = "node,reason",
    .help =
        "Increases of the node's counters that no machine makes, refused and left out, by what the "
        "counter counts. Absent until the first."};
inline constexpr MetricInfo kDiscoveryUp{
    .name = "discovery_up",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "source",
    .help =
        "1 when the list of targets (file_sd, http_sd) could be used when last looked at; 0: "
        "the one before stays."};
inline constexpr MetricInfo kDiscoveryTargets{.name = "discovery_targets",
                                              .type = MetricType::kGauge,
                                              .unit = "targets",
                                              .labels = "source",
                                              .help = "Targets of the latest good list."};
inline constexpr MetricInfo kDiscoveryRefused{
    .name = "discovery_refused_entries",
    .type = MetricType::kGauge,
    .unit = "entries",
    .labels = "source",
    .help = "Entries of the latest list that cannot be used; the log says which and why."};
inline constexpr MetricInfo kDiscoveryFailures{
    .name = "discovery_failures_total",
    .type = MetricType::kCounter,
    .unit = "refreshes",
    .labels = "source,reason",
    .help = "Times that a list could not be had, or read as a whole (list), by reason."};
inline constexpr MetricInfo kDiscoveryLastGood{
    .name = "discovery_last_success_timestamp_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "source",
    .help = "Unix time at which the list could last be used."};
inline constexpr MetricInfo kStoreUp{
    .name = "store_up",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "",
    .help = "source: prometheus: 1 when all queries of the latest steps were answered."};
inline constexpr MetricInfo kStoreQueries{.name = "store_queries_total",
                                          .type = MetricType::kCounter,
                                          .unit = "queries",
                                          .labels = "",
                                          .help = "Queries to the store, good and bad."};
inline constexpr MetricInfo kStoreFailures{
    .name = "store_query_failures_total",
    .type = MetricType::kCounter,
    .unit = "queries",
    .labels = "reason",
    .help = "Queries that were not answered in full, by reason; each was asked again."};
inline constexpr MetricInfo kStorePartial{
    .name = "store_partial_answers_total",
    .type = MetricType::kCounter,
    .unit = "answers",
    .labels = "",
    .help = "Answers taken although the store still called them partial when asked again."};
inline constexpr MetricInfo kStoreSkipped{
    .name = "store_skipped_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "",
    .help = "Time that was never read because it was longer ago than catch_up."};
inline constexpr MetricInfo kStoreUnnamed{
    .name = "store_unnamed_series",
    .type = MetricType::kGauge,
    .unit = "series",
    .labels = "",
    .help = "Series of the latest answers left out because their label node_label names no node."};
inline constexpr MetricInfo kStoreReadUntil{.name = "store_read_until_timestamp_seconds",
                                            .type = MetricType::kGauge,
                                            .unit = "seconds",
                                            .labels = "",
                                            .help = "Unix time of the latest step that was read."};
inline constexpr MetricInfo kTargetScrapes{.name = "target_scrapes_total",
                                           .type = MetricType::kCounter,
                                           .unit = "scrapes",
                                           .labels = "",
                                           .help = "Scrapes of all targets, good and bad."};
inline constexpr MetricInfo kTargetScrapeErrors{
    .name = "target_scrape_errors_total",
    .type = MetricType::kCounter,
    .unit = "scrapes",
    .labels = "reason",
    .help = "Scrapes that gave no page that could be read, by reason."};
inline constexpr MetricInfo kTargetScrapedBytes{.name = "target_scraped_bytes_total",
                                                .type = MetricType::kCounter,
                                                .unit = "bytes",
                                                .labels = "",
                                                .help = "Bytes of all pages, decoded."};
inline constexpr MetricInfo kIngestedSamples{.name = "ingested_samples_total",
                                             .type = MetricType::kCounter,
                                             .unit = "samples",
                                             .labels = "",
                                             .help = "Samples read from all pages."};
inline constexpr MetricInfo kIngestDropped{
    .name = "ingest_dropped_scrapes_total",
    .type = MetricType::kCounter,
    .unit = "scrapes",
    .labels = "",
    .help = "Pages thrown away because the diagnosis could not keep up."};
inline constexpr MetricInfo kIngestLag{
    .name = "ingest_lag_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "",
    .help = "Longest time from a page's arrival to its use, over the latest second."};
inline constexpr MetricInfo kWindowsCompared{
    .name = "windows_compared_total",
    .type = MetricType::kCounter,
    .unit = "windows",
    .labels = "",
    .help = "Windows of one metric of one peer group compared."};
inline constexpr MetricInfo kWindowCompute{
    .name = "window_compute_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "",
    .help = "Time spent comparing windows and drawing conclusions."};
inline constexpr MetricInfo kStateSaves{
    .name = "state_saves_total",
    .type = MetricType::kCounter,
    .unit = "saves",
    .labels = "result",
    .help = "Times the state was written, by result (ok, failed)."};
inline constexpr MetricInfo kStateSaved{
    .name = "state_saved_timestamp_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "",
    .help = "Unix time at which the state was last written; missing before the first time."};
inline constexpr MetricInfo kEventsWritten{
    .name = "events_written_total",
    .type = MetricType::kCounter,
    .unit = "events",
    .labels = "result",
    .help = "Lines for the event log, by result (ok, failed)."};
inline constexpr MetricInfo kHistoryBytes{
    .name = "diagnoser_history_bytes",
    .type = MetricType::kGauge,
    .unit = "bytes",
    .labels = "",
    .help = "Memory used by what is kept for the live page; publish.history bounds it."};
inline constexpr MetricInfo kViewers{.name = "diagnoser_viewers",
                                     .type = MetricType::kGauge,
                                     .unit = "viewers",
                                     .labels = "",
                                     .help = "Viewers of the live page's stream; at most 64."};
inline constexpr MetricInfo kViewersRefused{
    .name = "diagnoser_viewers_refused_total",
    .type = MetricType::kCounter,
    .unit = "viewers",
    .labels = "",
    .help = "Viewers turned away because there were too many."};
inline constexpr MetricInfo kStreamFrames{.name = "diagnoser_stream_frames_total",
                                          .type = MetricType::kCounter,
                                          .unit = "frames",
                                          .labels = "",
                                          .help = "Frames sent to viewers of the live page."};
inline constexpr MetricInfo kStreamThinned{
    .name = "diagnoser_stream_frames_thinned_total",
    .type = MetricType::kCounter,
    .unit = "frames",
    .labels = "",
    .help = "Frames left out because a viewer read too slowly."};
inline constexpr MetricInfo kConfigReloadOk{
    .name = "diagnoser_config_last_reload_successful",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "",
    .help =
        "1 when the latest start or reload took its configuration, 0 when it was refused and the "
        "old one stays."};
inline constexpr MetricInfo kDiagnoserBuildInfo{
    .name = "diagnoser_build_info",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "version,compiler",
    .help = "Always 1; the labels say which build this is."};
inline constexpr MetricInfo kDiagnoserCpuSeconds{
    .name = "diagnoser_cpu_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "",
    .help = "Processor time the diagnoser itself has used."};
inline constexpr MetricInfo kDiagnoserResidentMemory{
    .name = "diagnoser_resident_memory_bytes",
    .type = MetricType::kGauge,
    .unit = "bytes",
    .labels = "",
    .help = "Memory of the diagnoser itself that is in RAM."};
inline constexpr MetricInfo kDiagnoserStartTime{
    .name = "diagnoser_start_time_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "",
    .help = "Unix time at which the diagnoser started."};

inline constexpr std::array kDiagnoserSelf = {&kDiscoveryUp,
                                              &kDiscoveryTargets,
                                              &kDiscoveryRefused,
                                              &kDiscoveryFailures,
                                              &kDiscoveryLastGood,
                                              &kStoreUp,
                                              &kStoreQueries,
                                              &kStoreFailures,
                                              &kStorePartial,
                                              &kStoreSkipped,
                                              &kStoreUnnamed,
                                              &kStoreReadUntil,
                                              &kTargetUp,
                                              &kTargetScrapeDuration,
                                              &kTargetSamples,
                                              &kTargetOverLimit,
                                              &kTargetFailures,
                                              &kTargetClockSkew,
                                              &kTargetIdentityChanges,
                                              &kTargetRefusedIncreases,
                                              &kTargetScrapes,
                                              &kTargetScrapeErrors,
                                              &kTargetScrapedBytes,
                                              &kIngestedSamples,
                                              &kIngestDropped,
                                              &kIngestLag,
                                              &kWindowsCompared,
                                              &kWindowCompute,
                                              &kStateSaves,
                                              &kStateSaved,
                                              &kEventsWritten,
                                              &kHistoryBytes,
                                              &kViewers,
                                              &kViewersRefused,
                                              &kStreamFrames,
                                              &kStreamThinned,
                                              &kConfigReloadOk,
                                              &kDiagnoserBuildInfo,
                                              &kDiagnoserCpuSeconds,
                                              &kDiagnoserResidentMemory,
                                              &kDiagnoserStartTime,
                                              &kProcessCpuSeconds,
                                              &kProcessResidentMemory,
                                              &kProcessStartTime,
                                              &kProcessOpenFds,
                                              &kProcessMaxFds};

}  // namespace limpet::catalog
