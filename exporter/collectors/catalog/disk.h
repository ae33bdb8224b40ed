// disk.h: the disk collector's rows of the catalogue.
//
// Counters have node_exporter's names, labels and units (diskstats_linux.go of 1.5). The gauges are
// what `iostat -dxy` prints for the interval between the last two samples, in base units.
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kDiskReadsCompleted{.name = "disk_reads_completed_total",
                                                .type = MetricType::kCounter,
                                                .unit = "requests",
                                                .labels = "device",
                                                .help = "Reads completed successfully."};
inline constexpr MetricInfo kDiskReadsMerged{.name = "disk_reads_merged_total",
                                             .type = MetricType::kCounter,
                                             .unit = "requests",
                                             .labels = "device",
                                             .help = "Reads merged into a neighbouring request."};
inline constexpr MetricInfo kDiskReadBytes{.name = "disk_read_bytes_total",
                                           .type = MetricType::kCounter,
                                           .unit = "bytes",
                                           .labels = "device",
                                           .help = "Bytes read successfully."};
inline constexpr MetricInfo kDiskReadTime{.name = "disk_read_time_seconds_total",
                                          .type = MetricType::kCounter,
                                          .unit = "seconds",
                                          .labels = "device",
                                          .help = "Time spent by all reads, queueing included."};
inline constexpr MetricInfo kDiskWritesCompleted{.name = "disk_writes_completed_total",
                                                 .type = MetricType::kCounter,
                                                 .unit = "requests",
                                                 .labels = "device",
                                                 .help = "Writes completed successfully."};
inline constexpr MetricInfo kDiskWritesMerged{.name = "disk_writes_merged_total",
                                              .type = MetricType::kCounter,
                                              .unit = "requests",
                                              .labels = "device",
                                              .help = "Writes merged into a neighbouring request."};
inline constexpr MetricInfo kDiskWrittenBytes{.name = "disk_written_bytes_total",
                                              .type = MetricType::kCounter,
                                              .unit = "bytes",
                                              .labels = "device",
                                              .help = "Bytes written successfully."};
inline constexpr MetricInfo kDiskWriteTime{.name = "disk_write_time_seconds_total",
                                           .type = MetricType::kCounter,
                                           .unit = "seconds",
                                           .labels = "device",
                                           .help = "Time spent by all writes, queueing included."};
inline constexpr MetricInfo kDiskIoNow{.name = "disk_io_now",
                                       .type = MetricType::kGauge,
                                       .unit = "requests",
                                       .labels = "device",
                                       .help = "Requests in flight at the moment of the sample."};
inline constexpr MetricInfo kDiskIoTime{
    .name = "disk_io_time_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "device",
    .help = "Time during which at least one request was in flight."};
inline constexpr MetricInfo kDiskIoTimeWeighted{
    .name = "disk_io_time_weighted_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "device",
    .help = "Time in flight summed over requests; its rate is the mean queue length."};
inline constexpr MetricInfo kDiskDiscardsCompleted{
    .name = "disk_discards_completed_total",
    .type = MetricType::kCounter,
    .unit = "requests",
    .labels = "device",
    .help = "Discards completed successfully (kernel 4.18 and later)."};
inline constexpr MetricInfo kDiskDiscardsMerged{
    .name = "disk_discards_merged_total",
    .type = MetricType::kCounter,
    .unit = "requests",
    .labels = "device",
    .help = "Discards merged into a neighbouring request (kernel 4.18 and later)."};
inline constexpr MetricInfo kDiskDiscardedSectors{
    .name = "disk_discarded_sectors_total",
    .type = MetricType::kCounter,
    .unit = "sectors",
    .labels = "device",
    .help = "Sectors of 512 bytes discarded successfully (kernel 4.18 and later)."};
inline constexpr MetricInfo kDiskDiscardTime{
    .name = "disk_discard_time_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "device",
    .help = "Time spent by all discards, queueing included (kernel 4.18 and later)."};
inline constexpr MetricInfo kDiskFlushRequests{
    .name = "disk_flush_requests_total",
    .type = MetricType::kCounter,
    .unit = "requests",
    .labels = "device",
    .help = "Flush requests completed successfully (kernel 5.5 and later)."};
inline constexpr MetricInfo kDiskFlushTime{
    .name = "disk_flush_requests_time_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "device",
    .help = "Time spent by all flush requests (kernel 5.5 and later)."};

inline constexpr MetricInfo kDiskReadsPerSecond{
    .name = "disk_reads_per_second",
    .type = MetricType::kGauge,
    .unit = "requests per second",
    .labels = "device",
    .help = "Reads completed per second over the last interval (iostat r/s)."};
inline constexpr MetricInfo kDiskWritesPerSecond{
    .name = "disk_writes_per_second",
    .type = MetricType::kGauge,
    .unit = "requests per second",
    .labels = "device",
    .help = "Writes completed per second over the last interval (iostat w/s)."};
inline constexpr MetricInfo kDiskRequestsPerSecond{
    .name = "disk_requests_per_second",
    .type = MetricType::kGauge,
    .unit = "requests per second",
    .labels = "device",
    .help = "Reads, writes and discards completed per second over the last interval (iostat tps)."};
inline constexpr MetricInfo kDiskReadBytesPerSecond{
    .name = "disk_read_bytes_per_second",
    .type = MetricType::kGauge,
    .unit = "bytes per second",
    .labels = "device",
    .help = "Bytes read per second over the last interval (iostat rkB/s)."};
inline constexpr MetricInfo kDiskWrittenBytesPerSecond{
    .name = "disk_written_bytes_per_second",
    .type = MetricType::kGauge,
    .unit = "bytes per second",
    .labels = "device",
    .help = "Bytes written per second over the last interval (iostat wkB/s)."};
inline constexpr MetricInfo kDiskRequestSize{
    .name = "disk_request_size_bytes",
    .type = MetricType::kGauge,
    .unit = "bytes",
    .labels = "device",
    .help =
        "Mean size of the requests completed in the last interval, 0 without requests "
        "(sar areq-sz)."};
inline constexpr MetricInfo kDiskQueueLength{
    .name = "disk_queue_length",
    .type = MetricType::kGauge,
    .unit = "requests",
    .labels = "device",
    .help = "Mean number of requests in flight over the last interval (iostat aqu-sz)."};
inline constexpr MetricInfo kDiskAwait{
    .name = "disk_await_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "device",
    .help =
        "Mean time of the requests completed in the last interval, queueing included, "
        "0 without requests (sar await)."};
inline constexpr MetricInfo kDiskReadAwait{
    .name = "disk_read_await_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "device",
    .help =
        "Mean time of the reads completed in the last interval, 0 without reads (iostat "
        "r_await)."};
inline constexpr MetricInfo kDiskWriteAwait{
    .name = "disk_write_await_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "device",
    .help =
        "Mean time of the writes completed in the last interval, 0 without writes (iostat "
        "w_await)."};
inline constexpr MetricInfo kDiskServiceTime{
    .name = "disk_service_time_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "device",
    .help =
        "Busy time per request completed in the last interval, 0 without requests (svctm of "
        "older iostat)."};
inline constexpr MetricInfo kDiskUtilization{
    .name = "disk_utilization_ratio",
    .type = MetricType::kGauge,
    .unit = "ratio",
    .labels = "device",
    .help =
        "Part of the last interval during which a request was in flight, 0 to 1 (iostat "
        "%util)."};
inline constexpr MetricInfo kDiskStuck{
    .name = "disk_stuck_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "device",
    .help =
        "How long requests have been in flight with nothing completing; 0 when something "
        "completes or nothing is in flight."};

inline constexpr MetricInfo kDiskCounterResets{
    .name = "disk_resets_total",
    .type = MetricType::kCounter,
    .unit = "resets",
    .labels = "device",
    .help = "Intervals without gauges because a counter of the device fell."};
inline constexpr MetricInfo kDiskReplugs{
    .name = "disk_replugs_total",
    .type = MetricType::kCounter,
    .unit = "times",
    .labels = "device",
    .help =
        "Times the name was seen to stand for a new device: it was gone for a sample, its "
        "numbers changed, or its requests began again."};
inline constexpr MetricInfo kDiskInFlightUnderflows{
    .name = "disk_in_flight_underflows_total",
    .type = MetricType::kCounter,
    .unit = "samples",
    .labels = "device",
    .help =
        "Samples in which the kernel printed a negative number of requests in flight, shown "
        "as 0; present only for devices that had one."};
inline constexpr MetricInfo kDiskSkippedLines{
    .name = "disk_skipped_lines_total",
    .type = MetricType::kCounter,
    .unit = "lines",
    .labels = "",
    .help = "Lines of /proc/diskstats that could not be read."};
inline constexpr MetricInfo kDiskInfo{
    .name = "disk_info",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,wwn,serial,model,rotational,size,mountpoint,fstype",
    .help = "Always 1; the labels say what the device is, empty where the kernel does not tell."};

inline constexpr MetricInfo kDiskStack{
    .name = "disk_stack_info",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,kind,lower",
    .help =
        "Always 1; the device is of this kind (hardware, path, partition, multipath, dm, md and "
        "others) and stands on the disk `lower`, if on any; a series for each."};

inline constexpr std::array kDisk = {&kDiskReadsCompleted,
                                     &kDiskReadsMerged,
                                     &kDiskReadBytes,
                                     &kDiskReadTime,
                                     &kDiskWritesCompleted,
                                     &kDiskWritesMerged,
                                     &kDiskWrittenBytes,
                                     &kDiskWriteTime,
                                     &kDiskIoNow,
                                     &kDiskIoTime,
                                     &kDiskIoTimeWeighted,
                                     &kDiskDiscardsCompleted,
                                     &kDiskDiscardsMerged,
                                     &kDiskDiscardedSectors,
                                     &kDiskDiscardTime,
                                     &kDiskFlushRequests,
                                     &kDiskFlushTime,
                                     &kDiskReadsPerSecond,
                                     &kDiskWritesPerSecond,
                                     &kDiskRequestsPerSecond,
                                     &kDiskReadBytesPerSecond,
                                     &kDiskWrittenBytesPerSecond,
                                     &kDiskRequestSize,
                                     &kDiskQueueLength,
                                     &kDiskAwait,
                                     &kDiskReadAwait,
                                     &kDiskWriteAwait,
                                     &kDiskServiceTime,
                                     &kDiskUtilization,
                                     &kDiskStuck,
                                     &kDiskCounterResets,
                                     &kDiskReplugs,
                                     &kDiskInFlightUnderflows,
                                     &kDiskSkippedLines,
                                     &kDiskInfo,
                                     &kDiskStack};

}  // namespace limpet::catalog
