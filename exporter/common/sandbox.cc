#include "exporter/common/sandbox.h"

#include <sched.h>
#include <seccomp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <memory>
#include <system_error>

namespace limpet {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif
#else
constexpr bool kIsSanitized = false;
#endif

Error Problem(const std::string& what, int negative_errno) {
  return {ErrorCode::kUnavailable, std::generic_category().message(-negative_errno),
          "seccomp: " + what};
}

constexpr scmp_datum_t kNamespaces = CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET |
                                     CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWCGROUP;

// 0, or a negative errno.
int Allow(scmp_filter_ctx filter, std::string_view name) {
  const int call = ::seccomp_syscall_resolve_name(std::string(name).c_str());
  if (call == __NR_SCMP_ERROR) {
    return 0;  // a newer kernel's, or another architecture's
  }
  if (name == "clone3") {
    // Its flags lie in memory, where no filter sees them; the C library then asks for clone.
    return ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0);
  }
  if (name == "clone") {
    // Threads and processes, but none in namespaces of their own.
    const scmp_arg_cmp no_namespaces{
        .arg = 0, .op = SCMP_CMP_MASKED_EQ, .datum_a = kNamespaces, .datum_b = 0};
    return ::seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, no_namespaces);
  }
  if (name != "socket") {
    return ::seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
  }
  // Kernel code behind the rarer families is where many a privilege was raised.
  for (const int family : {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK}) {
    const scmp_arg_cmp is_family{
        .arg = 0, .op = SCMP_CMP_EQ, .datum_a = static_cast<scmp_datum_t>(family), .datum_b = 0};
    if (const int failed = ::seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, is_family);
        failed != 0) {
      return failed;
    }
  }
  return 0;
}

}  // namespace

SandboxMode ParseSandboxMode(std::string_view name) {
  return name == "off"    ? SandboxMode::kOff
         : name == "kill" ? SandboxMode::kKill
                          : SandboxMode::kDeny;
}

Result<void> EnterSandbox(std::span<const std::string_view> system_calls, SandboxMode mode) {
  if (kIsSanitized || mode == SandboxMode::kOff) {
    return {};
  }
  // EPERM, not death, in the field: a library's new version that tries another call first is a
  // line in the kernel's log, and monitoring goes on.
  const auto otherwise = mode == SandboxMode::kKill ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO(EPERM);
  const std::unique_ptr<void, decltype(&::seccomp_release)> filter(::seccomp_init(otherwise),
                                                                   &::seccomp_release);
  if (!filter) {
    return Problem("no filter", -ENOMEM);
  }
  // All threads at once, or none; no_new_privs is libseccomp's default.
  if (const int failed = ::seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1); failed != 0) {
    return Problem("all threads", failed);
  }
  // Kernels before 4.14 cannot log; the filter is worth having without.
  static_cast<void>(::seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_LOG, 1));
  // A binary tree: the cost of a call does not grow with the list.
  static_cast<void>(::seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2));
  for (const auto name : system_calls) {
    if (const int failed = Allow(filter.get(), name); failed != 0) {
      return Problem(std::string(name), failed);
    }
  }
  if (const int failed = ::seccomp_load(filter.get()); failed != 0) {
    return Problem("the kernel", failed);
  }
  return {};
}

void EnterSandbox(std::span<const std::string_view> system_calls, SandboxMode mode,
                  const LogSink& log) {
  if (const auto entered = EnterSandbox(system_calls, mode); !entered) {
    log(LogLevel::kWarning, entered.error().Text() + "; going on without a filter");
  }
}

}  // namespace limpet
