#include "exporter/collectors/rates.h"

#include <algorithm>
#include <cstdint>

#include "exporter/common/units.h"

namespace limpet {
namespace {

double Ratio(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0;
}

}  // namespace

std::optional<DiskRates> RatesBetween(const DiskCounters& before, const DiskCounters& after,
                                      Duration elapsed) {
  // Looked at field by field: a counter that fell wraps below to a huge increase, which is left
  // out.
  bool fell = false;
  const auto increase = [&](std::uint64_t DiskCounters::*field) {
    fell = fell || after.*field < before.*field;
    return static_cast<double>(after.*field - before.*field);
  };
  const double reads = increase(&DiskCounters::reads);
  const double writes = increase(&DiskCounters::writes);
  const double discards = increase(&DiskCounters::discards);
  const double sectors_read = increase(&DiskCounters::sectors_read);
  const double sectors_written = increase(&DiskCounters::sectors_written);
  const double sectors_discarded = increase(&DiskCounters::sectors_discarded);
  const double read_ms = increase(&DiskCounters::read_ms);
  const double write_ms = increase(&DiskCounters::write_ms);
  const double discard_ms = increase(&DiskCounters::discard_ms);
  const double io_ms = increase(&DiskCounters::io_ms);
  const double weighted_ms = increase(&DiskCounters::weighted_ms);
  const double seconds = ToSeconds(elapsed);
  if (fell || seconds <= 0) {
    return std::nullopt;
  }

  // As iostat does it: flushes are left out, of the count and of the time.
  const double requests = reads + writes + discards;
  DiskRates rates;
  rates.reads_per_second = reads / seconds;
  rates.writes_per_second = writes / seconds;
  rates.requests_per_second = requests / seconds;
  rates.read_bytes_per_second = BytesFromSectors(sectors_read) / seconds;
  rates.written_bytes_per_second = BytesFromSectors(sectors_written) / seconds;
  rates.request_size =
      Ratio(BytesFromSectors(sectors_read + sectors_written + sectors_discarded), requests);
  rates.queue_length = SecondsFromMilliseconds(weighted_ms) / seconds;
  rates.await = SecondsFromMilliseconds(Ratio(read_ms + write_ms + discard_ms, requests));
  rates.read_await = SecondsFromMilliseconds(Ratio(read_ms, reads));
  rates.write_await = SecondsFromMilliseconds(Ratio(write_ms, writes));
  rates.service_time = SecondsFromMilliseconds(Ratio(io_ms, requests));
  // Busy time is counted in whole jiffies, which can exceed a short interval by one.
  rates.utilization = std::min(1.0, SecondsFromMilliseconds(io_ms) / seconds);
  return rates;
}

std::optional<NetRates> RatesBetween(const NetDevCounters& before, const NetDevCounters& after,
                                     Duration elapsed) {
  const double seconds = ToSeconds(elapsed);
  if (seconds <= 0) {
    return std::nullopt;
  }
  // Any field that fell means another start of the interface, for all of them.
  for (std::size_t i = 0; i < kNetDevFields; ++i) {
    if (after[i] < before[i]) {
      return std::nullopt;
    }
  }
  const auto rate = [&](NetDevField field) {
    return static_cast<double>(after[field] - before[field]) / seconds;
  };
  return NetRates{rate(kReceiveBytes), rate(kReceivePackets), rate(kTransmitBytes),
                  rate(kTransmitPackets)};
}

}  // namespace limpet
