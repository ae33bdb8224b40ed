// catalog.h: what `serve` says about the recordings it writes; absent when it writes none.
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kRecorderUp{
    .name = "recorder_up",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "",
    .help = "1 while recordings reach the disk, 0 while they cannot be written; the log says why."};
inline constexpr MetricInfo kRecorderSamples{.name = "recorder_samples_total",
                                             .type = MetricType::kCounter,
                                             .unit = "",
                                             .labels = "",
                                             .help = "Seconds that the recorder was given."};
inline constexpr MetricInfo kRecorderSamplesLost{
    .name = "recorder_samples_lost_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "",
    .help =
        "Seconds that are in no recording, because the disk was full or too slow for too long."};
inline constexpr MetricInfo kRecorderWrittenBytes{
    .name = "recorder_written_bytes_total",
    .type = MetricType::kCounter,
    .unit = "bytes",
    .labels = "",
    .help = "Compressed bytes written to recordings."};
inline constexpr MetricInfo kRecorderLastWrite{
    .name = "recorder_last_write_timestamp_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "",
    .help = "Unix time of the newest sample that is in a file."};
inline constexpr MetricInfo kRecorderFolderBytes{
    .name = "recorder_folder_bytes",
    .type = MetricType::kGauge,
    .unit = "bytes",
    .labels = "",
    .help = "Size of all recordings in the folder, looked at once a minute."};
inline constexpr MetricInfo kRecorderFilesDeleted{
    .name = "recorder_files_deleted_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "",
    .help = "Recordings deleted because of record.keep_days or record.max_bytes."};

inline constexpr std::array kRecorder = {
    &kRecorderUp,        &kRecorderSamples,     &kRecorderSamplesLost, &kRecorderWrittenBytes,
    &kRecorderLastWrite, &kRecorderFolderBytes, &kRecorderFilesDeleted};

}  // namespace limpet::catalog
