// state.h: what must survive a restart, as plain values for state/: filters and accumulators, and
// of the data itself as much as the next window needs, so that a restart is a gap like any other.
//
// A pipeline that exports, and one that imports and is fed from there on, say together what one
// pipeline would have said that had not been given the pages in between.
// Threads: values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/detect/side_by_side.h"
#include "diagnoser/evidence/groups/disk_kind_groups.h"
#include "diagnoser/evidence/packets/cwnd_seconds.h"
#include "diagnoser/evidence/profiles/profile_memory.h"
#include "diagnoser/evidence/syscalls/syscall_memory.h"
#include "diagnoser/evidence/windows/component_state.h"
#include "diagnoser/evidence/windows/write_records.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/series/host_readings.h"
#include "diagnoser/series/increase.h"
#include "diagnoser/series/readings.h"
#include "diagnoser/verdict/beginnings.h"
#include "diagnoser/verdict/open_incidents.h"
#include "exporter/common/time.h"

namespace limpet {

struct EntityState {
  EntityKind kind = EntityKind::kDisk;
  Entity entity;  // its groups are found anew
  // Disks and interfaces: one a counter, columns in the order of the presets.
  std::vector<std::optional<TrackTail>> counters;
  // Connections and peers, as SocketReadings has them.
  std::vector<RecentReadings::Reading> cwnd;
  std::vector<RecentReadings::Reading> other;
};

// A node, a disk or an interface that host metrics are made of.
struct HostEntityState {
  EntityKind kind = EntityKind::kHost;
  Entity entity;  // its groups are found anew
  HostReadings::Tail tail;
};

struct PipelineState {
  std::vector<ComponentState> components;
  std::map<std::string, UnixTime> window_ends;  // by preset: last closed window time
  std::vector<EntityState> entities;
  std::map<std::string, CwndTail> cwnd;  // by group
  std::optional<UnixTime> first;         // reading of the input
  std::optional<UnixTime> last;
  std::optional<UnixTime> cwnd_done;  // last second of congestion windows observed
  std::vector<OpenIncident> incidents;
  std::vector<Beginning> beginnings;
  std::optional<ProfileMemory> profiles;
  std::optional<SyscallMemory> syscalls;
  std::vector<HostEntityState> host_entities;
  std::map<std::string, double, std::less<>> exporter_starts;  // by node
  // Instants by component; the groups that tell recent components apart want it.
  std::map<std::string, UnixTime, std::less<>> first_seen;
  std::vector<DiskKindMemory> disk_kinds;
  std::vector<WriteMemory> writes;
};

// The state after the clock has been set back to `now`: without what happened in the future, which
// new readings could not follow. Filters and accumulators stay. Unchanged when its last reading is
// at most `slack` ahead.
[[nodiscard]] PipelineState Rewound(PipelineState state, UnixTime now, Duration slack);

// Entities with their readings, the bins from `oldest` on, by grid. Bounded: those that come when
// `most_bins` are taken go without. Copied side by side: the diagnosis waits.
[[nodiscard]] std::vector<EntityState> ExportEntities(const Directory& directory,
                                                      Readings& readings,
                                                      const std::vector<std::int64_t>& oldest,
                                                      std::size_t most_bins,
                                                      const SideBySide& for_each);
// The same of what host metrics are made of, from the second after `done` on.
[[nodiscard]] std::vector<HostEntityState> ExportHostEntities(const Directory& directory,
                                                              const HostReadings& readings,
                                                              UnixTime done);
// Must be called after RestoreEntities.
void RestoreHostEntities(const std::vector<HostEntityState>& entities, Directory& directory,
                         HostReadings& readings);
// Those that no group wants, or for which there is no room, are left out.
void RestoreEntities(const std::vector<EntityState>& entities, Directory& directory,
                     Readings& readings);

}  // namespace limpet
