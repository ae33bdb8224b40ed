// one_run.h: one simulated run through the pipeline, in process: what was said, and when.
//
// Threads: functions are pure; any number may run at once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/pipeline/pipeline.h"
#include "tests/accuracy/circumstance.h"
#include "tests/simulator/cluster.h"
#include "tests/simulator/page.h"

namespace limpet::accuracy {

struct RunKey {
  std::size_t servers = 10;
  simulator::Workload workload = simulator::Workload::kDdr;
  std::optional<simulator::Fault> fault;
  std::uint64_t seed = 1;
  std::optional<simulator::Fault> also;  // at another server
  std::size_t sick = 1;                  // servers that have `fault`, all at once
  Circumstance circumstance = Circumstance::kNone;
  simulator::Placement placement = simulator::Placement::kAll;
  std::size_t clients = 10;
  std::size_t seconds = 600;
  std::size_t interval = 1;  // seconds between scrapes
  simulator::Seconds fault_start = simulator::Injection().start;
  simulator::Seconds fault_end = simulator::Injection().end;
  // Another machine room: other disks. 0 is the one that is trained for.
  std::uint64_t hardware = 0;
  // Journals, pauses and cron jobs; 000 ran "with background tasks turned off".
  bool background = true;
  double strength = 0;         // of `fault`, as simulator::Injection has it
  bool segments = false;       // exporters count segments sent and sent again
  bool node_exporter = false;  // nodes are read by it
  // s behind the clock that a store is read, on a grid of `interval`; nullopt: pages are scraped.
  std::optional<std::size_t> store_lag = std::nullopt;
  // As simulator::ClusterSpec has them.
  double older_factor = 1;
  double cached = 0;
  std::optional<double> cached_first = std::nullopt;
};
// "10 servers, ddr, disk-hog, seed 3".
[[nodiscard]] std::string Describe(const RunKey& key);

// The cluster's hardware depends on `servers` and `hardware` alone, as a testbed's does. Ten seeds
// have ten different faulty servers.
[[nodiscard]] simulator::ClusterSpec ClusterOf(const RunKey& key);
[[nodiscard]] simulator::RunSpec SpecOf(const RunKey& key);
[[nodiscard]] simulator::PageOptions PagesOf(const RunKey& key);

// What the default is compared with. `production` has the paper's windows at steps of 1 s instead
// of 15 s: the same algorithm on a clock fifteen times as fast.
[[nodiscard]] PresetSettings TestbenchUnderTest();
[[nodiscard]] PresetSettings ProductionUnderTest();
[[nodiscard]] PresetSettings Named(PresetSettings preset, std::string name);
[[nodiscard]] std::vector<PeerGroupRule> PeerGroups();

// `said`: seconds since the run began.
using OnEvent = std::function<void(const Event&, double said)>;
// Pages of every second go into a pipeline of this config; its events come out in order.
// What the pipeline shows at the end.
PipelineView RunThrough(const RunKey& key, const PipelineConfig& config, const OnEvent& on_event);

// One verdict that counts as an indictment (not secondary).
struct Indictment {
  std::string preset;
  double at = 0;    // window end, seconds since the run began
  double said = 0;  // when it came out, by the same clock
  std::string node;
  Cause cause = Cause::kNone;
  double degree = 0;
};
struct RunResult {
  RunKey key;
  std::string faulty;             // node, empty without a fault
  std::string second;             // node of the other fault
  std::vector<std::string> sick;  // nodes of SpecOf(key).injections, in their order
  std::vector<Indictment> indictments;
  std::vector<StormEvent> storms;
  std::vector<FalseAlarmStatus> false_alarms;  // expected at the end
};
[[nodiscard]] RunResult Diagnose(const RunKey& key, const PipelineConfig& config);

// recording.om.zst of the run: what limpet-exporter on every machine would have recorded.
[[nodiscard]] std::string Recording(const RunKey& key);

}  // namespace limpet::accuracy
