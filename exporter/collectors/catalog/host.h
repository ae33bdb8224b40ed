// host.h: the host collector's rows of the catalogue.
//
// Names are node_exporter's where those follow the Prometheus conventions. Where they do not (a
// counter without _total, camel case) node_exporter_name keeps the other name.
//
// The 14 metrics of Ganesha ([Pan08 Table 1]) and where they come from:
//   user, system, iowait      rate of cpu_seconds_total{mode}, % of one processor
//   ctxt/s                    rate of context_switches_total
//   runq-sz, plist-sz         procs_running, processes_threads
//   ldavg-1                   load1
//   eth-rxbyt, eth-txbyt      rates of network_receive_bytes_total, network_transmit_bytes_total
//   pgpgin, pgpgout, fault/s  rates of vmstat_pgpgin_total, vmstat_pgpgout_total,
//                             vmstat_pgfault_total
//   bread, bwrtn              rates of disk_read_bytes_total, disk_written_bytes_total summed over
//                             whole disks
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kCpuSeconds{
    .name = "cpu_seconds_total",
    .type = MetricType::kCounter,
    .unit = "seconds",
    .labels = "mode",
    .help = "Time the processors spent in each mode, summed over all processors."};
inline constexpr MetricInfo kContextSwitches{.name = "context_switches_total",
                                             .type = MetricType::kCounter,
                                             .unit = "switches",
                                             .labels = "",
                                             .help = "Context switches."};
inline constexpr MetricInfo kInterrupts{.name = "intr_total",
                                        .type = MetricType::kCounter,
                                        .unit = "interrupts",
                                        .labels = "",
                                        .help = "Interrupts serviced."};
inline constexpr MetricInfo kForks{.name = "forks_total",
                                   .type = MetricType::kCounter,
                                   .unit = "forks",
                                   .labels = "",
                                   .help = "Processes and threads created."};
inline constexpr MetricInfo kBootTime{.name = "boot_time_seconds",
                                      .type = MetricType::kGauge,
                                      .unit = "seconds",
                                      .labels = "",
                                      .help = "Unix time of the boot."};
inline constexpr MetricInfo kProcsRunning{
    .name = "procs_running",
    .type = MetricType::kGauge,
    .unit = "processes",
    .labels = "",
    .help =
        "Threads that run or could run, the exporter itself included (sar runq-sz is one less)."};
inline constexpr MetricInfo kProcsBlocked{.name = "procs_blocked",
                                          .type = MetricType::kGauge,
                                          .unit = "processes",
                                          .labels = "",
                                          .help = "Processes blocked waiting for I/O."};
inline constexpr MetricInfo kProcessesThreads{.name = "processes_threads",
                                              .type = MetricType::kGauge,
                                              .unit = "threads",
                                              .labels = "",
                                              .help = "Threads on the system (sar plist-sz)."};
inline constexpr MetricInfo kLoad1{.name = "load1",
                                   .type = MetricType::kGauge,
                                   .unit = "",
                                   .labels = "",
                                   .help = "Load average over 1 minute."};
inline constexpr MetricInfo kLoad5{.name = "load5",
                                   .type = MetricType::kGauge,
                                   .unit = "",
                                   .labels = "",
                                   .help = "Load average over 5 minutes."};
inline constexpr MetricInfo kLoad15{.name = "load15",
                                    .type = MetricType::kGauge,
                                    .unit = "",
                                    .labels = "",
                                    .help = "Load average over 15 minutes."};
inline constexpr MetricInfo kVmstatPgpgin{.name = "vmstat_pgpgin_total",
                                          .type = MetricType::kCounter,
                                          .unit = "KiB",
                                          .labels = "",
                                          .help = "Kibibytes paged in from block devices.",
                                          .node_exporter_name = "vmstat_pgpgin"};
inline constexpr MetricInfo kVmstatPgpgout{.name = "vmstat_pgpgout_total",
                                           .type = MetricType::kCounter,
                                           .unit = "KiB",
                                           .labels = "",
                                           .help = "Kibibytes paged out to block devices.",
                                           .node_exporter_name = "vmstat_pgpgout"};
inline constexpr MetricInfo kVmstatPswpin{.name = "vmstat_pswpin_total",
                                          .type = MetricType::kCounter,
                                          .unit = "pages",
                                          .labels = "",
                                          .help = "Pages swapped in.",
                                          .node_exporter_name = "vmstat_pswpin"};
inline constexpr MetricInfo kVmstatPswpout{.name = "vmstat_pswpout_total",
                                           .type = MetricType::kCounter,
                                           .unit = "pages",
                                           .labels = "",
                                           .help = "Pages swapped out.",
                                           .node_exporter_name = "vmstat_pswpout"};
inline constexpr MetricInfo kVmstatPgfault{.name = "vmstat_pgfault_total",
                                           .type = MetricType::kCounter,
                                           .unit = "faults",
                                           .labels = "",
                                           .help = "Page faults, minor and major (sar fault/s).",
                                           .node_exporter_name = "vmstat_pgfault"};
inline constexpr MetricInfo kVmstatPgmajfault{.name = "vmstat_pgmajfault_total",
                                              .type = MetricType::kCounter,
                                              .unit = "faults",
                                              .labels = "",
                                              .help = "Page faults that needed I/O.",
                                              .node_exporter_name = "vmstat_pgmajfault"};
inline constexpr MetricInfo kVmstatOomKill{
    .name = "vmstat_oom_kill_total",
    .type = MetricType::kCounter,
    .unit = "kills",
    .labels = "",
    .help = "Processes killed for lack of memory (kernel 4.13 and later).",
    .node_exporter_name = "vmstat_oom_kill"};
inline constexpr MetricInfo kMemoryTotal{.name = "memory_total_bytes",
                                         .type = MetricType::kGauge,
                                         .unit = "bytes",
                                         .labels = "",
                                         .help = "Usable memory.",
                                         .node_exporter_name = "memory_MemTotal_bytes"};
inline constexpr MetricInfo kMemoryAvailable{.name = "memory_available_bytes",
                                             .type = MetricType::kGauge,
                                             .unit = "bytes",
                                             .labels = "",
                                             .help = "Memory that can be had without swapping.",
                                             .node_exporter_name = "memory_MemAvailable_bytes"};

inline constexpr std::array kHost = {
    &kCpuSeconds,    &kContextSwitches,  &kInterrupts,       &kForks,        &kBootTime,
    &kProcsRunning,  &kProcsBlocked,     &kProcessesThreads, &kLoad1,        &kLoad5,
    &kLoad15,        &kVmstatPgpgin,     &kVmstatPgpgout,    &kVmstatPswpin, &kVmstatPswpout,
    &kVmstatPgfault, &kVmstatPgmajfault, &kVmstatOomKill,    &kMemoryTotal,  &kMemoryAvailable};

}  // namespace limpet::catalog
