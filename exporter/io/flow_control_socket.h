// flow_control_socket.h: asks the kernel for the interfaces' pause frames (kernel/flow_control.h).
//
// Needs no privilege. It answers for the program's own network namespace.
// Errors:  kNotFound: the kernel has no ethtool over netlink (before 5.6, or built without);
//          kPermission, kUnavailable: no netlink here, as in some containers; kTimeout.
// Threads: may be called from any; hangs while another holds the kernel's RTNL lock.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "exporter/common/result.h"
#include "exporter/kernel/flow_control.h"

namespace limpet {

using FlowControlProbe = std::function<Result<FlowControls>(std::span<const std::string> devices)>;

// Returns those of `devices` that count; PFC where the driver tells it.
[[nodiscard]] Result<FlowControls> AskFlowControl(std::span<const std::string> devices);

}  // namespace limpet
