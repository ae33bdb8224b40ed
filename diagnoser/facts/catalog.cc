#include "diagnoser/facts/catalog.h"

#include <array>

namespace limpet {
namespace {

using enum FactSeries;
using enum FactRule;
constexpr auto kDisk = FactScope::kDisk;
constexpr auto kInterface = FactScope::kInterface;

// What went wrong lately.
constexpr std::array kErrors = {
    // First: where a file does not answer, nothing else of that device is known.
    FactRow{.name = "unreadable",
            .series = kUnreadable,
            .rule = kIs,
            .label = "file",
            .sentence = "reading {detail} does not return: the device behind it hangs",
            .next = "Look for the device in the kernel log; pull it, or reset its controller."},
    FactRow{.name = "drive-timeouts",
            .scope = kDisk,
            .series = kDiskErrors,
            .rule = kRise,
            .label = "kind",
            .only = "timeout",
            .sentence = "{device} let {value} commands time out in the last {span}",
            .next =
                "Read the kernel log for the commands; replace the drive, or its cable and slot "
                "where several time out."},
    // Tools that ask a drive for what it does not have make it fail a command now and then.
    FactRow{.name = "drive-errors",
            .scope = kDisk,
            .series = kDiskErrors,
            .rule = kRise,
            .limit = 5,
            .label = "kind",
            .only = "failed",
            .sentence = "{device} failed {value} commands in the last {span}",
            .next = "Run smartctl -a: pending or reallocated sectors call for a new drive."},
    // Corrected errors cost a retry of the link each; a healthy link has none in a quarter of an
    // hour.
    FactRow{.name = "pcie-errors",
            .scope = kDisk,
            .series = kDiskErrors,
            .rule = kRise,
            .label = "kind",
            .only = "pcie_correctable pcie_nonfatal pcie_fatal",
            .sentence =
                "the PCI Express link of {device} had {value} errors ({detail}) in the last "
                "{span}",
            .next = "Reseat the drive; try another slot or cable."},
    FactRow{.name = "controller-not-live",
            .scope = kDisk,
            .series = kControllerLive,
            .rule = kIsZero,
            .sentence = "the NVMe controller {device} is resetting, connecting or dead",
            .next = "Read the kernel log for its resets; update its firmware, or replace it."},
    FactRow{.name = "sas-errors",
            .scope = kDisk,
            .series = kSasErrors,
            .rule = kRise,
            .label = "kind",
            .sentence = "the SAS link of {device} had {value} errors ({detail}) in the last {span}",
            .next = "Check cable, backplane and expander of the slot."},
    FactRow{.name = "sata-slowdown",
            .scope = kDisk,
            .series = kSataSlowdowns,
            .rule = kRise,
            .sentence =
                "the kernel made the SATA link of {device} slower {value} times in the last "
                "{span}",
            .next = "Replace the cable or use another slot; reset the link afterwards."},
    FactRow{.name = "filesystem-errors",
            .scope = kDisk,
            .series = kFilesystemErrors,
            .rule = kRise,
            .sentence = "ext4 found {value} errors on {device} in the last {span}",
            .next = "Save what is on it, then run e2fsck; look at the drive first."},
    // limpet-exporter has the checksum errors alone, node_exporter damaged frames of all kinds;
    // where both are there, the first row is told.
    FactRow{.name = "crc-errors",
            .scope = kInterface,
            .series = kCrcErrors,
            .rule = kRise,
            .sentence = "{device} received {value} packets with a wrong checksum in the last "
                        "{span}",
            .next = "Replace cable and transceiver; look at the counters of the switch port."},
    FactRow{.name = "crc-errors",
            .scope = kInterface,
            .series = kFrameErrors,
            .rule = kRise,
            .sentence = "{device} received {value} damaged frames in the last {span}",
            .next = "Replace cable and transceiver; look at the counters of the switch port."},
    FactRow{.name = "link-flaps",
            .scope = kInterface,
            .series = kCarrierChanges,
            .rule = kRise,
            .sentence = "the link of {device} went up or down {value} times in the last {span}",
            .next = "Replace cable and transceiver; look at the switch port."},
    FactRow{.name = "memory-uncorrectable",
            .series = kEdacUncorrectable,
            .rule = kRise,
            .label = "controller",
            .sentence = "memory controller {detail} could not correct {value} errors in the last "
                        "{span}",
            .next = "Take the server out of service and replace the memory module (edac-util)."},
    // Each correction stops a processor for a while, and they announce errors that are not
    // corrected.
    FactRow{.name = "memory-errors",
            .series = kEdacCorrectable,
            .rule = kRise,
            .label = "controller",
            .sentence = "memory controller {detail} corrected {value} errors in the last {span}",
            .next = "Find the memory module (edac-util, the BMC's log) and replace it."},
};

// What is so now.
constexpr std::array kStates = {
    // Debian and others start one on the first Sunday of a month, on all servers at the same hour.
    FactRow{.name = "raid-check",
            .scope = kDisk,
            .series = kMdState,
            .rule = kIs,
            .label = "state",
            .only = "check repair",
            .sentence = "a RAID check is running on {device}",
            .next = "Wait for it, or slow it down (sync_speed_max), or stop it (echo idle > "
                    "md/sync_action)."},
    FactRow{.name = "raid-rebuild",
            .scope = kDisk,
            .series = kMdState,
            .rule = kIs,
            .label = "state",
            .only = "resync recovering reshape",
            .sentence = "{device} rebuilds its redundancy ({detail})",
            .next = "Let it finish; lower sync_speed_max if the clients cannot wait."},
    FactRow{.name = "raid-degraded",
            .scope = kDisk,
            .series = kMdDegraded,
            .rule = kIs,
            .sentence = "{device} runs without {value} of its disks",
            .next = "Replace the missing disk (mdadm --detail)."},
    FactRow{.name = "snapshot",
            .scope = kDisk,
            .series = kSnapshot,
            .rule = kIs,
            .label = "name",
            .sentence = "the LVM snapshot {detail} ({device}) makes its origin copy before it "
                        "writes",
            .next = "Remove the snapshot once its backup is done (lvs, lvremove)."},
    FactRow{.name = "read-only",
            .scope = kDisk,
            .series = kReadOnly,
            .rule = kUnlikeValue,
            .label = "mountpoint",
            .sentence = "the file system {detail} on {device} is read-only, unlike its peers'",
            .next = "Read the kernel log for the error that made it so; check the drive, run fsck, "
                    "mount it again."},
    // File systems search longer for free blocks from about here on; ext4 keeps 5 % for root.
    FactRow{.name = "nearly-full",
            .scope = kDisk,
            .series = kFilesystemAvail,
            .rule = kShareBelow,
            .limit = 0.05,
            .other = kFilesystemSize,
            .label = "mountpoint",
            .unit = "share",
            .sentence = "the file system {detail} on {device} has {value} of its space left",
            .next = "Make room: file systems get slow when they search for free blocks."},
    FactRow{.name = "few-inodes",
            .scope = kDisk,
            .series = kFilesFree,
            .rule = kShareBelow,
            .limit = 0.05,
            .other = kFiles,
            .label = "mountpoint",
            .unit = "share",
            .sentence = "the file system {detail} on {device} has {value} of its inodes left",
            .next = "Remove small files, or make the file system anew with more inodes."},
    // Less than 1 MB/s makes no drive slow, but at random; whole backups and scrubs do more.
    FactRow{.name = "busy-reader",
            .scope = kDisk,
            .series = kUnitReads,
            .rule = kUnit,
            .limit = 1e6,
            .label = "cgroup",
            .unit = "bytes",
            .sentence = "{detail} reads {value} of {device}, on its peers {other}",
            .next =
                "If it is the daemon of the file system itself, it scrubs, heals or "
                "rebalances: let it end, or slow that down. Otherwise stop or move the unit, or "
                "limit it (systemctl set-property … IOReadBandwidthMax)."},
    FactRow{.name = "busy-writer",
            .scope = kDisk,
            .series = kUnitWrites,
            .rule = kUnit,
            .limit = 1e6,
            .label = "cgroup",
            .unit = "bytes",
            .sentence = "{detail} writes {value} to {device}, on its peers {other}",
            .next =
                "If it is the daemon of the file system itself, it scrubs, heals or "
                "rebalances: let it end, or slow that down. Otherwise stop or move the unit, or "
                "limit it (systemctl set-property … IOWriteBandwidthMax)."},
    // As many bytes a second as make a disk busy; the file system's own unit does as much on the
    // peers.
    FactRow{.name = "busy-receiver",
            .scope = kInterface,
            .series = kUnitReceives,
            .rule = kUnit,
            .limit = 1e6,
            .label = "cgroup",
            .unit = "bytes",
            .sentence = "{detail} receives {value} over TCP, on its peers {other}",
            .next = "Stop or move the unit, or whoever sends to it, or shape its traffic (tc)."},
    FactRow{.name = "busy-sender",
            .scope = kInterface,
            .series = kUnitSends,
            .rule = kUnit,
            .limit = 1e6,
            .label = "cgroup",
            .unit = "bytes",
            .sentence = "{detail} sends {value} over TCP, on its peers {other}",
            .next = "Stop or move the unit, or shape its traffic (tc)."},
    // The port may be faster than the drive: hence the step says "if".
    FactRow{.name = "sata-slow-link",
            .scope = kDisk,
            .series = kSataSpeed,
            .rule = kBelow,
            .other = kSataMaxSpeed,
            .unit = "bits",
            .sentence = "the SATA link of {device} runs at {value}, its port can do {other}",
            .next = "If the drive can do more, replace the cable or use another slot."},
    FactRow{.name = "pcie-slow-link",
            .scope = kDisk,
            .series = kPcieSpeed,
            .rule = kBelow,
            .other = kPcieMaxSpeed,
            .unit = "transfers",
            .sentence = "the PCI Express link of {device} runs at {value}, it can do {other}",
            .next = "Reseat the card or drive; look at the slot's generation and the BIOS."},
    FactRow{.name = "pcie-narrow-link",
            .scope = kDisk,
            .series = kPcieWidth,
            .rule = kBelow,
            .other = kPcieMaxWidth,
            .sentence = "the PCI Express link of {device} has {value} lanes, it can use {other}",
            .next = "Reseat the card or drive; use a slot with more lanes."},
    FactRow{.name = "throttled",
            .series = kPackageThrottles,
            .rule = kRise,
            .label = "package",
            .sentence = "processor {detail} was too hot and slowed down {value} times in the last "
                        "{span}",
            .next = "Check fans, air flow and heat sink."},
    FactRow{.name = "throttled",
            .series = kCoreThrottles,
            .rule = kRise,
            .label = "package",
            .sentence = "a core of processor {detail} was too hot and slowed down {value} times in "
                        "the last {span}",
            .next = "Check fans, air flow and heat sink."},
    // "Full" of PSI: a machine that works with its memory has next to none.
    FactRow{.name = "memory-pressure",
            .series = kMemoryStalled,
            .rule = kRate,
            .limit = 0.05,
            .unit = "share",
            .sentence = "all tasks waited for memory in {value} of the time",
            .next = "Find what uses the memory (systemd-cgtop -m, smem); limit or move it."},
};

// What is otherwise than on the peers: none of it is wrong as such.
constexpr std::array kDifferences = {
    // Without peers nobody knows how fast a link should be.
    FactRow{.name = "slow-link",
            .scope = kInterface,
            .series = kSpeed,
            .rule = kLower,
            .unit = "bits",
            .sentence = "{device} runs at {value}, its peers' at {other} ({peers})",
            .next = "Look at cable, transceiver and autonegotiation (ethtool), and at the port."},
    FactRow{.name = "scheduler",
            .scope = kDisk,
            .series = kDiskSettings,
            .rule = kUnlikeLabel,
            .label = "scheduler",
            .sentence = "the I/O scheduler of {device} is {detail}, its peers' {other} ({peers})",
            .next = "Set it as on the peers (queue/scheduler, a udev rule)."},
    FactRow{.name = "write-cache",
            .scope = kDisk,
            .series = kDiskSettings,
            .rule = kUnlikeLabel,
            .label = "write_cache",
            .sentence = "the write cache of {device} is \"{detail}\", its peers' \"{other}\" "
                        "({peers})",
            .next = "Set it as on the peers (hdparm -W, sdparm WCE, the controller's battery)."},
    FactRow{.name = "write-cache",
            .scope = kDisk,
            .series = kAtaWriteCache,
            .rule = kLower,
            .sentence = "the write cache of {device} is off, its peers' is on ({peers})",
            .next = "Set it as on the peers (hdparm -W)."},
    FactRow{.name = "queue-depth",
            .scope = kDisk,
            .series = kDiskSettings,
            .rule = kUnlikeLabel,
            .label = "queue_depth",
            .sentence = "the drive's queue of {device} holds {detail} commands, its peers' {other} "
                        "({peers})",
            .next = "Set it as on the peers (device/queue_depth); 1 means that NCQ is off."},
    FactRow{.name = "requests",
            .scope = kDisk,
            .series = kDiskSettings,
            .rule = kUnlikeLabel,
            .label = "requests",
            .sentence =
                "the kernel's queue of {device} holds {detail} requests, its peers' {other} "
                "({peers})",
            .next = "Set it as on the peers (queue/nr_requests)."},
    FactRow{.name = "read-ahead",
            .scope = kDisk,
            .series = kDiskSettings,
            .rule = kUnlikeLabel,
            .label = "read_ahead_kb",
            .sentence = "{device} reads {detail} kB ahead, its peers {other} kB ({peers})",
            .next = "Set it as on the peers (queue/read_ahead_kb, blockdev --setra)."},
    FactRow{.name = "kernel",
            .series = kKernel,
            .rule = kUnlikeLabel,
            .label = "release",
            .sentence = "it runs Linux {detail}, its peers {other} ({peers})",
            .next = "Boot the kernel of the peers."},
    FactRow{.name = "driver",
            .scope = kInterface,
            .series = kNetworkDriver,
            .rule = kUnlikeLabel,
            .label = "driver",
            .sentence = "the driver of {device} is {detail}, its peers' {other} ({peers})",
            .next = "Find out why: other hardware, or another kernel."},
    FactRow{.name = "driver-version",
            .scope = kInterface,
            .series = kNetworkDriver,
            .rule = kUnlikeLabel,
            .label = "version",
            .sentence = "the driver of {device} has version {detail}, its peers' {other} ({peers})",
            .next = "Install the driver of the peers."},
    FactRow{.name = "driver-version",
            .scope = kInterface,
            .series = kEthtool,
            .rule = kUnlikeLabel,
            .label = "version",
            .sentence = "the driver of {device} has version {detail}, its peers' {other} ({peers})",
            .next = "Install the driver of the peers."},
    FactRow{.name = "firmware",
            .scope = kInterface,
            .series = kEthtool,
            .rule = kUnlikeLabel,
            .label = "firmware_version",
            .sentence = "the firmware of {device} is {detail}, its peers' {other} ({peers})",
            .next = "Install the firmware of the peers."},
};

template <std::size_t A, std::size_t B, std::size_t C>
constexpr auto Join(const std::array<FactRow, A>& a, const std::array<FactRow, B>& b,
                    const std::array<FactRow, C>& c) {
  std::array<FactRow, A + B + C> rows{};
  auto next = rows.begin();
  for (const auto& row : a) {
    *next++ = row;
  }
  for (const auto& row : b) {
    *next++ = row;
  }
  for (const auto& row : c) {
    *next++ = row;
  }
  return rows;
}
constexpr auto kRows = Join(kErrors, kStates, kDifferences);

}  // namespace

std::span<const FactRow> FactRows() { return kRows; }

}  // namespace limpet
