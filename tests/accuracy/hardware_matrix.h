// hardware_matrix.h: ordinary hardware with README's lines of configuration and nothing else.
//
// Every site (simulator/hardware.h) by both exporters: healthy under a swinging load, one server
// with more of it; a slow disk, a disk hog, a network hog.
// Threads: pure; runs are spread over `threads`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/accuracy/scenarios.h"
#include "tests/simulator/hardware.h"

namespace limpet::accuracy {

struct HardwareOutcome {
  std::map<std::string, std::int64_t> wrong;  // "io02 disk-hog": the first second
  std::optional<std::int64_t> delay;          // s, to the right name and cause
};

[[nodiscard]] std::string Describe(const simulator::HardwareSpec& spec);
// `seconds` of scrapes each second.
[[nodiscard]] HardwareOutcome RunHardware(const simulator::HardwareSpec& spec,
                                          std::int64_t seconds);

struct HardwareTableSpec {
  std::string only;  // of sites whose name holds it
  std::int64_t healthy_seconds = 3600;
  std::uint64_t seeds = 1;
  std::size_t threads = 2;
};
[[nodiscard]] std::string HardwareTable(const HardwareTableSpec& spec, const Progress& progress);

}  // namespace limpet::accuracy
