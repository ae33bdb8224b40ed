// verdicts.h: the rows of the catalogue about what the diagnoser concludes of other machines.
//
// Its label is `node`, never `instance` or `job`: those are Prometheus' own for whom it scrapes.
// `device` is left out where a component is a whole node (network, congestion windows).
#pragma once

#include <array>

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
        "1 while limpet_indicted stays 1 only because the server cannot be compared: it has too "
        "few readings, or fewer than 3 members of its peer group have enough."};
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
inline constexpr MetricInfo kComponentsLeftOut{
    .name = "components_left_out",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "",
    .help = "Components and metrics whose series publish.detail leaves off this page."};
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

inline constexpr std::array kVerdicts = {&kAnomaly,
                                         &kAnomalyDegree,
                                         &kAnomalyEffectRatio,
                                         &kAnomalyAccumulator,
                                         &kIndicted,
                                         &kNodeJudged,
                                         &kNodeNotJudged,
                                         &kFact,
                                         &kSharedPart,
                                         &kIndictedUnknown,
                                         &kIndictedSince,
                                         &kIndictedNamed,
                                         &kEvidenceRatio,
                                         &kEvidenceDifference,
                                         &kEvidencePeers,
                                         &kLunIndicted,
                                         &kRootCause,
                                         &kComponentRank,
                                         &kWindowEnd,
                                         &kGroupComponents,
                                         &kComponentsLeftOut,
                                         &kGroupStorm,
                                         &kGroupBimodal,
                                         &kExpectedFalseAlarms,
                                         &kExpectedFalseAlarmsUpper};
inline constexpr std::array kProfiles = {
    &kProfileLabel,     &kProfileDistance,     &kProfileAlarm,     &kProfileIndicted,
    &kProfileThreshold, &kProfileUnknownRatio, &kProfileModelStale};
inline constexpr std::array kCustomMetrics = {&kCustomComponents, &kCustomDropped};

}  // namespace limpet::catalog
