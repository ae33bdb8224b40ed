// infiniband.h: the infiniband collector's rows of the catalogue.
//
// Names, labels and units are node_exporter's (infiniband_linux.go of 1.9) but for the counters of
// the hardware and what a port is, which it does not show.
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kPortDataReceived{
    .name = "infiniband_port_data_received_bytes_total",
    .type = MetricType::kCounter,
    .unit = "bytes",
    .labels = "device,port",
    .help = "Bytes received by the port; of RoCE and iWARP those of RDMA alone."};
inline constexpr MetricInfo kPortDataTransmitted{
    .name = "infiniband_port_data_transmitted_bytes_total",
    .type = MetricType::kCounter,
    .unit = "bytes",
    .labels = "device,port",
    .help = "Bytes sent by the port."};
inline constexpr MetricInfo kPortPacketsReceived{
    .name = "infiniband_port_packets_received_total",
    .type = MetricType::kCounter,
    .unit = "packets",
    .labels = "device,port",
    .help = "Packets received, those with errors included."};
inline constexpr MetricInfo kPortPacketsTransmitted{
    .name = "infiniband_port_packets_transmitted_total",
    .type = MetricType::kCounter,
    .unit = "packets",
    .labels = "device,port",
    .help = "Packets sent, those with errors included."};
inline constexpr MetricInfo kPortRate{.name = "infiniband_rate_bytes_per_second",
                                      .type = MetricType::kGauge,
                                      .unit = "bytes per second",
                                      .labels = "device,port",
                                      .help = "Signal rate of the port's link."};
inline constexpr MetricInfo kPortState{
    .name = "infiniband_state_id",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,port",
    .help = "State of the port: 1 down, 2 init, 3 armed, 4 active, 5 active and deferred."};
inline constexpr MetricInfo kPortPhysicalState{
    .name = "infiniband_physical_state_id",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,port",
    .help =
        "Physical state of the port: 1 sleep, 2 polling, 3 disabled, 4 training, 5 link up, 6 "
        "recovery from errors."};
inline constexpr MetricInfo kPortInfo{
    .name = "infiniband_port_info",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,port,link_layer",
    .help = "Always 1; the link layer is InfiniBand, or Ethernet for RoCE and iWARP."};
inline constexpr MetricInfo kSymbolErrors{
    .name = "infiniband_symbol_error_total",
    .type = MetricType::kCounter,
    .unit = "errors",
    .labels = "device,port",
    .help = "Minor errors of a lane; this counter and the next nine stop at their largest values."};
inline constexpr MetricInfo kLinkDowned{.name = "infiniband_link_downed_total",
                                        .type = MetricType::kCounter,
                                        .unit = "times",
                                        .labels = "device,port",
                                        .help = "Times the link failed to recover and went down."};
inline constexpr MetricInfo kLinkRecoveries{.name = "infiniband_link_error_recovery_total",
                                            .type = MetricType::kCounter,
                                            .unit = "times",
                                            .labels = "device,port",
                                            .help = "Times the link recovered from an error."};
inline constexpr MetricInfo kIntegrityErrors{
    .name = "infiniband_local_link_integrity_errors_total",
    .type = MetricType::kCounter,
    .unit = "errors",
    .labels = "device,port",
    .help = "Times local physical errors exceeded their threshold."};
inline constexpr MetricInfo kBufferOverruns{
    .name = "infiniband_excessive_buffer_overrun_errors_total",
    .type = MetricType::kCounter,
    .unit = "errors",
    .labels = "device,port",
    .help = "Times buffers were overrun in consecutive flow control periods."};
inline constexpr MetricInfo kPortReceiveErrors{.name = "infiniband_port_errors_received_total",
                                               .type = MetricType::kCounter,
                                               .unit = "packets",
                                               .labels = "device,port",
                                               .help = "Packets received with an error."};
inline constexpr MetricInfo kPortPhysicalErrors{
    .name = "infiniband_port_receive_remote_physical_errors_total",
    .type = MetricType::kCounter,
    .unit = "packets",
    .labels = "device,port",
    .help = "Packets received that were marked as bad on their way."};
inline constexpr MetricInfo kPortDiscards{
    .name = "infiniband_port_discards_transmitted_total",
    .type = MetricType::kCounter,
    .unit = "packets",
    .labels = "device,port",
    .help = "Packets not sent because the port was down or congested."};
inline constexpr MetricInfo kPortConstraintsReceived{
    .name = "infiniband_port_constraint_errors_received_total",
    .type = MetricType::kCounter,
    .unit = "packets",
    .labels = "device,port",
    .help = "Packets received that the port's partitions forbid."};
inline constexpr MetricInfo kPortConstraintsTransmitted{
    .name = "infiniband_port_constraint_errors_transmitted_total",
    .type = MetricType::kCounter,
    .unit = "packets",
    .labels = "device,port",
    .help = "Packets not sent because the port's partitions forbid them."};
inline constexpr MetricInfo kPortWaits{
    .name = "infiniband_port_transmit_wait_total",
    .type = MetricType::kCounter,
    .unit = "ticks",
    .labels = "device,port",
    .help = "Ticks in which the port had data and could send none: congestion."};
inline constexpr MetricInfo kVl15Dropped{.name = "infiniband_vl15_dropped_total",
                                         .type = MetricType::kCounter,
                                         .unit = "packets",
                                         .labels = "device,port",
                                         .help = "Management packets dropped for want of room."};
inline constexpr MetricInfo kPortHardware{.name = "infiniband_hardware_events_total",
                                          .type = MetricType::kCounter,
                                          .unit = "events",
                                          .labels = "device,port,counter",
                                          .help =
                                              "Retransmission and congestion by the driver's "
                                              "counters: out_of_sequence, np_cnp_sent and others."};
inline constexpr MetricInfo kPortSaturated{
    .name = "infiniband_saturated_counters",
    .type = MetricType::kGauge,
    .unit = "counters",
    .labels = "device,port",
    .help = "Counters at their largest value, not shown until they are cleared (perfquery -R)."};

// Counts of one instant, every five seconds: the diagnosis compares servers by their shares.
inline constexpr MetricInfo kRdmaSentPackets{
    .name = "rdma_sent_packets_total",
    .type = MetricType::kCounter,
    .unit = "packets",
    .labels = "device,port",
    .help = "Packets sent when limpet_rdma_resent_total was read."};
inline constexpr MetricInfo kRdmaResent{.name = "rdma_resent_total",
                                        .type = MetricType::kCounter,
                                        .unit = "times",
                                        .labels = "device,port",
                                        .help = "Times RDMA was sent again; packets of hfi1."};
inline constexpr MetricInfo kRdmaReceivedPackets{
    .name = "rdma_received_packets_total",
    .type = MetricType::kCounter,
    .unit = "packets",
    .labels = "device,port",
    .help = "Packets received when limpet_rdma_out_of_order_total was read."};
inline constexpr MetricInfo kRdmaOutOfOrder{.name = "rdma_out_of_order_total",
                                            .type = MetricType::kCounter,
                                            .unit = "packets",
                                            .labels = "device,port",
                                            .help = "RDMA packets received out of order."};

inline constexpr std::array kInfiniband = {&kPortDataReceived,
                                           &kPortDataTransmitted,
                                           &kPortPacketsReceived,
                                           &kPortPacketsTransmitted,
                                           &kPortRate,
                                           &kPortState,
                                           &kPortPhysicalState,
                                           &kPortInfo,
                                           &kSymbolErrors,
                                           &kLinkDowned,
                                           &kLinkRecoveries,
                                           &kIntegrityErrors,
                                           &kBufferOverruns,
                                           &kPortReceiveErrors,
                                           &kPortPhysicalErrors,
                                           &kPortDiscards,
                                           &kPortConstraintsReceived,
                                           &kPortConstraintsTransmitted,
                                           &kPortWaits,
                                           &kVl15Dropped,
                                           &kPortHardware,
                                           &kRdmaSentPackets,
                                           &kRdmaResent,
                                           &kRdmaReceivedPackets,
                                           &kRdmaOutOfOrder,
                                           &kPortSaturated};

}  // namespace limpet::catalog
