#include "tests/accuracy/one_run.h"

#include <fmt/core.h>

#include <chrono>
#include <stdexcept>
#include <variant>

#include "exporter/common/exposition/codec.h"

namespace limpet::accuracy {
namespace {

using std::chrono::seconds;

constexpr std::size_t kReportedClients = 4;  // of a large cluster
constexpr int kRecordingLevel = 9;

// Every stream of random numbers of a run comes from this.
std::uint64_t SeedOf(const RunKey& key) {
  const auto fault = key.fault ? static_cast<std::uint64_t>(*key.fault) + 1 : 0;
  return ((key.servers * 8 + static_cast<std::uint64_t>(key.workload)) * 8 + fault) * 1000 +
         key.seed;
}

std::size_t FaultyServer(const RunKey& key) {
  if (key.placement == simulator::Placement::kHalf) {
    // One that holds files: a fault of the others nobody feels.
    return (SeedOf(key) + key.seed % ((key.servers + 1) / 2)) % key.servers;
  }
  return (key.seed * 7 + 3) % key.servers;
}

std::size_t SecondServer(const RunKey& key) {
  return (FaultyServer(key) + 1 + key.seed % (key.servers - 1)) % key.servers;
}
constexpr simulator::Seconds kSecondStart{200};
constexpr simulator::Seconds kSecondEnd{500};
constexpr simulator::Seconds kHandoverEnd{590};

void Check(const std::vector<Event>& events, const OnEvent& on_event) {
  for (const auto& event : events) {
    on_event(event);
  }
}

}  // namespace

std::string Describe(const RunKey& key) {
  return fmt::format("{} servers, {}, {}, seed {}", key.servers, simulator::Name(key.workload),
                     key.fault ? simulator::Name(*key.fault) : "no fault", key.seed);
}

simulator::ClusterSpec ClusterOf(const RunKey& key) {
  return {
      .servers = key.servers, .clients = key.clients, .seed = key.servers + 1000 * key.hardware};
}

simulator::RunSpec SpecOf(const RunKey& key) {
  simulator::RunSpec spec{.workload = key.workload,
                          .seed = SeedOf(key),
                          .seconds = key.seconds,
                          .placement = key.placement,
                          .injections = {},
                          .background = key.background};
  for (std::size_t i = 0; key.fault && i < key.sick; ++i) {
    const auto server = (FaultyServer(key) + i) % key.servers;
    for (const auto& one : Injections(key.circumstance, {.fault = *key.fault,
                                                        .server = server,
                                                        .start = key.fault_start,
                                                        .end = key.fault_end,
                                                        .strength = key.strength})) {
      spec.injections.push_back(one);
    }
  }
  if (key.also) {
    // Overlaps with the other one, and outlasts it.
    simulator::Injection second{
        .fault = *key.also, .server = SecondServer(key), .start = kSecondStart, .end = kSecondEnd};
    if (key.circumstance == Circumstance::kHandover) {
      second.start = simulator::Injection().end;
      second.end = kHandoverEnd;
    }
    spec.injections.push_back(second);
  }
  return spec;
}

// Runs begin anywhere in the time between two window ends.
simulator::PageOptions PagesOf(const RunKey& key) {
  return {.start = UnixFromSeconds(1'700'000'000 + static_cast<std::int64_t>(key.seed * 11 % 32)),
          .reported_clients = key.servers > 20 ? kReportedClients : 10,
          .segments = key.segments,
          .node_exporter = key.node_exporter,
          .seed = key.servers};
}

PresetSettings TestbenchUnderTest() { return TestbenchPreset(); }
PresetSettings ProductionUnderTest() {
  auto preset = ProductionPreset();
  preset.step = seconds(1);
  return preset;
}

PresetSettings Named(PresetSettings preset, std::string name) {
  preset.name = std::move(name);
  return preset;
}

std::vector<PeerGroupRule> PeerGroups() {
  return {{.name = "io", .kind = GroupKind::kStorage, .roles = {"io"}, .device = "^sd"},
          {.name = "io-net", .kind = GroupKind::kNetwork, .roles = {"io"}, .device = "^eth"},
          {.name = "io-cwnd",
           .kind = GroupKind::kCwnd,
           .roles = {"io"},
           .ports = {static_cast<std::uint16_t>(simulator::kFileSystemPort)}}};
}

PipelineView RunThrough(const RunKey& key, const PipelineConfig& config, const OnEvent& on_event) {
  const auto spec = ClusterOf(key);
  simulator::Cluster cluster(spec, SpecOf(key));
  simulator::Pages pages(spec, PagesOf(key));
  Pipeline pipeline(config);
  // A healthy server, wherever there is one: what it meets must not be taken for a fault.
  Disturbance disturbance(key.circumstance, SecondServer(key), key.seed);
  while (const auto* snapshot = cluster.NextSecond()) {
    if (snapshot->second % key.interval != 0) {
      continue;
    }
    UnixTime now{};
    for (std::size_t node = 0; node < pages.size(); ++node) {
      const auto* read = disturbance.Read(*snapshot, node);
      if (read == nullptr) {
        continue;
      }
      const auto page = pages.Render(*read, node);
      const auto stats = pipeline.Ingest({.source = page.node,
                                          .node = page.node,
                                          .role = page.role,
                                          .labels = {},
                                          .at = disturbance.Clock(page.at, node),
                                          .text = page.text});
      if (!stats) {
        throw std::runtime_error(stats.error().Text());
      }
      now = std::max(now, page.at);
    }
    Check(pipeline.Advance(now), on_event);
  }
  Check(pipeline.Finish(), on_event);
  return pipeline.View();
}

RunResult Diagnose(const RunKey& key, const PipelineConfig& config) {
  RunResult result{.key = key,
                   .faulty = {},
                   .second = {},
                   .sick = {},
                   .indictments = {},
                   .storms = {},
                   .false_alarms = {}};
  const auto options = PagesOf(key);
  for (const auto& injection : SpecOf(key).injections) {
    result.sick.push_back(simulator::Pages(ClusterOf(key), options).ServerName(injection.server));
  }
  if (key.fault) {
    result.faulty = simulator::Pages(ClusterOf(key), options).ServerName(FaultyServer(key));
  }
  if (key.also) {
    result.second = simulator::Pages(ClusterOf(key), options).ServerName(SecondServer(key));
  }
  const auto view = RunThrough(key, config, [&](const Event& event) {
    const auto* verdict = std::get_if<VerdictEvent>(&event);
    if (verdict != nullptr && !verdict->secondary) {
      result.indictments.push_back({.preset = verdict->preset,
                                    .at = ToSeconds(verdict->end - options.start),
                                    .node = verdict->node,
                                    .cause = verdict->cause,
                                    .degree = verdict->degree});
    }
    if (const auto* storm = std::get_if<StormEvent>(&event)) {
      result.storms.push_back(*storm);
    }
  });
  result.false_alarms = view.false_alarms;
  return result;
}

std::string Recording(const RunKey& key) {
  const auto spec = ClusterOf(key);
  auto options = PagesOf(key);
  options.recording = true;
  simulator::Cluster cluster(spec, SpecOf(key));
  simulator::Pages pages(spec, options);
  ZstdWriter writer(kRecordingLevel);
  auto bytes = writer.Write(simulator::Pages::Header());
  while (const auto* snapshot = cluster.NextSecond()) {
    for (std::size_t node = 0; node < pages.size(); ++node) {
      bytes += writer.Write(pages.Render(*snapshot, node).text);
    }
    if (snapshot->second % 60 == 0) {
      bytes += writer.EndFrame();
    }
  }
  bytes += writer.Write("# EOF\n");
  return bytes + writer.EndFrame();
}

}  // namespace limpet::accuracy
