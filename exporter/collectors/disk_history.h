// disk_history.h: one disk over time: counters that only grow, rates, and what went wrong.
//
// New device: a name stands for another device than before when it was not listed in between, when
//             its device number changed, or when fewer requests are completed than before. It is a
//             re-plug and has no rates; when a counter fell the unwrapped milliseconds begin again
//             with the others.
// Fall:       any other counter below its reading before is a reset: no rates for that interval.
// Progress:   requests completed since the reading before, which no kernel that counts none shows.
// Stuck:      requests in flight and none completed since; time counts from the first reading that
//             saw it so. Requests that wait for a tag are in no counter of the kernel.
// Threads:    a value.
#pragma once

#include <cstdint>
#include <optional>

#include "exporter/collectors/rates.h"
#include "exporter/common/time.h"
#include "exporter/kernel/diskstats.h"
#include "exporter/kernel/unwrap32.h"

namespace limpet {

class DiskHistory {
 public:
  // A reading. `continuous`: the device was also listed at the sample before.
  void Update(const DiskstatsLine& line, SteadyTime at, bool continuous);

  // Returns those of the last reading, milliseconds unwrapped.
  [[nodiscard]] const DiskCounters& Counters() const { return counters_; }
  [[nodiscard]] bool HasDiscards() const { return has_discards_; }
  [[nodiscard]] bool HasFlushes() const { return has_flushes_; }
  [[nodiscard]] std::uint32_t Major() const { return major_; }
  [[nodiscard]] std::uint32_t Minor() const { return minor_; }
  // Returns the rates between the last two readings; nullopt for the first of a device and when a
  // counter fell.
  [[nodiscard]] const std::optional<DiskRates>& Rates() const { return rates_; }
  // Returns when the last reading was that shows requests completed; nullopt for none.
  [[nodiscard]] const std::optional<SteadyTime>& Progress() const { return progress_; }
  [[nodiscard]] Duration Stuck() const { return stuck_; }
  [[nodiscard]] std::uint64_t Resets() const { return resets_; }
  [[nodiscard]] std::uint64_t Replugs() const { return replugs_; }
  [[nodiscard]] std::uint64_t InFlightUnderflows() const { return underflows_; }
  // Returns whether the last reading was the first of its device.
  [[nodiscard]] bool IsNewDevice() const { return new_device_; }

 private:
  void StartAnew(const DiskCounters& raw);
  // False when a counter fell.
  bool Continue(const DiskCounters& raw);
  void WatchProgress(bool completed, SteadyTime at);
  void SetMilliseconds();

  std::uint32_t major_ = 0;
  std::uint32_t minor_ = 0;
  bool known_ = false;
  bool new_device_ = false;
  bool has_discards_ = false;
  bool has_flushes_ = false;
  SteadyTime at_{};
  DiskCounters counters_;
  Unwrap32 read_ms_, write_ms_, io_ms_, weighted_ms_, discard_ms_, flush_ms_;
  std::optional<DiskRates> rates_;
  std::optional<SteadyTime> progress_;
  std::optional<SteadyTime> stuck_since_;
  Duration stuck_{};
  std::uint64_t resets_ = 0;
  std::uint64_t replugs_ = 0;
  std::uint64_t underflows_ = 0;
};

}  // namespace limpet
