#include "tests/accuracy/production_drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>
#include <variant>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/pipeline/pipeline.h"
#include "tests/accuracy/drive_pages.h"
#include "tests/accuracy/pool.h"
#include "tests/simulator/random.h"

namespace limpet::accuracy {
namespace {

using simulator::BusyTime;

constexpr std::int64_t kHour = 3600;
constexpr UnixTime kStart = UnixFromSeconds(1'699'920'000);
constexpr std::uint32_t kLasting = 10;    // what pages (config/prometheus/alerts.yml)
constexpr double kUsualLatency = 0.0112;  // s, of a simulated drive at its usual load

struct Kind {
  const char* text;
  BusyTime busy_time;
  double in_flight;
};
constexpr std::array kKinds = std::to_array<Kind>({
    {"little load", BusyTime::kDevice, 0.45},
    {"capped for slow drives", BusyTime::kKernel, 0.5},
    {"capped now and then", BusyTime::kKernel, 0.85},
    {"capped most of the time", BusyTime::kKernel, 1.3},
    {"capped always", BusyTime::kSaturated, 3},
    {"random arrivals", BusyTime::kRandom, 1},
    {"random arrivals", BusyTime::kRandom, 2},
    {"uncapped", BusyTime::kUncapped, 3},
    {"absent", BusyTime::kAbsent, 0.85},
});

std::string NameOf(std::size_t host, std::size_t drive) {
  return fmt::format("h{}/sd{}", host, static_cast<char>('a' + drive));
}

simulator::DrivesSpec DrivesOf(const FleetSpec& spec, std::set<std::string>& sick,
                               std::set<std::string>& passing) {
  simulator::DrivesSpec drives{.hosts = spec.hosts,
                               .requests = spec.in_flight / kUsualLatency,
                               .uneven = 0.05,
                               .busy_time = spec.busy_time,
                               .seed = spec.seed,
                               .changes = {}};
  simulator::Random random(spec.seed * 31 + 7);
  for (std::size_t host = 0; host < drives.hosts; ++host) {
    const auto slow = host == 0 ? drives.drives : random.Below(drives.drives);
    if (host > 0) {
      sick.insert(NameOf(host, slow));
      drives.changes.push_back(
          {.host = host, .drive = slow, .latency = random.Uniform(1.8, 4.0), .from = kHour});
    }
    for (std::size_t drive = 0; drive < drives.drives; ++drive) {
      if (drive != slow && random.Chance(1.0 / 40)) {
        const auto from =
            kHour + static_cast<std::int64_t>(random.Uniform() *
                                              static_cast<double>(spec.hours - 2) * 3600);
        passing.insert(NameOf(host, drive));
        drives.changes.push_back(
            {.host = host,
             .drive = drive,
             .latency = random.Uniform(1.6, 2.1),
             .from = from,
             .to = from + static_cast<std::int64_t>(random.Uniform(1200.0, 3000.0))});
      }
    }
  }
  return drives;
}

struct Seen {
  std::set<std::string> named;
  std::map<std::string, double> lasting;  // since when, s
};

void Take(const Event& event, Seen& seen) {
  if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
    for (const auto& evidence : verdict->evidence) {
      if (!verdict->secondary) {
        seen.named.insert(evidence.component);
      }
    }
  }
  if (const auto* window = std::get_if<WindowEvent>(&event)) {
    for (const auto& one : window->components) {
      if (window->metric == "await" && one.accumulator >= kLasting &&
          window->preset.find('/') == std::string::npos) {
        seen.lasting.emplace(one.component, ToSeconds(window->end - kStart));
      }
    }
  }
}

Seen Watch(const FleetSpec& spec, const simulator::DrivesSpec& drives_spec,
           const std::vector<PresetSettings>& presets) {
  Seen seen;
  PipelineConfig config{.presets = presets, .groups = {}};
  config.groups = {{.name = "drives", .per_node = true}};
  simulator::Drives drives(drives_spec);
  Pipeline pipeline(config);
  while (drives.Second() < spec.hours * kHour) {
    drives.Next();
    const auto at = kStart + std::chrono::seconds(drives.Second());
    for (std::size_t host = 0; host < drives_spec.hosts; ++host) {
      IngestHost(drives, host, at, pipeline);
    }
    for (const auto& event : pipeline.Advance(at)) {
      Take(event, seen);
    }
  }
  return seen;
}

void Add(const FleetResult& from, FleetResult& to) {
  to.sick += from.sick;
  to.sick_named += from.sick_named;
  to.sick_lasting += from.sick_lasting;
  to.healthy += from.healthy;
  to.healthy_named += from.healthy_named;
  to.healthy_lasting += from.healthy_lasting;
  to.passing += from.passing;
  to.passing_named += from.passing_named;
  to.passing_lasting += from.passing_lasting;
  to.hours.insert(to.hours.end(), from.hours.begin(), from.hours.end());
}

}  // namespace

FleetResult WatchFleet(const FleetSpec& spec, const std::vector<PresetSettings>& presets) {
  std::set<std::string> sick;
  std::set<std::string> passing;
  const auto drives = DrivesOf(spec, sick, passing);
  const auto seen = Watch(spec, drives, presets);
  FleetResult result{.sick = sick.size(),
                     .healthy = drives.hosts * drives.drives - sick.size() - passing.size(),
                     .passing = passing.size(),
                     .hours = {}};
  for (const auto& name : seen.named) {
    ++(sick.contains(name)      ? result.sick_named
       : passing.contains(name) ? result.passing_named
                                : result.healthy_named);
  }
  for (const auto& [name, at] : seen.lasting) {
    ++(sick.contains(name)      ? result.sick_lasting
       : passing.contains(name) ? result.passing_lasting
                                : result.healthy_lasting);
    if (sick.contains(name)) {
      result.hours.push_back((at - static_cast<double>(kHour)) / static_cast<double>(kHour));
    }
  }
  return result;
}

std::string FleetTable(const ScenarioSpec& spec, const Progress& progress) {
  const auto presets = WithScales(spec.at_15s);
  std::vector<Kind> kinds;
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (spec.Wants(i)) {
      kinds.push_back(kKinds[i]);
    }
  }
  std::vector<FleetSpec> fleets;
  for (const auto& kind : kinds) {
    for (auto seed = spec.first_seed; seed < spec.first_seed + spec.seeds; ++seed) {
      fleets.push_back({.busy_time = kind.busy_time, .in_flight = kind.in_flight, .seed = seed});
    }
  }
  const auto results = MapAll(
      fleets, spec.threads, [&](const FleetSpec& fleet) { return WatchFleet(fleet, presets); },
      [&](std::size_t done) { progress(done, fleets.size()); });
  std::string text =
      "| busy time | in flight | slow drives: by an accumulator of 10 | after, median and longest "
      "| by any verdict | healthy: by an accumulator of 10 | by any verdict | slow for half an "
      "hour: by an accumulator of 10 | by "
      "any verdict |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    FleetResult all;
    for (std::size_t i = 0; i < spec.seeds; ++i) {
      Add(results[kind * spec.seeds + i], all);
    }
    std::ranges::sort(all.hours);
    text += fmt::format(
        "| {} | {} | {} of {} | {} | {} | {} of {} | {} | {} of {} | {} |\n", kinds[kind].text,
        kinds[kind].in_flight, all.sick_lasting, all.sick,
        all.hours.empty()
            ? "-"
            : fmt::format("{:.1f} and {:.1f} h", all.hours[all.hours.size() / 2], all.hours.back()),
        all.sick_named, all.healthy_lasting, all.healthy, all.healthy_named, all.passing_lasting,
        all.passing, all.passing_named);
  }
  return text;
}

}  // namespace limpet::accuracy
