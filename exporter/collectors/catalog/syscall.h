// syscall.h: what the syscall collector reports. collectors/syscall.h says how it is found.
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kSyscallSeconds{
    .name = "syscall_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "process,process_role,class",
    .help =
        "Time inside successful reads and writes of files (dread, dwrite) and of a server's or "
        "client's network sockets (nsread, ncread, …)."};
inline constexpr MetricInfo kSyscalls{
    .name = "syscalls_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "process,process_role,class",
    .help =
        "Calls that syscall_seconds_total is about; on sockets those that moved at least a byte."};
inline constexpr MetricInfo kSyscallBytes{.name = "syscall_bytes_total",
                                          .type = MetricType::kCounter,
                                          .unit = "bytes",
                                          .labels = "process,process_role,class",
                                          .help = "Bytes that those calls moved."};
inline constexpr MetricInfo kSyscallOperationSeconds{
    .name = "syscall_operation_seconds",
    .type = MetricType::kHistogram,
    .unit = "seconds",
    .labels = "process,process_role,operation",
    .help = "Time of completed system calls, failed ones included."};
inline constexpr MetricInfo kSyscallErrors{
    .name = "syscall_errors_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "process,process_role,operation,class,errno",
    .help = "Failed system calls, by what they were on: storage, network, memory or other."};
inline constexpr MetricInfo kSyscallOpenSeconds{
    .name = "syscall_open_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "process,process_role,class,peer",
    .help =
        "How long the longest call on storage, or on the network with this peer, has been in "
        "the kernel; 0: none."};
inline constexpr MetricInfo kSyscallLastCompleted{
    .name = "syscall_last_completed_timestamp_seconds",
    .type = MetricType::kGauge,
    .unit = "seconds",
    .labels = "process,process_role,peer,operation",
    .help =
        "When a client's last read, write or connect with this peer, which it connected to, "
        "succeeded (Unix time); of over 1,000 peers the oldest go."};
inline constexpr MetricInfo kSyscallPeerFailures{
    .name = "syscall_peer_failures_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "process,process_role,peer,errno",
    .help =
        "A client's calls with this peer that failed because of the connection; EOF: the peer "
        "closed it."};
inline constexpr MetricInfo kSyscallProcesses{
    .name = "syscall_processes",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "process,process_role",
    .help = "Processes of this name that are followed now."};
inline constexpr MetricInfo kSyscallDropped{
    .name = "syscall_dropped_total",
    .type = MetricType::kCounter,
    .unit = "",
    .labels = "reason",
    .help =
        "Calls that are not counted: no place for their thread, peer or process, or made by a "
        "32-bit program (compat); and peers that gave way to others (replaced)."};

inline constexpr std::array kSyscall = {
    &kSyscallSeconds,   &kSyscalls,           &kSyscallBytes,         &kSyscallOperationSeconds,
    &kSyscallErrors,    &kSyscallOpenSeconds, &kSyscallLastCompleted, &kSyscallPeerFailures,
    &kSyscallProcesses, &kSyscallDropped};

}  // namespace limpet::catalog
