// syscall_findings.h: the servers that system calls indict as verdicts, with what indicts them.
//
// Degrees: of a hang how often the timeout has passed, of a crash 1 and the clients that see it, of
//          errors 1 and how many they were; of slow calls the filtered deviation over its
//          threshold.
// Threads: pure.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/detect/syscalls/broken_servers.h"
#include "diagnoser/detect/syscalls/propagated_errors.h"
#include "diagnoser/detect/syscalls/service_metric.h"
#include "diagnoser/detect/syscalls/service_times.h"
#include "diagnoser/verdict/syscall_verdicts.h"

namespace limpet {

struct SyscallState {
  const std::map<std::pair<std::string, ServiceMetric>, ServiceWindow>& windows;  // by role, metric
  std::span<const PropagatedError> errors;
  std::span<const BrokenServer> broken;
  // Returns by server the last error that is not benign, whether or not it has reached a client. A
  // limit that kills a program shows there first.
  const std::map<std::string, ErrorSighting>& unusual;
  Duration timeout{};
};

[[nodiscard]] SyscallFindings MakeSyscallFindings(const SyscallState& state);

}  // namespace limpet
