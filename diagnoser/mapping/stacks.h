// stacks.h: which disks and interfaces of a server touch hardware, so that bytes that pass through
// several layers count once.
//
// Known:   limpet-exporter says on what each device stands; node_exporter names bonds and the kinds
//          of device-mapper devices. What nobody says is guessed from the name.
// Bottom:  a device that stands on another one of those that are seen does not count. Of the rest,
//          those nearest to hardware do: a pod's interface beside a network card carries nothing of
//          its own, but alone in a container it is all there is.
// Threads: pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/metrics/kinds.h"

namespace limpet {

// The layer that a device is; of the devices without a visible one below, the first kind counts.
enum class Layer : std::uint8_t {
  kUnknown,    // nobody says, and the name is no usual one: counted as hardware
  kHardware,   //
  kAggregate,  // bonds, md, multipath: their parts are hardware
  kOver,       // VLANs, device mapper
  kBridge,     // bridges, ZFS volumes
  kVirtual,    // pods, tunnels, loop devices
  kElsewhere,  // no disk of this server: memory, network block devices, media that are changed
};

struct StackedDevice {
  std::string_view name;
  std::string_view kind = {};                // as an exporter says; empty: by the name
  std::span<const std::string> lowers = {};  // names of what it stands on, as far as known
  bool asked_for = false;  // counts even if it is kElsewhere, when nothing else does
};

// The layer of a device whose name is all that is known of it. Disks or interfaces.
[[nodiscard]] Layer LayerByName(EntityKind kind, std::string_view device);

// Returns, by place in `devices`, which are those of one server, whether its bytes count. Some
// interface always does; disks may all be kElsewhere.
[[nodiscard]] std::vector<bool> FindBottoms(EntityKind kind,
                                            std::span<const StackedDevice> devices);

}  // namespace limpet
