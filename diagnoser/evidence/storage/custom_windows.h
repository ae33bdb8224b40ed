// custom_windows.h: the configuration's own metrics at work: their readings, and a judge for each
// preset and time scale.
//
// Restart: filters and accumulators are kept, windows begin anew.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/custom/node_names.h"
#include "diagnoser/custom/readings.h"
#include "diagnoser/custom/who_asks.h"
#include "diagnoser/evidence/config.h"
#include "diagnoser/evidence/storage/custom_judge.h"
#include "diagnoser/evidence/windows/component_state.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/verdict/storage_verdicts.h"
#include "diagnoser/view/view_types.h"

namespace limpet {

class CustomWindows {
 public:
  // `config` must outlive this; its `custom` is not empty. `grids`: those of the peer groups, and
  // `numbers` which of them each preset has.
  CustomWindows(const PipelineConfig& config, std::vector<GridSpec> grids,
                std::span<const std::size_t> numbers);

  [[nodiscard]] CustomReadings& Readings() { return readings_; }
  [[nodiscard]] const CustomReadings& Readings() const { return readings_; }

  // Closes the window of preset number `run` that ends at `end`. Nodes are those of `directory`.
  [[nodiscard]] std::vector<Event> Close(std::size_t run, UnixTime end, const Directory& directory,
                                         const SideBySide& for_each);
  // Returns the flags of the last windows of these runs: of the same component and metric the
  // largest degree.
  [[nodiscard]] StorageFindings Findings(std::span<const std::size_t> runs) const;
  // What metrics with `asks` tell of, as of `now`.
  [[nodiscard]] AskedMembers Asked(UnixTime now) const { return FindAsked(readings_, nodes_, now); }
  // Adds components, groups and coverage of the preset whose runs these are, its own first.
  void AddTo(PipelineView& view, std::span<const std::size_t> runs) const;
  [[nodiscard]] CustomStatus Status() const;

  void ExportTo(std::vector<ComponentState>& components) const;
  // False: there is no such preset or metric.
  bool Restore(const ComponentState& state);
  void ForgetRecords(std::string_view node);
  // Forgets components that are gone and were last judged before `before`.
  void ForgetGone(UnixTime before);

 private:
  const PipelineConfig* config_;
  CustomReadings readings_;
  std::vector<CustomJudge> judges_;  // by run
  Duration longest_{};               // window
  NodeNames nodes_;
  std::optional<std::uint64_t> nodes_of_;  // version of the directory
};

}  // namespace limpet
