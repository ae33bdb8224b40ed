// tcp.h: what the tcp collector reports. collectors/tcp.h says how it is found.
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

// --- Per peer. `side` is this machine's part: "server" when clients connect to a file-system port
// here, "client" when such a port is at the far end.

inline constexpr MetricInfo kTcpPeerSockets{
    .name = "tcp_peer_sockets",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "local_address,peer,side",
    .help = "Established file-system connections with this peer."};
inline constexpr MetricInfo kTcpPeerActiveSockets{
    .name = "tcp_peer_active_sockets",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "local_address,peer,side",
    .help =
        "Those of tcp_peer_sockets whose sent bytes were acknowledged in the last 5 s; all of "
        "them when only /proc/net/tcp can be read."};
inline constexpr MetricInfo kTcpPeerCwnd{
    .name = "tcp_peer_cwnd_segments",
    .type = MetricType::kGauge,
    .unit = "segments",
    .labels = "local_address,peer,side",
    .help = "Mean congestion window of the active connections towards this peer."};
inline constexpr MetricInfo kTcpPeerMinCwnd{
    .name = "tcp_peer_min_cwnd_segments",
    .type = MetricType::kGauge,
    .unit = "segments",
    .labels = "local_address,peer,side",
    .help = "Smallest congestion window of the active connections towards this peer."};
inline constexpr MetricInfo kTcpPeerRtt{
    .name = "tcp_peer_rtt_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "local_address,peer,side",
    .help = "Mean smoothed round-trip time of the active connections with this peer."};
inline constexpr MetricInfo kTcpPeerMinRtt{
    .name = "tcp_peer_min_rtt_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "local_address,peer,side",
    .help =
        "Least round-trip time of the active connections with this peer in the last five minutes "
        "(net.ipv4.tcp_min_rtt_wlen)."};
inline constexpr MetricInfo kTcpPeerSegmentsSent{
    .name = "tcp_peer_segments_sent_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "local_address,peer,side",
    .help =
        "Segments with data sent to this peer, those sent again included, since the exporter "
        "began to watch; absent before Linux 4.6."};
inline constexpr MetricInfo kTcpPeerSegmentsRetransmitted{
    .name = "tcp_peer_segments_retransmitted_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "local_address,peer,side",
    .help = "Segments sent again to this peer, less what it says it had."};
inline constexpr MetricInfo kTcpPeerBytesAcked{
    .name = "tcp_peer_bytes_acked_total",
    .type = MetricType::kCounter,
    .unit = "bytes",
    .labels = "local_address,peer,side",
    .help = "Bytes this peer acknowledged since the exporter began to watch."};
inline constexpr MetricInfo kTcpPeerBytesReceived{
    .name = "tcp_peer_bytes_received_total",
    .type = MetricType::kCounter,
    .unit = "bytes",
    .labels = "local_address,peer,side",
    .help = "Bytes received from this peer since the exporter began to watch."};

// --- Per connection, only when asked for.

inline constexpr MetricInfo kTcpCwnd{
    .name = "tcp_cwnd_segments",
    .type = MetricType::kGauge,
    .unit = "segments",
    .labels = "local_address,local_port,remote_address,remote_port",
    .help = "Congestion window; says little of a connection that has not sent lately."};
inline constexpr MetricInfo kTcpBytesAcked{
    .name = "tcp_bytes_acked_total",
    .type = MetricType::kCounter,
    .unit = "bytes",
    .labels = "local_address,local_port,remote_address,remote_port",
    .help = "Bytes the far end acknowledged since the connection began."};
inline constexpr MetricInfo kTcpRtt{.name = "tcp_rtt_seconds",
                                    .type = MetricType::kGauge,
                                    .unit = "seconds",
                                    .labels = "local_address,local_port,remote_address,remote_port",
                                    .help = "Smoothed round-trip time."};
inline constexpr MetricInfo kTcpRetransmits{
    .name = "tcp_retransmits_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "local_address,local_port,remote_address,remote_port",
    .help = "Segments sent again since the connection began."};
inline constexpr MetricInfo kTcpAppLimited{
    .name = "tcp_delivery_rate_app_limited",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "local_address,local_port,remote_address,remote_port",
    .help = "1 when the program, not the network, bounded what was sent lately."};
inline constexpr MetricInfo kTcpLastDataSent{
    .name = "tcp_last_data_sent_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "local_address,local_port,remote_address,remote_port",
    .help = "Time since data was last sent."};
inline constexpr MetricInfo kTcpCongestion{
    .name = "tcp_congestion_info",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "local_address,local_port,remote_address,remote_port,algorithm",
    .help = "Congestion control of the connection; always 1."};

// --- About the reading itself.

inline constexpr MetricInfo kTcpSockets{
    .name = "tcp_sockets",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "",
    .help = "Established file-system connections that were read."};
inline constexpr MetricInfo kTcpSocketsDropped{
    .name = "tcp_sockets_dropped_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "",
    .help = "Connections left out of a reading because of max_sockets, summed over readings."};
inline constexpr MetricInfo kTcpPeersDropped{
    .name = "tcp_peers_dropped_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "",
    .help =
        "Connections left out of the per-peer series because of max_peers, summed over "
        "readings."};
inline constexpr MetricInfo kTcpGlusterfsLacksBricks{
    .name = "tcp_glusterfs_lacks_bricks",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "",
    .help =
        "1 when a GlusterFS is seen (port 24007) but none of its bricks' ports, which GlusterFS 10 "
        "and later choose at random; absent without a GlusterFS."};
inline constexpr MetricInfo kTcpClosedCounted{
    .name = "tcp_closed_counted",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "",
    .help = "Whether all connections that closed since the last reading count."};
inline constexpr MetricInfo kTcpSampleAge{
    .name = "tcp_sample_age_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "",
    .help = "Age of the other tcp series: connections are read less often when reading is dear."};
inline constexpr MetricInfo kTcpSourceInfo{
    .name = "tcp_source_info",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "source",
    .help =
        "Where connections are read, \"netlink\" or \"proc\" (only congestion windows); "
        "always 1."};

inline constexpr std::array kTcp = {&kTcpPeerSockets,
                                    &kTcpPeerActiveSockets,
                                    &kTcpPeerCwnd,
                                    &kTcpPeerMinCwnd,
                                    &kTcpPeerRtt,
                                    &kTcpPeerMinRtt,
                                    &kTcpPeerSegmentsSent,
                                    &kTcpPeerSegmentsRetransmitted,
                                    &kTcpPeerBytesAcked,
                                    &kTcpPeerBytesReceived,
                                    &kTcpCwnd,
                                    &kTcpBytesAcked,
                                    &kTcpRtt,
                                    &kTcpRetransmits,
                                    &kTcpAppLimited,
                                    &kTcpLastDataSent,
                                    &kTcpCongestion,
                                    &kTcpSockets,
                                    &kTcpSocketsDropped,
                                    &kTcpPeersDropped,
                                    &kTcpClosedCounted,
                                    &kTcpGlusterfsLacksBricks,
                                    &kTcpSampleAge,
                                    &kTcpSourceInfo};

}  // namespace limpet::catalog
