// disk_mounts.h: tells of disks which file systems are on them, by the series of file systems, and
// whether they rotate, by that of ATA disks where nothing else says it.
//
// Of a partition the name tells its disk, of a logical volume its device-mapper name the volume.
// What lies below a volume node_exporter does not say. Where the system is on volumes, the one disk
// of the server is its own on which nobody has seen a file system; where there are several, or data
// on volumes too, the one that reads and writes what the system's volumes do, step by step.
// Threads: pure.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "diagnoser/facts/fact_readings.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/series/readings.h"
#include "exporter/common/time.h"

namespace limpet {

struct MountSources {
  UnixTime end;
  const FactReadings* facts = nullptr;
  const Readings* readings = nullptr;  // null: there are none yet
  std::size_t grid = 0;
  std::size_t steps = 0;  // of the grid up to `end` that are looked at
};

// Gives the disks of these nodes (null: of all) the labels of disk_kinds.h and disk_uses.h for what
// is mounted. What cannot be told keeps the labels that it has.
void TellMounts(const MountSources& from, const std::set<std::string>* only, Directory& directory);

}  // namespace limpet
