// system_calls.h: what `limpet-diagnoser serve` asks of the kernel once it runs.
//
// Found by tracing the end-to-end tests, which run under --seccomp kill and so find what is
// missing; beside that, what the C library may use instead on other machines (accept4, statx).
// No call that starts a program, traces another process, mounts, loads or changes an identity.
#pragma once

#include <array>
#include <string_view>

namespace limpet {

inline constexpr auto kDiagnoserSystemCalls = std::to_array<std::string_view>(
    {// The configuration, lists, certificates, name service; libraries that are loaded late.
     "access", "close", "dup", "dup3", "faccessat", "faccessat2", "fcntl", "fcntl64", "fstat",
     "fstat64", "fstatat64", "fstatfs", "getcwd", "getdents64", "lseek", "lstat", "newfstatat",
     "open", "openat", "pread64", "read", "readlink", "readlinkat", "readv", "stat", "statfs",
     "statx", "write", "writev",
     // The state, the events and the history: files that are replaced, or grow. fchown: SQLite, as
     // root, gives its journal the owner of its file.
     "chmod", "fchmod", "fchmodat", "fdatasync", "fchown", "flock", "fsync", "ftruncate", "mkdir",
     "mkdirat", "pwrite64", "rename", "renameat", "renameat2", "unlink", "unlinkat",
     // Memory.
     "brk", "madvise", "mmap", "mmap2", "mprotect", "mremap", "munmap",
     // Threads. setpriority: passwords.
     "clone", "clone3", "exit", "exit_group", "futex", "futex_time64", "getpid", "getppid",
     "gettid", "get_robust_list", "membarrier", "prctl", "rseq", "sched_getaffinity", "sched_yield",
     "set_robust_list", "setpriority", "tgkill",
     // Time and signals.
     "clock_getres", "clock_gettime", "clock_gettime64", "clock_nanosleep",
     "clock_nanosleep_time64", "gettimeofday", "nanosleep", "restart_syscall", "rt_sigaction",
     "rt_sigprocmask", "rt_sigreturn", "rt_sigtimedwait", "rt_sigtimedwait_time64", "sigaltstack",
     "timerfd_create", "timerfd_gettime", "timerfd_settime", "timerfd_settime64",
     // The web server, scrapes, names (sendmmsg, recvmmsg), systemd's socket.
     "accept", "accept4", "bind", "connect", "epoll_create1", "epoll_ctl", "epoll_pwait",
     "epoll_wait", "eventfd2", "getpeername", "getsockname", "getsockopt", "ioctl", "listen",
     "pipe2", "poll", "ppoll", "ppoll_time64", "recvfrom", "recvmmsg", "recvmmsg_time64", "recvmsg",
     "sendmmsg", "sendmsg", "sendto", "setsockopt", "shutdown", "socket",
     // Calls about the process and the machine.
     "getegid", "geteuid", "getgid", "getrandom", "getrusage", "getuid", "prlimit64", "sysinfo",
     "times", "ugetrlimit", "uname"});

}  // namespace limpet
