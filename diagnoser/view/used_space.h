// used_space.h: how full the disks of every node are, for the live page.
//
// Threads: pure.
#pragma once

#include <map>
#include <string>

#include "diagnoser/facts/fact_readings.h"
#include "diagnoser/mapping/directory.h"
#include "exporter/common/time.h"

namespace limpet {

// Returns by node, 0 to 1, of the file systems on disks in some peer group all that is used; of all
// file systems on disks where none is on such a disk (on logical volumes nobody can tell).
[[nodiscard]] std::map<std::string, double> CollectUsedSpace(const Directory& directory,
                                                             const FactReadings& facts,
                                                             UnixTime now);

}  // namespace limpet
