// syscall_memory.h: what the comparison of system calls remembers over a restart.
//
// Threads: values.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/detect/syscalls/broken_servers.h"
#include "diagnoser/detect/syscalls/propagated_errors.h"
#include "exporter/common/time.h"

namespace limpet {

// The memory of system calls.
struct SyscallMemory {
  // A failure of a client's connections with a peer, in (from, to]; with an empty peer: of any of
  // them.
  struct Failure {
    std::string client;
    std::string peer;
    UnixTime from;
    UnixTime to;
    std::string error;
  };
  UnixTime second;  // the last that was looked at
  std::vector<Failure> failures;
  std::vector<BrokenServer> broken;
  std::vector<PropagatedError> propagated;
};

}  // namespace limpet
