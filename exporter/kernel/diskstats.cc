#include "exporter/kernel/diskstats.h"

#include <array>
#include <optional>

#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::size_t kMinNumbers = 11;  // after the name
constexpr std::size_t kWithDiscards = 15;
constexpr std::size_t kWithFlushes = 17;
constexpr std::size_t kInFlight = 8;
constexpr std::size_t kMaxFields = 64;  // of a line, its name included

// The kernel prints the number in flight as unsigned int (older ones: long), so that one completion
// too many shows as 2^32-1, 2^64-1 or -1.
bool IsNegativeCount(std::string_view field, std::optional<std::uint64_t> value) {
  return value ? *value > INT32_MAX : ParseI64(field).has_value();
}

// Index of the first of the numbers that end the line.
std::size_t FirstNumber(const std::array<std::string_view, kMaxFields>& fields, std::size_t count) {
  const auto is_number = [](std::string_view field) {
    return field.find_first_not_of("0123456789") == std::string_view::npos;
  };
  std::size_t first = count;
  // The one in flight may carry a sign.
  while (first > 3 && (is_number(fields[first - 1]) ||
                       (fields[first - 1].starts_with('-') &&
                        is_number(fields[first - 1].substr(1)) && fields[first - 1].size() > 1))) {
    --first;
  }
  return first;
}

std::optional<DiskstatsLine> ParseDisk(std::string_view line) {
  std::array<std::string_view, kMaxFields> fields;
  std::size_t count = 0;
  Fields cursor(line);
  for (auto field = cursor.Next(); !field.empty(); field = cursor.Next()) {
    if (count == kMaxFields) {
      return std::nullopt;
    }
    fields[count++] = field;
  }
  if (count < 3 + kMinNumbers) {
    return std::nullopt;
  }
  const auto major = ParseU64(fields[0]);
  const auto minor = ParseU64(fields[1]);
  // From the right, since a name may hold blanks and digits.
  const auto first = FirstNumber(fields, count);
  if (!major || !minor || *major > UINT32_MAX || *minor > UINT32_MAX ||
      count - first < kMinNumbers) {
    return std::nullopt;
  }

  DiskstatsLine disk;
  disk.major = static_cast<std::uint32_t>(*major);
  disk.minor = static_cast<std::uint32_t>(*minor);
  const char* name_end = fields[first - 1].data() + fields[first - 1].size();
  disk.name = {fields[2].data(), static_cast<std::size_t>(name_end - fields[2].data())};

  const auto numbers = std::min(count - first, kWithFlushes);
  std::array<std::uint64_t, kWithFlushes> n{};
  for (std::size_t i = 0; i < numbers; ++i) {
    const auto value = ParseU64(fields[first + i]);
    if (i == kInFlight && IsNegativeCount(fields[first + i], value)) {
      disk.in_flight_negative = true;
    } else if (!value) {
      return std::nullopt;
    } else {
      n[i] = *value;
    }
  }
  // What a kernel does not count is not 0: the collector leaves those series out.
  disk.has_discards = numbers >= kWithDiscards;
  disk.has_flushes = numbers >= kWithFlushes;
  disk.counters = {n[0], n[1],  n[2],  n[3],  n[4],  n[5],  n[6],  n[7], n[8],
                   n[9], n[10], n[11], n[12], n[13], n[14], n[15], n[16]};
  if (!disk.has_discards) {  // 12 to 14 numbers: no kernel prints that, so they mean nothing
    disk.counters.discards = disk.counters.discards_merged = disk.counters.sectors_discarded = 0;
  }
  if (!disk.has_flushes) {
    disk.counters.flushes = 0;
  }
  return disk;
}

}  // namespace

Diskstats ParseDiskstats(std::string_view text) {
  return ParseDeviceLines<DiskstatsLine>(
      text, 0, "expected major, minor, name and at least 11 numbers", ParseDisk);
}

}  // namespace limpet
