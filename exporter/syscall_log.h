// syscall_log.h: events of the kernel's ring as the lines of docs/formats/syscall-log.md.
//
// The fields of [Kasick09 §4]: calls in the order of their completion (the paper's sclog), and what
// changed in tables of descriptors (fdlog), in one file.
// Units:   Unix seconds, seconds, bytes.
// Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "exporter/bpf/syscall_shared.h"
#include "exporter/common/time.h"

namespace limpet {

// The totals of one call in the summary.
struct CallTotals {
  std::uint64_t calls = 0;
  std::uint64_t errors = 0;
  std::uint64_t ns = 0;
};

class SyscallLog {
 public:
  using Write = std::function<void(std::string_view line)>;  // with its newline

  // `boot` is the Unix time at which the kernel's monotonic clock was 0.
  SyscallLog(UnixTime boot, Write write);

  void Header(std::string_view version, std::string_view what);
  // A descriptor that was open before the log began.
  void Inherited(UnixTime at, std::uint32_t pid, std::uint32_t fd, std::string_view name);
  // One record of the ring; one of another size is no event and left out.
  void Event(std::span<const std::byte> record);
  // `lost` in all; a line when it has grown.
  void Lost(std::uint64_t lost);
  void Summary();

  [[nodiscard]] const std::map<std::string, CallTotals>& Totals() const { return totals_; }
  [[nodiscard]] std::uint64_t LostEvents() const { return lost_; }

 private:
  const std::string& Name(std::uint32_t number);
  void Signal(const SyscallEvent& event, double time) const;
  void Descriptor(const SyscallEvent& event, const std::string& call, double time);

  double boot_;
  Write write_;
  std::map<std::uint32_t, std::string> names_;
  std::map<std::string, CallTotals> totals_;
  std::uint64_t record_ = 0;
  std::uint64_t lost_ = 0;
};

// Returns the table that strace -c prints: share of time, seconds, microseconds a call, calls,
// errors, name.
[[nodiscard]] std::string SummaryTable(const std::map<std::string, CallTotals>& totals);

}  // namespace limpet
