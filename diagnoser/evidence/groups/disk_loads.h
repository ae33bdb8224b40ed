// disk_loads.h: finds out of disks what no exporter says: how busy they are beside the others of
// their servers, and which file systems are on them.
//
// A disk that is asked for less than a tenth of what the busiest of its server is, and of what the
// busiest of the median server is, is quiet: the system's, a spare, a backup's. Looked at are disks
// that facts do not tell apart (mapping/disk_kinds.h), where the median server moves a megabyte a
// second at all. The first look at a disk decides for good that it is busy; a quiet one becomes
// busy when it has been so for a minute, or for ten if it belongs to a kind of quiet disks.
// Same readings, same labels: nothing but the time of the data counts.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnoser/evidence/config.h"
#include "diagnoser/facts/fact_readings.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/mapping/disk_kinds.h"
#include "diagnoser/series/readings.h"
#include "exporter/common/time.h"

namespace limpet {

class DiskLoads {
 public:
  // Disks of the node have changed: where they are mounted is wanted before the next look.
  void Renewed(const std::string& node) { renewed_.insert(node); }
  // Must be called at a window end, of a run on that grid. Rarely does anything: every 16 steps of
  // the grid, but always within the first 32.
  void Look(UnixTime end, const PipelineConfig& config, std::size_t grid, const Readings& readings,
            const FactReadings& facts, Directory& directory);

 private:
  struct Seen {
    std::uint32_t disk = 0;
    double load = 0;  // bytes a second
  };
  using Streaks = std::map<std::string, std::size_t>;  // looks in a row, by component
  void Weigh(const std::vector<Seen>& seen, const DiskKind& kind, const Streaks& before,
             Directory& directory);

  std::optional<UnixTime> first_;  // look
  std::optional<UnixTime> looked_;
  std::set<std::string> renewed_;  // nodes, since then
  Streaks busy_for_;               // of quiet disks
};

}  // namespace limpet
