// diskstats.h: the text of /proc/diskstats taken apart (Documentation/admin-guide/iostats.rst).
//
// Units:   as the kernel prints them: requests, sectors of 512 bytes, milliseconds. Milliseconds
//          are 32-bit numbers that wrap; see unwrap32.h.
// Fields:  a line has 14 (before 4.18), 18 (discards) or 20 (flushes, 5.5); further ones are left
//          alone. Names may hold blanks and any other byte: the numbers are found from the right.
// Damage:  as in device_lines.h.
// Threads: pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "exporter/kernel/device_lines.h"

namespace limpet {

struct DiskCounters {
  std::uint64_t reads = 0;
  std::uint64_t reads_merged = 0;
  std::uint64_t sectors_read = 0;
  std::uint64_t read_ms = 0;
  std::uint64_t writes = 0;
  std::uint64_t writes_merged = 0;
  std::uint64_t sectors_written = 0;
  std::uint64_t write_ms = 0;
  std::uint64_t in_flight = 0;  // the one that is not cumulative
  std::uint64_t io_ms = 0;
  std::uint64_t weighted_ms = 0;
  std::uint64_t discards = 0;
  std::uint64_t discards_merged = 0;
  std::uint64_t sectors_discarded = 0;
  std::uint64_t discard_ms = 0;
  std::uint64_t flushes = 0;
  std::uint64_t flush_ms = 0;
};

struct DiskstatsLine {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::string_view name;  // points into the text that was parsed
  DiskCounters counters;
  bool has_discards = false;
  bool has_flushes = false;
  bool in_flight_negative = false;  // the kernel printed -1 or its unsigned form; in_flight is 0
};

using Diskstats = DeviceLines<DiskstatsLine>;

[[nodiscard]] Diskstats ParseDiskstats(std::string_view text);

}  // namespace limpet
