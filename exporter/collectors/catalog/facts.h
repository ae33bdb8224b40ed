// facts.h: what may explain a slow server: errors, links, settings, RAID, memory, file systems.
// Where node_exporter has the same number, name, labels and unit are its own.
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kSasPhyErrors{
    .name = "sas_phy_errors_total",
    .type = MetricType::kCounter,
    .unit = "errors",
    .labels = "device,kind",
    .help =
        "Errors on the SAS links of a drive: invalid_dword, disparity, sync_lost, reset_problem."};
inline constexpr MetricInfo kSataLinkSpeed{.name = "sata_link_speed_bytes",
                                           .type = MetricType::kGauge,
                                           .unit = "bytes per second",
                                           .labels = "device",
                                           .help = "Speed of a drive's SATA link."};
inline constexpr MetricInfo kSataLinkMaxSpeed{
    .name = "sata_link_max_speed_bytes",
    .type = MetricType::kGauge,
    .unit = "bytes per second",
    .labels = "device",
    .help = "Fastest speed that the port of a drive's SATA link can do."};
inline constexpr MetricInfo kSataSlowdowns{
    .name = "sata_link_slowdowns_total",
    .type = MetricType::kCounter,
    .unit = "times",
    .labels = "device",
    .help = "How often the kernel has made a SATA link slower after errors."};
inline constexpr MetricInfo kPcieLinkSpeed{
    .name = "pcie_link_transfers_per_second",
    .type = MetricType::kGauge,
    .unit = "transfers per second",
    .labels = "device",
    .help = "Speed of the PCI Express link of an NVMe controller or network interface."};
inline constexpr MetricInfo kPcieLinkMaxSpeed{
    .name = "pcie_link_max_transfers_per_second",
    .type = MetricType::kGauge,
    .unit = "transfers per second",
    .labels = "device",
    .help = "Fastest speed that the PCI Express device can do."};
inline constexpr MetricInfo kPcieLinkWidth{
    .name = "pcie_link_width",
    .type = MetricType::kGauge,
    .unit = "lanes",
    .labels = "device",
    .help = "Lanes of the PCI Express link of an NVMe controller or network interface."};
inline constexpr MetricInfo kPcieLinkMaxWidth{
    .name = "pcie_link_max_width",
    .type = MetricType::kGauge,
    .unit = "lanes",
    .labels = "device",
    .help = "Most lanes that the PCI Express device can use."};
inline constexpr MetricInfo kDiskSettings{
    .name = "disk_settings_info",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,scheduler,write_cache,queue_depth,requests,read_ahead_kb,iostats",
    .help =
        "Always 1; the labels say how the kernel treats the disk, empty where it does not tell."};
inline constexpr MetricInfo kMdState{
    .name = "md_state",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,state",
    .help =
        "Always 1; the label says what a software RAID does: active, check, repair, resync, "
        "recovering, reshape, inactive, broken, clear, suspended."};
inline constexpr MetricInfo kMdDisks{
    .name = "md_disks",
    .type = MetricType::kGauge,
    .unit = "disks",
    .labels = "device,state",
    .help = "Members of a software RAID by state: active, failed, spare."};
inline constexpr MetricInfo kMdDegraded{.name = "md_degraded_disks",
                                        .type = MetricType::kGauge,
                                        .unit = "disks",
                                        .labels = "device",
                                        .help = "Disks that a software RAID lacks."};
inline constexpr MetricInfo kScsiState{
    .name = "scsi_device_state",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,state",
    .help =
        "Always 1; the label is the kernel's state of a SCSI, SAS or SATA drive: running, offline, "
        "transport-offline, blocked and others."};
inline constexpr MetricInfo kNvmePathState{
    .name = "nvme_path_state",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,state",
    .help =
        "Always 1; the label is the ANA state of an NVMe path: optimized, non-optimized, "
        "inaccessible, persistent-loss, change."};
inline constexpr MetricInfo kMultipathPaths{
    .name = "multipath_paths",
    .type = MetricType::kGauge,
    .unit = "paths",
    .labels = "device,state",
    .help =
        "Paths of a device-mapper multipath device by the state of their drives; which paths it "
        "has failed itself, sysfs does not tell."};
inline constexpr MetricInfo kDmSnapshot{
    .name = "dm_snapshot_info",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,name",
    .help = "Always 1; one for each LVM snapshot (its copy-on-write store)."};
inline constexpr MetricInfo kNetworkCrcErrors{
    .name = "network_receive_crc_errors_total",
    .type = MetricType::kCounter,
    .unit = "packets",
    .labels = "device",
    .help = "Received packets with a wrong checksum of the link: a cable, a transceiver, a port."};
inline constexpr MetricInfo kCarrierChanges{.name = "network_carrier_changes_total",
                                            .type = MetricType::kCounter,
                                            .unit = "times",
                                            .labels = "device",
                                            .help = "How often a link has gone up or down."};
inline constexpr MetricInfo kNetworkMissed{.name = "network_receive_missed_errors_total",
                                           .type = MetricType::kCounter,
                                           .unit = "frames",
                                           .labels = "device",
                                           .help = "Received frames dropped in a full ring."};
inline constexpr MetricInfo kPauseFrames{
    .name = "network_pause_frames_total",
    .type = MetricType::kCounter,
    .unit = "frames",
    .labels = "device,direction,priority",
    .help = "Pause frames received and sent on a link; with a priority those of PFC."};
inline constexpr MetricInfo kNetworkInfo{.name = "network_info",
                                         .type = MetricType::kGauge,
                                         .unit = "",
                                         .labels = "device,operstate,duplex",
                                         .help = "Always 1; its state and duplex."};
inline constexpr MetricInfo kBondMember{.name = "network_bond_member_info",
                                        .type = MetricType::kGauge,
                                        .unit = "",
                                        .labels = "device,mii_status,state",
                                        .help = "Always 1; a bond's member, its link and part."};
inline constexpr MetricInfo kBondFailures{.name = "network_bond_member_failures_total",
                                          .type = MetricType::kCounter,
                                          .unit = "times",
                                          .labels = "device",
                                          .help = "How often a bond's member lost its link."};
inline constexpr MetricInfo kSoftnetDropped{
    .name = "softnet_dropped_total",
    .type = MetricType::kCounter,
    .unit = "packets",
    .labels = "",
    .help = "Received packets dropped from a full backlog."};
inline constexpr MetricInfo kSoftnetSqueezed{
    .name = "softnet_times_squeezed_total",
    .type = MetricType::kCounter,
    .unit = "times",
    .labels = "",
    .help = "Times the kernel left received packets for later."};
inline constexpr MetricInfo kNetworkDriver{
    .name = "network_driver_info",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,driver,version",
    .help = "Always 1; the labels name an interface's driver and its version, if it has one."};
inline constexpr MetricInfo kCoreThrottles{.name = "cpu_core_throttles_total",
                                           .type = MetricType::kCounter,
                                           .unit = "times",
                                           .labels = "package,core",
                                           .help = "How often a core was too hot and made slower."};
inline constexpr MetricInfo kPackageThrottles{
    .name = "cpu_package_throttles_total",
    .type = MetricType::kCounter,
    .unit = "times",
    .labels = "package",
    .help = "How often a processor was too hot and made slower."};
inline constexpr MetricInfo kEdacCorrectable{
    .name = "edac_correctable_errors_total",
    .type = MetricType::kCounter,
    .unit = "errors",
    .labels = "controller",
    .help = "Errors of memory that its controller has corrected."};
inline constexpr MetricInfo kEdacUncorrectable{
    .name = "edac_uncorrectable_errors_total",
    .type = MetricType::kCounter,
    .unit = "errors",
    .labels = "controller",
    .help = "Errors of memory that its controller could not correct."};
inline constexpr MetricInfo kPressureMemory{
    .name = "pressure_memory_stalled_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "",
    .help = "Time in which all tasks of the machine waited for memory (PSI)."};
inline constexpr MetricInfo kKernelInfo{
    .name = "kernel_info",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "release",
    .help = "Always 1; the label is the release of the kernel (uname -r)."};
inline constexpr MetricInfo kFilesystemSize{.name = "filesystem_size_bytes",
                                            .type = MetricType::kGauge,
                                            .unit = "bytes",
                                            .labels = "device,mountpoint,fstype",
                                            .help = "Size of a file system on a disk."};
inline constexpr MetricInfo kFilesystemAvail{
    .name = "filesystem_avail_bytes",
    .type = MetricType::kGauge,
    .unit = "bytes",
    .labels = "device,mountpoint,fstype",
    .help = "Space that is left for users other than root."};
inline constexpr MetricInfo kFilesystemFiles{.name = "filesystem_files",
                                             .type = MetricType::kGauge,
                                             .unit = "inodes",
                                             .labels = "device,mountpoint,fstype",
                                             .help = "Inodes of a file system."};
inline constexpr MetricInfo kFilesystemFilesFree{.name = "filesystem_files_free",
                                                 .type = MetricType::kGauge,
                                                 .unit = "inodes",
                                                 .labels = "device,mountpoint,fstype",
                                                 .help = "Inodes that are left."};
inline constexpr MetricInfo kFilesystemReadOnly{
    .name = "filesystem_readonly",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,mountpoint,fstype",
    .help =
        "1 when a file system is mounted read-only, or has become so after an error. Not of type "
        "lustre: the mount of a healthy Lustre target says so, too."};
inline constexpr MetricInfo kFilesystemDeviceError{
    .name = "filesystem_device_error",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device,mountpoint,fstype",
    .help =
        "1 when a file system is shut down (ext4 tells since Linux 6.15), or does not say how full "
        "it is: the call fails or hangs."};
inline constexpr MetricInfo kFilesystemErrors{
    .name = "filesystem_errors_total",
    .type = MetricType::kCounter,
    .unit = "errors",
    .labels = "device",
    .help =
        "Errors that ext4, ldiskfs or btrfs has found since its last check or reset; a btrfs over "
        "several devices is btrfs/UUID."};
inline constexpr MetricInfo kFactsUnreadable{
    .name = "facts_unreadable",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "file,reason",
    .help =
        "Always 1; files that do not answer (hangs), fail (error), may not be read (permission), "
        "are "
        "too long (large), or wait for others that hang (waits)."};

inline constexpr std::array kFacts = {&kSasPhyErrors,       &kSataLinkSpeed,
                                      &kSataLinkMaxSpeed,   &kSataSlowdowns,
                                      &kPcieLinkSpeed,      &kPcieLinkMaxSpeed,
                                      &kPcieLinkWidth,      &kPcieLinkMaxWidth,
                                      &kDiskSettings,       &kMdState,
                                      &kMdDegraded,         &kMdDisks,
                                      &kScsiState,          &kNvmePathState,
                                      &kMultipathPaths,     &kDmSnapshot,
                                      &kNetworkCrcErrors,   &kCarrierChanges,
                                      &kNetworkMissed,      &kPauseFrames,
                                      &kNetworkInfo,        &kBondMember,
                                      &kBondFailures,       &kSoftnetDropped,
                                      &kSoftnetSqueezed,    &kNetworkDriver,
                                      &kCoreThrottles,      &kPackageThrottles,
                                      &kEdacCorrectable,    &kEdacUncorrectable,
                                      &kPressureMemory,     &kKernelInfo,
                                      &kFilesystemSize,     &kFilesystemAvail,
                                      &kFilesystemFiles,    &kFilesystemFilesFree,
                                      &kFilesystemReadOnly, &kFilesystemDeviceError,
                                      &kFilesystemErrors,   &kFactsUnreadable};

}  // namespace limpet::catalog
