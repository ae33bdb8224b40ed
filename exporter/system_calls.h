// system_calls.h: what `limpet-exporter serve` asks of the kernel once it runs.
//
// Found by tracing the end-to-end tests, which run under --seccomp kill and so find what is
// missing; beside that, what the C library may use instead on other machines (accept4, statx).
// No call that starts a program, traces another process, mounts, loads or changes an identity.
#pragma once

#include <array>
#include <string_view>

namespace limpet {

inline constexpr auto kExporterSystemCalls = std::to_array<std::string_view>(
    {// Files of /proc and /sys, the configuration, certificates; libraries that are loaded late.
     "access", "close", "faccessat", "faccessat2", "fcntl", "fcntl64", "fstat", "fstat64",
     "fstatat64", "fstatfs", "getcwd", "getdents64", "lseek", "lstat", "newfstatat", "open",
     "openat", "pread64", "read", "readlink", "readlinkat", "readv", "stat", "statfs", "statfs64",
     "statx", "write", "writev",
     // Memory.
     "brk", "madvise", "mmap", "mmap2", "mprotect", "mremap", "munmap",
     // Threads. setns: collectors.tcp.network_namespace. setpriority: passwords.
     "clone", "clone3", "exit", "exit_group", "futex", "futex_time64", "getpid", "getppid",
     "gettid", "get_robust_list", "membarrier", "prctl", "rseq", "sched_getaffinity", "sched_yield",
     "set_robust_list", "setns", "setpriority", "tgkill",
     // Time and signals.
     "clock_getres", "clock_gettime", "clock_gettime64", "clock_nanosleep",
     "clock_nanosleep_time64", "gettimeofday", "nanosleep", "restart_syscall", "rt_sigaction",
     "rt_sigprocmask", "rt_sigreturn", "rt_sigtimedwait", "rt_sigtimedwait_time64", "sigaltstack",
     "timerfd_create", "timerfd_gettime", "timerfd_settime", "timerfd_settime64",
     // The web server, netlink, systemd's socket.
     "accept", "accept4", "bind", "connect", "epoll_create1", "epoll_ctl", "epoll_pwait",
     "epoll_wait", "eventfd2", "getpeername", "getsockname", "getsockopt", "ioctl", "listen",
     "pipe2", "poll", "ppoll", "ppoll_time64", "recvfrom", "recvmsg", "sendmsg", "sendto",
     "setsockopt", "shutdown", "socket",
     // Calls about the process and the machine.
     "getegid", "geteuid", "getgid", "getrandom", "getrusage", "getuid", "prlimit64", "sysinfo",
     "times", "ugetrlimit", "uname"});

// And if it records (record.dir): files that it makes, writes and deletes.
inline constexpr auto kRecorderSystemCalls =
    std::to_array<std::string_view>({"fdatasync", "fsync", "ftruncate", "ftruncate64", "mkdir",
                                     "mkdirat", "pwrite64", "unlink", "unlinkat"});

}  // namespace limpet
