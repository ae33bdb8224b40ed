// rates.h: the iostat and sar view of an interval: two readings and the time between them.
//
// Formulas: those of sysstat 12.6 (iostat.c, rd_stats.c compute_ext_disk_stats): requests are
//           reads, writes and discards; a mean over no requests is 0.
// Units:    base units: seconds, bytes, ratio 0 to 1, per second.
// Missing:  nullopt when no time has passed or a counter fell: there is no such interval. Never a
//           spike.
// Threads:  pure.
#pragma once

#include <optional>

#include "exporter/common/time.h"
#include "exporter/kernel/diskstats.h"
#include "exporter/kernel/net_dev.h"

namespace limpet {

struct DiskRates {
  double reads_per_second = 0;     // r/s
  double writes_per_second = 0;    // w/s
  double requests_per_second = 0;  // tps
  double read_bytes_per_second = 0;
  double written_bytes_per_second = 0;
  double request_size = 0;  // bytes; areq-sz
  double queue_length = 0;  // requests; aqu-sz
  double await = 0;         // seconds
  double read_await = 0;    // seconds; r_await
  double write_await = 0;   // seconds; w_await
  double service_time = 0;  // seconds; svctm: busy time per request
  double utilization = 0;   // %util as a ratio. At most 1: the kernel counts whole jiffies
};

// Milliseconds must be unwrapped (unwrap32.h).
[[nodiscard]] std::optional<DiskRates> RatesBetween(const DiskCounters& before,
                                                    const DiskCounters& after, Duration elapsed);

struct NetRates {
  double receive_bytes_per_second = 0;
  double receive_packets_per_second = 0;
  double transmit_bytes_per_second = 0;
  double transmit_packets_per_second = 0;
};

[[nodiscard]] std::optional<NetRates> RatesBetween(const NetDevCounters& before,
                                                   const NetDevCounters& after, Duration elapsed);

}  // namespace limpet
