// probe.h: the section `probe` of the configuration file.
//
// Threads: pure.
#pragma once

#include "exporter/common/time.h"
#include "exporter/common/yaml.h"

namespace limpet {

// The settings of reading disks that verdicts name, to confirm them.
struct ProbeSettings {
  bool enabled = false;
  Duration interval = std::chrono::minutes(10);  // between two probes of a disk
};

// Problems are added to those of `top`.
[[nodiscard]] ProbeSettings ReadProbe(yaml::MapReader& top);

}  // namespace limpet
