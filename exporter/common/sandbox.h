// sandbox.h: from here on this process may make only the system calls it needs.
//
// A filter of system calls by libseccomp, with no_new_privs. Whoever takes the program over by a
// bug in a parser can start no other program, trace none, mount nothing and load nothing.
//
// Errors:  that the kernel has no filters, or forbids them; the program may go on without.
// Threads: any, after the others have been started; the filter holds for all of them at once, and
//          for those that come later.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "exporter/common/log.h"
#include "exporter/common/result.h"

namespace limpet {

enum class SandboxMode {
  kOff,
  kDeny,  // another call fails with EPERM, and the kernel logs it (audit)
  kKill,  // another call ends the process: for tests, which thus find what a list lacks
};

// The names of --seccomp: "off", "deny", "kill". Anything else is kDeny.
[[nodiscard]] SandboxMode ParseSandboxMode(std::string_view name);

// `system_calls` by name ("openat"); names that this machine's architecture lacks are passed over.
// Does nothing in a build with sanitizers, whose run time needs calls of its own.
[[nodiscard]] Result<void> EnterSandbox(std::span<const std::string_view> system_calls,
                                        SandboxMode mode);

// The same, and says in the log what came of it: a machine without filters is monitored all the
// same.
void EnterSandbox(std::span<const std::string_view> system_calls, SandboxMode mode,
                  const LogSink& log);

}  // namespace limpet
