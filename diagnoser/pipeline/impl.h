// impl.h: the parts of a Pipeline and how they hang together; for the .cc files of Pipeline alone.
//
//   pipeline.cc  pages in            advance.cc  what is closed when
//   memory.cc    over a restart      forget.cc   what is gone
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/evidence/evidence_source.h"
#include "diagnoser/evidence/groups/disk_loads.h"
#include "diagnoser/evidence/groups/memberships.h"
#include "diagnoser/evidence/packets/cwnd_watch.h"
#include "diagnoser/evidence/profiles/profile_seconds.h"
#include "diagnoser/evidence/storage/custom_windows.h"
#include "diagnoser/evidence/syscalls/syscall_seconds.h"
#include "diagnoser/evidence/windows/preset_run.h"
#include "diagnoser/facts/fact_readings.h"
#include "diagnoser/intake/intake.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/pipeline/server_verdicts.h"
#include "diagnoser/series/activity_readings.h"
#include "diagnoser/series/host_readings.h"
#include "diagnoser/series/readings.h"

namespace limpet {

struct Pipeline::Impl {
  using EntityFilter = std::function<bool(const Entity&)>;

  explicit Impl(PipelineConfig given);
  // What a page has said: that there are readings from and up to its own, and whose disks they are.
  void Heed(const Result<IngestStats>& stats);
  // What is known of whole nodes, beside the windows of their components.
  void WatchNodes();

  // See CwndWatch: that of the first preset that wants the events.
  [[nodiscard]] std::optional<CwndLimit> FindLimit(std::uint32_t group,
                                                   std::string_view metric) const;

  // What comes next, and when.
  struct Due {
    UnixTime at;
    EvidenceSource* source = nullptr;  // of a second; null: a window ends
    std::size_t run = 0;               // its preset
  };
  std::vector<Event> AdvanceTo(UnixTime now, UnixTime horizon);
  void HoldSilence(UnixTime now);
  [[nodiscard]] std::vector<Event> ReleaseHeld();
  // The earliest, up to `horizon`; windows of runs that are `held` wait for readings.
  [[nodiscard]] std::optional<Due> FindDue(const std::vector<bool>& held, UnixTime horizon) const;
  // nullopt: nothing more can be done before other readings come.
  std::optional<std::vector<Event>> Do(const Due& due, UnixTime now, UnixTime horizon,
                                       std::vector<bool>& held);
  std::vector<Event> CloseWindow(const Due& due, UnixTime horizon);
  // Once all scales of the run's preset have closed their windows that end at `due`.
  void JudgeServers(const Due& due, std::vector<Event>& events);
  // `preset_runs`: those of the preset that is judged.
  [[nodiscard]] NodeFindings Findings(std::span<const std::size_t> preset_runs) const {
    return {.behaviour = profiles ? profiles->Findings() : Behaviour(),
            .syscalls = syscalls ? syscalls->Findings() : SyscallFindings(),
            .storage = custom ? custom->Findings(preset_runs) : StorageFindings()};
  }
  // What is known of the machines that the verdicts name.
  void JoinFacts(ServerVerdicts& servers, UnixTime end) const;

  void ExportRecords(PipelineState& state) const;
  std::size_t ImportRecords(const PipelineState& state);
  void RecallWindows();

  void Forget(EntityKind kind, std::uint32_t entity);
  void ForgetNode(std::string_view node);
  // How long an entity without readings is still of use: nothing that a window may still ask for.
  [[nodiscard]] Duration NeededFor() const;
  void Tidy(UnixTime now);
  // Does for nodes that have no room for more what Tidy does for all, but soon.
  void RelieveCrowdedNodes(UnixTime now);
  // Of the entities that `picks`, those without a reading for longer than `keep`; how many.
  std::size_t ForgetSilent(UnixTime now, Duration keep, const EntityFilter& picks);
  // Who belongs where; whoever has moved begins anew.
  void RefreshMembers();
  // Masks what is masked always and, of timed masks, what they hold in a window that ends at `at`.
  void MaskBy(UnixTime at);
  void ApplyMasks();
  // Of another disk than before nothing is remembered.
  void ForgetRenewed(const RenewedDisk& disk);
  // What is remembered by name of components that are gone and were last judged before `before`.
  // `node`: of that one alone.
  void ForgetGoneRecords(std::optional<std::string_view> node, UnixTime before);

  PipelineConfig config;             // `masked`: what is masked now
  std::vector<std::string> always;   // without what timed masks hold
  std::vector<std::string> by_time;  // what they hold
  SideBySide for_each = OneAfterTheOther;
  Directory directory;
  Readings readings;
  std::optional<HostReadings> hosts;  // with profiles
  std::optional<ProfileSeconds> profiles;
  std::optional<SyscallSeconds> syscalls;
  std::optional<CustomWindows> custom;  // with metrics of the configuration
  FactReadings facts;
  DiskLoads loads;
  ActivityReadings activity;
  Intake intake;
  std::vector<PresetRun> runs;  // by preset; they point into config
  CwndWatch cwnd;
  // In the order in which those look that are due at the same instant; a window end comes after
  // them and judges with what they have said.
  std::vector<EvidenceSource*> sources;
  Memberships memberships;
  std::vector<ServerVerdicts> verdicts;  // by preset that is no time scale
  // Windows closed after the last reading, while all are silent.
  struct Silence {
    std::vector<Event> events;
    UnixTime until;  // readings at or after it make them windows like any others
  };
  Silence silence;
  std::optional<UnixTime> watermark;
  std::optional<UnixTime> first;  // reading of the input
  std::optional<UnixTime> last;
  std::optional<UnixTime> tidied;
  std::optional<UnixTime> relieved;
  std::map<std::string, UnixTime> crowded;  // nodes, and when there was last no room
  PipelineCounters counters;
};

}  // namespace limpet
