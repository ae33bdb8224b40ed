// metric_packs.h: the files of metrics that come with Limpet (config/metrics), and by which series
// of a target suggest-config tells that one fits.
//
// Threads: constants.
#pragma once

#include <array>
#include <string_view>

namespace limpet {

struct MetricPack {
  std::string_view name;    // of the file, without ".yml"
  std::string_view series;  // that one of its metrics reads
  // False: every limpet-exporter has it, also where the file is not installed.
  bool suggested = true;
};
inline constexpr std::array<MetricPack, 12> kMetricPacks = {{
    {"ceph", "ceph_osd_op_w_latency_sum"},
    {"clients", "limpet_tcp_peer_bytes_acked_total", false},
    {"etcd", "etcd_disk_wal_fsync_duration_seconds_bucket"},
    {"ganesha", "nfs_latency_ms_bucket"},
    {"hdfs", "hadoop_datanode_readblockopavgtime"},
    {"infiniband", "node_infiniband_symbol_error_total"},
    {"lustre", "lustre_stats_time_total"},
    {"minio", "minio_node_drive_latency_us"},
    {"nfs", "node_mountstats_nfs_operations_request_time_seconds_total"},
    {"seaweedfs", "SeaweedFS_volumeServer_request_seconds_bucket"},
    {"swift", "swift_object_server_timing_seconds_bucket"},
    {"zfs", "zpool_latency_vdev_disk_w_lat_histo_seconds_bucket"},
}};
// The folder that packages put them in.
inline constexpr std::string_view kMetricPackFolder = "/usr/share/limpet/metrics/";

}  // namespace limpet
