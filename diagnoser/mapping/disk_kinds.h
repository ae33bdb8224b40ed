// disk_kinds.h: which disks of a group are peers: those that an operator would compare.
//
// Disks are of one kind when they stand on alike layers (plain, NVMe, md, device mapper, USB), hold
// alike (the system, or data), rotate alike, are of about one size and, where there are enough of
// each, of one family of models. All of that are facts, from labels of disk_info and of file
// systems; what is not known of a disk puts it with most of the others. Where facts do not tell
// disks of a server apart, what they are asked for does (evidence/groups/disk_loads.h).
//
// A kind has disks of three servers; a disk without a kind is compared with nobody. Names do not
// matter, so that a disk stays where it is when a reboot calls it something else.
// Same disks, same kinds. Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/mapping/directory.h"

namespace limpet {

// The load of a disk beside the others of its server: "quiet" or "busy".
inline constexpr std::string_view kLoadLabel = "load";
inline constexpr std::string_view kQuietLoad = "quiet";
inline constexpr std::string_view kBusyLoad = "busy";

// The label for where file systems on it are mounted and how large they are, by series of their
// own, which node_exporter has too; the system's before others.
inline constexpr std::string_view kMountedLabel = "mounted";
inline constexpr std::string_view kMountedSizeLabel = "mounted_size";

// zram, ram, loop, sr, fd, nbd, rbd, drbd, zd and the like: no hardware of the server.
[[nodiscard]] bool IsNoDisk(std::string_view device);
// Returns where the system lives: /, /boot, swap, …
[[nodiscard]] bool IsSystemMount(std::string_view mountpoint);

// Devices of one kind whose behaviour has two sides that a label tells apart.
struct KindSplit {
  std::string within;  // key of the kind
  std::string label;   // "device": the name
  std::set<std::string> odd;
  bool operator==(const KindSplit&) const = default;
};

struct DiskKind {
  std::string key;     // says what its disks have in common, to people too: "data, rotating, 8 TB"
  std::string what;    // in a word: "data", "system"
  std::string suffix;  // of its group's name; empty: it has the group's own
  std::vector<std::uint32_t> disks;
};

// Kinds by facts alone, before their loads are looked at.
[[nodiscard]] std::vector<DiskKind> FindFactKinds(const Directory& directory, std::uint32_t group,
                                                  std::span<const KindSplit> splits = {});

// Names of disks that are quiet on three servers and hardly ever busy: a part of how the servers
// are built. Others are only idle yet.
[[nodiscard]] std::set<std::string> FindQuietNames(const Directory& directory,
                                                   std::span<const std::uint32_t> disks);

struct DiskKinds {
  std::vector<DiskKind> kinds;         // the group's own first
  std::vector<std::uint32_t> alone;    // fewer than three servers have such disks
  std::vector<std::uint32_t> waiting;  // how busy they are is not known yet, or they are idle
  bool few = false;  // fewer than three servers in all: there are no kinds, nor peers
};
// The key gives the suffix that a kind had before; it keeps it.
using KindNames = std::map<std::string, std::string>;
[[nodiscard]] DiskKinds FindDiskKinds(const Directory& directory, std::uint32_t group,
                                      std::span<const KindSplit> splits = {},
                                      const KindNames& names = {});

// "12 disks in two kinds: sda (system), sdb (data)", and of those without one what would place
// them.
[[nodiscard]] std::string DescribeKinds(const Directory& directory, const DiskKinds& kinds);
[[nodiscard]] std::vector<std::string> DescribeLoners(const Directory& directory,
                                                      const PeerGroupRule& rule,
                                                      const DiskKinds& kinds);

// Returns what a label of a split says of a disk.
[[nodiscard]] std::string KindLabel(const Entity& disk, const std::string& label);

}  // namespace limpet
