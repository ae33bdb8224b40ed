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

void Check(const std::vector<Event>& events, double said, const OnEvent& on_event) {
  for (const auto& event : events) {
    on_event(event, said);
  }
}

// Pages on their way into the pipeline.
class Feed {
 public:
  Feed(const RunKey& key, const PipelineConfig& config)
      : key_(key), start_(PagesOf(key).start), pipeline_(config) {}

  void Take(const simulator::Pages::Page& page, UnixTime at) {
    held_.push_back({.node = std::string(page.node),
                     .role = std::string(page.role),
                     .text = std::string(page.text),
                     .read = page.at,
                     .at = at});
  }
  // A store shows at each step of its grid, `store_lag` later, the newest page before it.
  [[nodiscard]] std::vector<Event> Advance(std::size_t second) {
    const auto now = start_ + seconds(second);
    if (key_.store_lag &&
        (now - seconds(*key_.store_lag)).time_since_epoch() % seconds(key_.interval) !=
            Duration::zero()) {
      return {};
    }
    UnixTime newest{};
    std::vector<Held> later;
    for (auto& one : held_) {
      if (key_.store_lag && one.read > now - seconds(*key_.store_lag)) {
        later.push_back(std::move(one));
      } else {
        Ingest(one);
        newest = std::max(newest, one.read);
      }
    }
    held_ = std::move(later);
    return newest == UnixTime{} ? std::vector<Event>() : pipeline_.Advance(newest);
  }
  [[nodiscard]] Pipeline& Get() { return pipeline_; }

 private:
  struct Held {
    std::string node;
    std::string role;
    std::string text;
    UnixTime read;
    UnixTime at;  // by the node's own clock
  };
  void Ingest(const Held& one) {
    const auto stats = pipeline_.Ingest({.source = one.node,
                                         .node = one.node,
                                         .role = one.role,
                                         .labels = {},
                                         .at = one.at,
                                         .text = one.text});
    if (!stats) {
      throw std::runtime_error(stats.error().Text());
    }
  }

  RunKey key_;
  UnixTime start_;
  Pipeline pipeline_;
  std::vector<Held> held_;
};

}  // namespace

std::string Describe(const RunKey& key) {
  return fmt::format("{} servers, {}, {}, seed {}", key.servers, simulator::Name(key.workload),
                     key.fault ? simulator::Name(*key.fault) : "no fault", key.seed);
}

simulator::ClusterSpec ClusterOf(const RunKey& key) {
  return {.servers = key.servers,
          .clients = key.clients,
          .seed = key.servers + 1000 * key.hardware,
          .older_factor = key.older_factor,
          .cached = key.cached,
          .cached_first = key.cached_first};
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
  Feed feed(key, config);
  // A healthy server, wherever there is one: what it meets must not be taken for a fault.
  Disturbance disturbance(key.circumstance, SecondServer(key), key.seed);
  double said = 0;
  while (const auto* snapshot = cluster.NextSecond()) {
    const bool scraped = snapshot->second % key.interval == 0;
    for (std::size_t node = 0; scraped && node < pages.size(); ++node) {
      if (const auto* read = disturbance.Read(*snapshot, node)) {
        const auto page = pages.Render(*read, node);
        feed.Take(page, disturbance.Clock(page.at, node));
      }
    }
    said = static_cast<double>(snapshot->second);
    Check(feed.Advance(snapshot->second), said, on_event);
  }
  Check(feed.Get().Finish(), said, on_event);
  return feed.Get().View();
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
  const auto view = RunThrough(key, config, [&](const Event& event, double said) {
    const auto* verdict = std::get_if<VerdictEvent>(&event);
    if (verdict != nullptr && !verdict->secondary) {
      result.indictments.push_back({.preset = verdict->preset,
                                    .at = ToSeconds(verdict->end - options.start),
                                    .said = said,
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
