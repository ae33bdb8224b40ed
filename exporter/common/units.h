// units.h: conversions between the kernel's units and the base units of metrics, by name only.
//
// Threads: pure.
#pragma once

#include <cstdint>

namespace limpet {

// The kernel's sector is 512 bytes whatever the device says (Documentation/block/stat.rst).
inline constexpr double kBytesPerSector = 512.0;

inline constexpr double kNanosecondsPerSecond = 1e9;

constexpr double BytesFromSectors(double sectors) { return sectors * kBytesPerSector; }
constexpr double SectorsFromBytes(double bytes) { return bytes / kBytesPerSector; }
constexpr double SecondsFromMilliseconds(double milliseconds) { return milliseconds / 1000.0; }
constexpr double MillisecondsFromSeconds(double seconds) { return seconds * 1000.0; }

}  // namespace limpet
