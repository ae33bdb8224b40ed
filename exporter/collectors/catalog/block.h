// block.h: what the block collector reports. collectors/block.h says how it is found.
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kBlockQueueSeconds{
    .name = "block_queue_seconds",
    .type = MetricType::kHistogram,
    .unit = "seconds",
    .labels = "device,operation",
    .help = "Time of completed requests in the queue, until they were issued to the device."};
inline constexpr MetricInfo kBlockDeviceSeconds{
    .name = "block_device_seconds",
    .type = MetricType::kHistogram,
    .unit = "seconds",
    .labels = "device,operation",
    .help = "Time of completed requests at the device, from issue to completion."};
inline constexpr MetricInfo kBlockTotalSeconds{
    .name = "block_total_seconds",
    .type = MetricType::kHistogram,
    .unit = "seconds",
    .labels = "device,operation",
    .help =
        "Time of completed requests in the queue and at the device, as disk_read_time and "
        "disk_write_time count it."};
inline constexpr MetricInfo kBlockShallowDeviceSeconds{
    .name = "block_shallow_device_seconds",
    .type = MetricType::kHistogram,
    .unit = "seconds",
    .labels = "device,operation",
    .help =
        "Time at the device of requests issued when at most 2 were there, themselves included."};
inline constexpr MetricInfo kBlockRequestBytes{.name = "block_request_bytes",
                                               .type = MetricType::kHistogram,
                                               .unit = "bytes",
                                               .labels = "device,operation",
                                               .help = "Size of completed requests."};
inline constexpr MetricInfo kBlockRequests{
    .name = "block_requests_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "device,operation,size",
    .help = "Completed reads and writes by size: small, up to 64 KiB, or large."};
inline constexpr MetricInfo kBlockRequestSeconds{
    .name = "block_request_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "device,operation,size",
    .help = "Time of those reads and writes in the queue and at the device."};
inline constexpr MetricInfo kBlockInflightSeconds{
    .name = "block_inflight_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "device,depth",
    .help =
        "Time during which so many requests were at the device: `depth` and more, below twice "
        "as many; 64 and more."};
inline constexpr MetricInfo kBlockDropped{
    .name = "block_dropped_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "reason",
    .help =
        "Requests that are in no histogram: no place for their device or for themselves, or "
        "issued unseen."};

inline constexpr std::array kBlock = {
    &kBlockQueueSeconds,         &kBlockDeviceSeconds,   &kBlockTotalSeconds,
    &kBlockShallowDeviceSeconds, &kBlockRequestBytes,    &kBlockRequests,
    &kBlockRequestSeconds,       &kBlockInflightSeconds, &kBlockDropped};

}  // namespace limpet::catalog
