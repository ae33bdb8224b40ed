// impl.h: the parts of a Pipeline and how they hang together; for the .cc files of Pipeline alone.
//
//   pipeline.cc  pages in            advance.cc  what is closed when
//   memory.cc    over a restart      forget.cc   what is gone
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "diagnoser/mapping/directory.h"
#include "diagnoser/pipeline/cwnd_watch.h"
#include "diagnoser/pipeline/intake.h"
#include "diagnoser/pipeline/memberships.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/pipeline/preset_run.h"
#include "diagnoser/pipeline/profile_seconds.h"
#include "diagnoser/series/host_readings.h"
#include "diagnoser/series/readings.h"

namespace limpet {

struct Pipeline::Impl {
  explicit Impl(PipelineConfig given);

  // What comes next, and when.
  struct Due {
    enum class What { kCwndSecond, kProfileSecond, kWindow };
    What what;
    UnixTime at;
    std::size_t run = 0;  // kWindow: whose
  };
  std::vector<Event> AdvanceTo(UnixTime now, UnixTime horizon);
  // The last instant that windows may be closed at.
  [[nodiscard]] UnixTime Horizon(UnixTime now) const;
  // The earliest, up to `horizon`; windows of runs that are `held` wait for readings.
  [[nodiscard]] std::optional<Due> FindDue(const std::vector<bool>& held, UnixTime horizon) const;
  // nullopt: nothing more can be done before other readings come.
  std::optional<std::vector<Event>> Do(const Due& due, UnixTime now, UnixTime horizon,
                                       std::vector<bool>& held);
  std::vector<Event> CloseWindow(const Due& due, UnixTime horizon);
  [[nodiscard]] Behaviour Findings() const { return profiles ? profiles->Findings() : Behaviour(); }

  void ExportRecords(PipelineState& state) const;
  std::size_t ImportRecords(const PipelineState& state);
  void RecallWindows();

  void Forget(EntityKind kind, std::uint32_t entity);
  void ForgetNode(std::string_view node);
  void Tidy(UnixTime now);

  PipelineConfig config;
  Directory directory;
  Readings readings;
  std::optional<HostReadings> hosts;  // with profiles
  std::optional<ProfileSeconds> profiles;
  Intake intake;
  std::vector<PresetRun> runs;  // by preset; they point into config
  CwndWatch cwnd;
  Memberships memberships;
  std::optional<UnixTime> watermark;
  std::optional<UnixTime> first;  // reading of the input
  std::optional<UnixTime> last;
  std::optional<UnixTime> tidied;
  PipelineCounters counters;
};

}  // namespace limpet
