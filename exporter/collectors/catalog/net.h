// net.h: the net collector's rows of the catalogue.
//
// Counters and the link speed have node_exporter's names and labels (netdev and netclass of 1.5).
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kNetworkReceiveBytes{.name = "network_receive_bytes_total",
                                                 .type = MetricType::kCounter,
                                                 .unit = "bytes",
                                                 .labels = "device",
                                                 .help = "Bytes received."};
inline constexpr MetricInfo kNetworkReceivePackets{.name = "network_receive_packets_total",
                                                   .type = MetricType::kCounter,
                                                   .unit = "packets",
                                                   .labels = "device",
                                                   .help = "Packets received."};
inline constexpr MetricInfo kNetworkReceiveErrs{.name = "network_receive_errs_total",
                                                .type = MetricType::kCounter,
                                                .unit = "packets",
                                                .labels = "device",
                                                .help = "Packets received with an error."};
inline constexpr MetricInfo kNetworkReceiveDrop{.name = "network_receive_drop_total",
                                                .type = MetricType::kCounter,
                                                .unit = "packets",
                                                .labels = "device",
                                                .help = "Packets dropped while receiving."};
inline constexpr MetricInfo kNetworkReceiveFifo{.name = "network_receive_fifo_total",
                                                .type = MetricType::kCounter,
                                                .unit = "packets",
                                                .labels = "device",
                                                .help = "Receive overruns of the FIFO."};
inline constexpr MetricInfo kNetworkReceiveFrame{.name = "network_receive_frame_total",
                                                 .type = MetricType::kCounter,
                                                 .unit = "packets",
                                                 .labels = "device",
                                                 .help = "Packets received with a framing error."};
inline constexpr MetricInfo kNetworkReceiveCompressed{.name = "network_receive_compressed_total",
                                                      .type = MetricType::kCounter,
                                                      .unit = "packets",
                                                      .labels = "device",
                                                      .help = "Compressed packets received."};
inline constexpr MetricInfo kNetworkReceiveMulticast{.name = "network_receive_multicast_total",
                                                     .type = MetricType::kCounter,
                                                     .unit = "packets",
                                                     .labels = "device",
                                                     .help = "Multicast packets received."};
inline constexpr MetricInfo kNetworkTransmitBytes{.name = "network_transmit_bytes_total",
                                                  .type = MetricType::kCounter,
                                                  .unit = "bytes",
                                                  .labels = "device",
                                                  .help = "Bytes sent."};
inline constexpr MetricInfo kNetworkTransmitPackets{.name = "network_transmit_packets_total",
                                                    .type = MetricType::kCounter,
                                                    .unit = "packets",
                                                    .labels = "device",
                                                    .help = "Packets sent."};
inline constexpr MetricInfo kNetworkTransmitErrs{.name = "network_transmit_errs_total",
                                                 .type = MetricType::kCounter,
                                                 .unit = "packets",
                                                 .labels = "device",
                                                 .help = "Packets that failed to be sent."};
inline constexpr MetricInfo kNetworkTransmitDrop{.name = "network_transmit_drop_total",
                                                 .type = MetricType::kCounter,
                                                 .unit = "packets",
                                                 .labels = "device",
                                                 .help = "Packets dropped while sending."};
inline constexpr MetricInfo kNetworkTransmitFifo{.name = "network_transmit_fifo_total",
                                                 .type = MetricType::kCounter,
                                                 .unit = "packets",
                                                 .labels = "device",
                                                 .help = "Transmit underruns of the FIFO."};
inline constexpr MetricInfo kNetworkTransmitColls{.name = "network_transmit_colls_total",
                                                  .type = MetricType::kCounter,
                                                  .unit = "packets",
                                                  .labels = "device",
                                                  .help = "Collisions while sending."};
inline constexpr MetricInfo kNetworkTransmitCarrier{.name = "network_transmit_carrier_total",
                                                    .type = MetricType::kCounter,
                                                    .unit = "packets",
                                                    .labels = "device",
                                                    .help = "Losses of the carrier while sending."};
inline constexpr MetricInfo kNetworkTransmitCompressed{.name = "network_transmit_compressed_total",
                                                       .type = MetricType::kCounter,
                                                       .unit = "packets",
                                                       .labels = "device",
                                                       .help = "Compressed packets sent."};
inline constexpr MetricInfo kNetworkReceiveBytesPerSecond{
    .name = "network_receive_bytes_per_second",
    .type = MetricType::kGauge,
    .unit = "bytes per second",
    .labels = "device",
    .help = "Bytes received per second over the last interval (sar -n DEV)."};
inline constexpr MetricInfo kNetworkReceivePacketsPerSecond{
    .name = "network_receive_packets_per_second",
    .type = MetricType::kGauge,
    .unit = "packets per second",
    .labels = "device",
    .help = "Packets received per second over the last interval (sar -n DEV)."};
inline constexpr MetricInfo kNetworkTransmitBytesPerSecond{
    .name = "network_transmit_bytes_per_second",
    .type = MetricType::kGauge,
    .unit = "bytes per second",
    .labels = "device",
    .help = "Bytes sent per second over the last interval (sar -n DEV)."};
inline constexpr MetricInfo kNetworkTransmitPacketsPerSecond{
    .name = "network_transmit_packets_per_second",
    .type = MetricType::kGauge,
    .unit = "packets per second",
    .labels = "device",
    .help = "Packets sent per second over the last interval (sar -n DEV)."};
inline constexpr MetricInfo kNetworkSpeed{
    .name = "network_speed_bytes",
    .type = MetricType::kGauge,
    .unit = "bytes per second",
    .labels = "device",
    .help =
        "Speed of the link in bytes per second, refreshed once a minute; absent when the driver "
        "does not know it."};
inline constexpr MetricInfo kNetworkStack{
    .name = "network_stack_info",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,kind,lower",
    .help =
        "Always 1; the interface is of this kind (hardware, ipoib, bond, bridge, vlan, virtual and "
        "others) and stands on `lower`, if on any; a series for each."};
inline constexpr MetricInfo kNetworkCounterResets{
    .name = "network_resets_total",
    .type = MetricType::kCounter,
    .unit = "resets",
    .labels = "device",
    .help = "Intervals without gauges because a counter of the interface fell."};
inline constexpr MetricInfo kNetworkSkippedLines{
    .name = "network_skipped_lines_total",
    .type = MetricType::kCounter,
    .unit = "lines",
    .labels = "",
    .help = "Lines of /proc/net/dev that could not be read."};

inline constexpr std::array kNet = {&kNetworkReceiveBytes,
                                    &kNetworkReceivePackets,
                                    &kNetworkReceiveErrs,
                                    &kNetworkReceiveDrop,
                                    &kNetworkReceiveFifo,
                                    &kNetworkReceiveFrame,
                                    &kNetworkReceiveCompressed,
                                    &kNetworkReceiveMulticast,
                                    &kNetworkTransmitBytes,
                                    &kNetworkTransmitPackets,
                                    &kNetworkTransmitErrs,
                                    &kNetworkTransmitDrop,
                                    &kNetworkTransmitFifo,
                                    &kNetworkTransmitColls,
                                    &kNetworkTransmitCarrier,
                                    &kNetworkTransmitCompressed,
                                    &kNetworkReceiveBytesPerSecond,
                                    &kNetworkReceivePacketsPerSecond,
                                    &kNetworkTransmitBytesPerSecond,
                                    &kNetworkTransmitPacketsPerSecond,
                                    &kNetworkSpeed,
                                    &kNetworkStack,
                                    &kNetworkCounterResets,
                                    &kNetworkSkippedLines};

}  // namespace limpet::catalog
