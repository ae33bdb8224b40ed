// diagnoser.h: the diagnoser's rows of the catalogue: what it concludes, and what it says about
// itself.
//
// The diagnoser speaks about other machines, so its label is `node`, never `instance` or `job`:
// those are Prometheus' own for whom it scrapes. `device` is left out where a component is a whole
// node (network, congestion windows).
#pragma once

#include <array>

#include "exporter/common/exposition/catalog/process.h"
#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kAnomaly{
    .name = "anomaly",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "peer_group,node,device,metric,preset",
    .help = "1 while the component is flagged: anomalous in enough of its latest windows."};
inline constexpr MetricInfo kAnomalyDegree{
    .name = "anomaly_degree",
    .type = MetricType::kGauge,
    .unit = "ratio",
    .labels = "peer_group,node,device,metric,preset",
    .help =
        "How far over its threshold the component was in enough of its latest windows; over 1 "
        "exactly while flagged."};
inline constexpr MetricInfo kAnomalyEffectRatio{
    .name = "anomaly_effect_ratio",
    .type = MetricType::kGauge,
    .unit = "ratio",
    .labels = "peer_group,node,device,metric,preset",
    .help = "How much more than its peers in the latest window: 0.25 is a quarter more."};
inline constexpr MetricInfo kAnomalyAccumulator{
    .name = "anomaly_accumulator",
    .type = MetricType::kGauge,
    .unit = "windows",
    .labels = "peer_group,node,device,metric,preset",
    .help =
        "Persistence: up by 1 for each window in which the component is flagged, down by 1 for "
        "each in which it is not."};
inline constexpr MetricInfo kIndicted{.name = "indicted",
                                      .type = MetricType::kGauge,
                                      .unit = "",
                                      .labels = "node,cause",
                                      .help =
                                          "1 while this node is named as the culprit with this "
                                          "cause; 0 for every other node and cause."};
inline constexpr MetricInfo kNodeJudged{.name = "node_judged",
                                        .type = MetricType::kGauge,
                                        .unit = "",
                                        .labels = "node",
                                        .help =
                                            "1 while windows compare this node with its peers, or "
                                            "it has a verdict; 0 while nothing can "
                                            "be said of it: then silence is not health."};
inline constexpr MetricInfo kNodeNotJudged{
    .name = "node_not_judged",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "node,reason",
    .help =
        "Always 1; why limpet_node_judged is 0: no-answer, no-readings, masked, no-peer-group, "
        "too-few-peers, two-kinds, too-early, step or no-window."};
inline constexpr MetricInfo kFact{
    .name = "fact",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "node,device,fact,detail",
    .help =
        "Always 1; what is known of a node that a verdict names and may explain it. Facts indict "
        "nobody."};
inline constexpr MetricInfo kSharedPart{
    .name = "shared_part_flagged",
    .type = MetricType::kGauge,
    .unit = "components",
    .labels = "kind,name",
    .help =
        "How many flagged components share this enclosure, controller, switch or host, where that "
        "explains them better than faults of their own."};
inline constexpr MetricInfo kIndictedUnknown{
    .name = "indicted_unknown",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "node,cause",
    .help =
        "1 while limpet_indicted stays 1 only because fewer than 3 members of the peer group can "
        "be compared: two peers are not enough to tell."};
inline constexpr MetricInfo kIndictedSince{
    .name = "indicted_since_timestamp_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "node,cause",
    .help =
        "Unix time at which the node began to differ, by the readings of the first window that "
        "said so; only while it is indicted."};
inline constexpr MetricInfo kIndictedNamed{
    .name = "indicted_named_timestamp_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "node,cause",
    .help = "Unix time of the window end that named the node; only while it is indicted."};
inline constexpr MetricInfo kEvidenceRatio{
    .name = "evidence_ratio",
    .type = MetricType::kGauge,
    .unit = "ratio",
    .labels = "node,cause,peer_group,device,metric",
    .help =
        "Of the leading evidence of an indictment: the component's mean over its peers' median, "
        "in the window that decided; absent where the peers have next to nothing."};
inline constexpr MetricInfo kEvidenceDifference{
    .name = "evidence_difference",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "node,cause,peer_group,device,metric,unit",
    .help =
        "The same as a difference, in the unit that the label names (\"ms\" for await): for the "
        "texts of alerts."};
inline constexpr MetricInfo kEvidencePeers{
    .name = "evidence_peers",
    .type = MetricType::kGauge,
    .unit = "components",
    .labels = "node,cause,peer_group,device,metric",
    .help = "With how many peers the component of the leading evidence was compared."};
inline constexpr MetricInfo kLunIndicted{
    .name = "lun_indicted",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "lun,node,device,kind",
    .help =
        "1 while this disk attachment is the reason; lun is its world-wide name if known; kind is "
        "component (it alone is slow) or workload (it has more to do)."};
inline constexpr MetricInfo kRootCause{.name = "root_cause",
                                       .type = MetricType::kGauge,
                                       .unit = "",
                                       .labels = "node,cause",
                                       .help =
                                           "1 while the checklist gives this cause for the node, "
                                           "as culprit or as one that suffers from another."};
inline constexpr MetricInfo kComponentRank{
    .name = "component_rank",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "peer_group,node,device,metric,preset",
    .help = "Place in the peer group by degree, 1 the most deviant."};
inline constexpr MetricInfo kWindowEnd{
    .name = "window_end_timestamp_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "preset",
    .help = "Unix time at which the latest compared window ended."};
inline constexpr MetricInfo kGroupComponents{
    .name = "group_components",
    .type = MetricType::kGauge,
    .unit = "components",
    .labels = "peer_group,preset,state",
    .help =
        "Components of the peer group by state: taking_part in the latest window, missing, "
        "masked."};

inline constexpr MetricInfo kGroupStorm{.name = "group_storm",
                                        .type = MetricType::kGauge,
                                        .unit = "",
                                        .labels = "peer_group,metric,preset",
                                        .help =
                                            "1 while more than a tenth and at least 3, or over "
                                            "half, of the group are flagged at once."};
inline constexpr MetricInfo kGroupBimodal{
    .name = "group_bimodal",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "peer_group,metric,preset",
    .help = "1 when the group was two kinds of components over the last whole UTC day: no peers."};
inline constexpr MetricInfo kExpectedFalseAlarms{
    .name = "expected_false_alarms_per_day",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "preset",
    .help =
        "How often a healthy component may be expected to be flagged in a day, from how close the "
        "healthy have come to their thresholds since the start."};
inline constexpr MetricInfo kExpectedFalseAlarmsUpper{
    .name = "expected_false_alarms_per_day_upper",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "preset",
    .help = "Upper end of the 95 % confidence interval of limpet_expected_false_alarms_per_day."};
inline constexpr MetricInfo kProfileLabel{
    .name = "profile_label",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "node",
    .help =
        "Behaviour profile of the node in the latest second, from 1; one more than there are "
        "profiles: unknown."};
inline constexpr MetricInfo kProfileDistance{
    .name = "profile_distance",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "node",
    .help =
        "How unlike most of its peers the node spends its time, 0 to 1 (the distance that more "
        "than half of them exceed)."};
inline constexpr MetricInfo kProfileAlarm{
    .name = "profile_alarm",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "node",
    .help = "1 while profile_distance is over profile_threshold."};
inline constexpr MetricInfo kProfileIndicted{
    .name = "profile_indicted",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "node",
    .help = "1 while the node's profile indicts it: alarms have lasted, by default for 20 s."};
inline constexpr MetricInfo kProfileThreshold{
    .name = "profile_threshold",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "",
    .help = "The distance that is allowed, from the model file."};
inline constexpr MetricInfo kProfileUnknownRatio{
    .name = "profile_unknown_ratio",
    .type = MetricType::kGauge,
    .unit = "ratio",
    .labels = "",
    .help = "Part of all nodes' seconds in the last 10 minutes that fit no profile."};
inline constexpr MetricInfo kProfileModelStale{
    .name = "profile_model_stale",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "",
    .help = "1 when profile_unknown_ratio is over 0.05 after 10 minutes: train the model again."};

inline constexpr MetricInfo kCustomComponents{
    .name = "diagnoser_custom_components",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "metric,state",
    .help =
        "Components of a metric of the configuration in the latest window: compared, or why not."};
inline constexpr MetricInfo kCustomDropped{
    .name = "diagnoser_custom_dropped_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "reason",
    .help =
        "Series of the configuration's metrics without room or component, and readings that "
        "another target has told."};

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

inline constexpr std::array kVerdicts = {
    &kAnomaly,       &kAnomalyDegree,      &kAnomalyEffectRatio,  &kAnomalyAccumulator,
    &kIndicted,      &kNodeJudged,         &kNodeNotJudged,       &kFact,
    &kSharedPart,    &kIndictedUnknown,    &kIndictedSince,       &kIndictedNamed,
    &kEvidenceRatio, &kEvidenceDifference, &kEvidencePeers,       &kLunIndicted,
    &kRootCause,     &kComponentRank,      &kWindowEnd,           &kGroupComponents,
    &kGroupStorm,    &kGroupBimodal,       &kExpectedFalseAlarms, &kExpectedFalseAlarmsUpper};
inline constexpr std::array kProfiles = {
    &kProfileLabel,     &kProfileDistance,     &kProfileAlarm,     &kProfileIndicted,
    &kProfileThreshold, &kProfileUnknownRatio, &kProfileModelStale};
inline constexpr std::array kCustomMetrics = {&kCustomComponents, &kCustomDropped};
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
