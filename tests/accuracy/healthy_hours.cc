#include <fmt/format.h>

#include <array>
#include <chrono>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/pipeline/pipeline.h"
#include "tests/accuracy/drive_pages.h"
#include "tests/accuracy/pool.h"
#include "tests/accuracy/step_table.h"
#include "tests/simulator/drives.h"
#include "tests/simulator/random.h"

namespace limpet::accuracy {
namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::size_t kHosts = 8;
constexpr std::int64_t kDays = 10;
constexpr std::uint32_t kLasting = 10;
constexpr double kStrong = 3;
constexpr UnixTime kStart = UnixFromSeconds(1'699'920'000);  // midnight

std::int64_t Between(simulator::Random& random, double least, double most) {
  return static_cast<std::int64_t>(random.Uniform(least, most));
}

// A busier drive also waits longer for itself.
void AddLoad(std::size_t host, std::size_t drive, double load, std::int64_t from,
             std::int64_t length, simulator::DrivesSpec& spec) {
  spec.changes.push_back({.host = host,
                          .drive = drive,
                          .latency = 1 + 0.2 * (load - 1),
                          .load = load,
                          .from = from,
                          .to = from + length});
}

simulator::DrivesSpec SpecOf(std::int64_t step, std::int64_t hours, std::uint64_t seed) {
  simulator::DrivesSpec spec{.hosts = kHosts,
                             .unlike = 0.05,
                             .uneven = 0.1,
                             .busy_time = seed % 3 == 0   ? simulator::BusyTime::kRandom
                                          : seed % 3 == 1 ? simulator::BusyTime::kKernel
                                                          : simulator::BusyTime::kDevice,
                             .step = step,
                             .seed = seed + 5000,
                             .changes = {}};
  simulator::Random random(seed * 17 + 3);
  for (std::size_t host = 0; host < kHosts; ++host) {
    for (std::int64_t at = Between(random, 0, kHour); at < hours * kHour; at += kHour) {
      // An hourly job reads a little of every drive for some minutes.
      const auto length = Between(random, 60, 300);
      for (std::size_t drive = 0; drive < spec.drives; ++drive) {
        AddLoad(host, drive, 1.5, at, length, spec);
      }
      if (random.Chance(0.25)) {  // somebody's burst on one
        AddLoad(host, random.Below(spec.drives), random.Uniform(1.5, 3.0),
                at + Between(random, 0, kHour), Between(random, 60, 600), spec);
      }
    }
    for (std::int64_t day = 0; day < hours * kHour; day += kDay) {
      // A backup takes the drives in turn.
      auto at = day + Between(random, kHour, 4 * kHour);
      for (std::size_t drive = 0; drive < spec.drives; ++drive) {
        const auto length = Between(random, 300, 900);
        AddLoad(host, drive, 1.5, at, length, spec);
        at += length;
      }
    }
  }
  return spec;
}

// One host a day is away for some minutes; its counters begin anew.
class Reboots {
 public:
  explicit Reboots(std::uint64_t seed) : random_(seed * 13 + 1) { Plan(0); }

  // Whether the host is away at `second`; calls `back` when it is again.
  template <class Back>
  bool IsAway(std::size_t host, std::int64_t second, const Back& back) {
    if (host != host_ || second < from_) {
      return false;
    }
    if (second < to_) {
      return true;
    }
    back();
    Plan(to_ / kDay + 1);
    return false;
  }

 private:
  void Plan(std::int64_t day) {
    host_ = random_.Below(kHosts);
    from_ = day * kDay + Between(random_, 0, kDay - kHour);
    to_ = from_ + Between(random_, 120, 600);
  }

  simulator::Random random_;
  std::size_t host_ = 0;
  std::int64_t from_ = 0;
  std::int64_t to_ = 0;
};

struct Seen {
  HealthyHours hours;
  std::set<std::string> lasting;
};

void Take(const Event& event, Seen& seen) {
  if (const auto* verdict = std::get_if<VerdictEvent>(&event);
      verdict != nullptr && !verdict->secondary) {
    ++seen.hours.verdicts;
    for (const auto& evidence : verdict->evidence) {
      if (evidence.mean && evidence.peer_median &&
          *evidence.mean >= kStrong * *evidence.peer_median) {
        ++seen.hours.strong;
        break;
      }
    }
  }
  if (const auto* window = std::get_if<WindowEvent>(&event)) {
    for (const auto& one : window->components) {
      if (window->metric == "await" && one.accumulator >= kLasting) {
        seen.lasting.insert(one.component);
      }
    }
  }
}

}  // namespace

HealthyHours WatchHealthyHosts(std::int64_t step, std::int64_t hours, std::uint64_t seed) {
  Seen seen;
  PipelineConfig config{.presets = WithScales(DefaultPresetFor(std::chrono::seconds(step))),
                        .groups = {}};
  config.groups = {{.name = "drives", .per_node = true}};
  config.limits.future = std::chrono::seconds(2 * step);
  simulator::Drives drives(SpecOf(step, hours, seed));
  Reboots reboots(seed);
  Pipeline pipeline(config);
  while (drives.Second() < hours * kHour) {
    drives.Next();
    const auto at = kStart + std::chrono::seconds(drives.Second());
    for (std::size_t host = 0; host < kHosts; ++host) {
      if (reboots.IsAway(host, drives.Second(), [&] { drives.Restart(host); })) {
        continue;
      }
      IngestHost(drives, host, at, pipeline);
    }
    for (const auto& event : pipeline.Advance(at)) {
      Take(event, seen);
    }
  }
  seen.hours.server_hours = static_cast<double>(kHosts) * static_cast<double>(hours);
  seen.hours.lasting = seen.lasting.size();
  return seen.hours;
}

std::string HealthyTable(const ScenarioSpec& spec, const Progress& progress) {
  constexpr std::array<std::int64_t, 3> kSteps = {15, 30, 60};
  std::vector<std::pair<std::int64_t, std::uint64_t>> runs;
  std::vector<std::int64_t> steps;
  for (std::size_t i = 0; i < kSteps.size(); ++i) {
    if (spec.Wants(i)) {
      steps.push_back(kSteps[i]);
    }
  }
  for (const auto step : steps) {
    for (auto seed = spec.first_seed; seed < spec.first_seed + spec.seeds; ++seed) {
      runs.emplace_back(step, seed);
    }
  }
  const auto results = MapAll(
      runs, spec.threads,
      [](const auto& run) { return WatchHealthyHosts(run.first, kDays * 24, run.second); },
      [&](std::size_t done) { progress(done, runs.size()); });
  std::string text =
      "| step | server-hours | verdicts | of three times the peers' or more | drives that last |\n"
      "|---|---|---|---|---|\n";
  for (std::size_t step = 0; step < steps.size(); ++step) {
    HealthyHours all;
    for (std::size_t i = 0; i < spec.seeds; ++i) {
      const auto& one = results[step * spec.seeds + i];
      all.server_hours += one.server_hours;
      all.verdicts += one.verdicts;
      all.strong += one.strong;
      all.lasting += one.lasting;
    }
    text += fmt::format("| {} s | {:.0f} | {} | {} | {} |\n", steps[step], all.server_hours,
                        all.verdicts, all.strong, all.lasting);
  }
  return text;
}

}  // namespace limpet::accuracy
