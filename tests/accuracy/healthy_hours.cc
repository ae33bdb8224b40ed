#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/pipeline/pipeline.h"
#include "tests/accuracy/alert_rules.h"
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
constexpr std::int64_t kSettling = 1800;                     // after a reboot
constexpr UnixTime kStart = UnixFromSeconds(1'699'920'000);  // midnight

std::int64_t Between(simulator::Random& random, double least, double most) {
  return static_cast<std::int64_t>(random.Uniform(least, most));
}

// Something that happens to a host or to one of its drives.
struct Happening {
  const char* name;
  std::size_t host = 0;
  std::optional<std::size_t> drive;  // nullopt: all alike
  double more = 0;                   // of its usual load
  std::int64_t from = 0;
  std::int64_t to = 0;
};
constexpr const char* kCron = "cron job";
constexpr const char* kBackup = "backup";
constexpr const char* kBurst = "burst on one drive";
constexpr const char* kReboot = "reboot";
constexpr const char* kSwing = "load alone";

struct Story {
  simulator::DrivesSpec spec;
  std::vector<Happening> all;
};

// A busier drive also waits longer for itself.
void AddLoad(const Happening& happening, Story& story) {
  for (std::size_t drive = 0; drive < story.spec.drives; ++drive) {
    if (!happening.drive || *happening.drive == drive) {
      story.spec.changes.push_back({.host = happening.host,
                                    .drive = drive,
                                    .latency = 1 + 0.2 * happening.more,
                                    .load = 1 + happening.more,
                                    .from = happening.from,
                                    .to = happening.to});
    }
  }
  story.all.push_back(happening);
}

void AddHourlyJobs(std::size_t host, std::int64_t hours, simulator::Random& random, Story& story) {
  for (std::int64_t at = Between(random, 0, kHour); at < hours * kHour; at += kHour) {
    // It reads a little of every drive for some minutes.
    const auto length = Between(random, 60, 300);
    AddLoad({.name = kCron, .host = host, .more = 0.5, .from = at, .to = at + length}, story);
    if (random.Chance(0.25)) {
      const auto drive = random.Below(story.spec.drives);
      const double more = random.Uniform(1.5, 3.0) - 1;
      const auto from = at + Between(random, 0, kHour);
      AddLoad({.name = kBurst,
               .host = host,
               .drive = drive,
               .more = more,
               .from = from,
               .to = from + Between(random, 60, 600)},
              story);
    }
  }
}

// They take the drives in turn.
void AddBackups(std::size_t host, std::int64_t hours, simulator::Random& random, Story& story) {
  for (std::int64_t day = 0; day < hours * kHour; day += kDay) {
    auto at = day + Between(random, kHour, 4 * kHour);
    for (std::size_t drive = 0; drive < story.spec.drives; ++drive) {
      const auto length = Between(random, 300, 900);
      AddLoad({.name = kBackup,
               .host = host,
               .drive = drive,
               .more = 0.5,
               .from = at,
               .to = at + length},
              story);
      at += length;
    }
  }
}

Story StoryOf(std::int64_t step, std::int64_t hours, std::uint64_t seed) {
  Story story{.spec = {.hosts = kHosts,
                       .unlike = 0.05,
                       .uneven = 0.1,
                       .busy_time = seed % 3 == 0   ? simulator::BusyTime::kRandom
                                    : seed % 3 == 1 ? simulator::BusyTime::kKernel
                                                    : simulator::BusyTime::kDevice,
                       .step = step,
                       .seed = seed + 5000,
                       .changes = {}},
              .all = {}};
  simulator::Random random(seed * 17 + 3);
  for (std::size_t host = 0; host < kHosts; ++host) {
    AddHourlyJobs(host, hours, random, story);
    AddBackups(host, hours, random, story);
  }
  return story;
}

// One host a day is away for some minutes; its counters begin anew.
class Reboots {
 public:
  explicit Reboots(std::uint64_t seed) : random_(seed * 13 + 1) { Plan(0); }

  // Whether the host is away at `second`; calls `back` with when it went once it is there again.
  template <class Back>
  bool IsAway(std::size_t host, std::int64_t second, const Back& back) {
    if (host != host_ || second < from_) {
      return false;
    }
    if (second < to_) {
      return true;
    }
    back(from_);
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

std::int64_t SecondOf(UnixTime at) {
  return std::chrono::duration_cast<std::chrono::seconds>(at - kStart).count();
}

// What may have made the evidence: what added most requests to its drive within the windows that
// the flag rests on; a reboot before anything.
const char* FindMaker(const Episode& episode, Duration window, const Story& story) {
  const auto& evidence = episode.leading;
  const auto ends = std::ranges::minmax_element(evidence.windows);
  const auto to = SecondOf(ends.max == evidence.windows.end() ? episode.from : *ends.max);
  const auto from =
      SecondOf((ends.min == evidence.windows.end() ? episode.from : *ends.min) - window);
  std::map<std::string_view, double> added;
  for (const auto& one : story.all) {
    const auto host = fmt::format("h{}", one.host);
    const auto drive = one.drive ? fmt::format("{}/sd{}", host, static_cast<char>('a' + *one.drive))
                                 : evidence.component;
    const auto overlap = std::min(to, one.to) - std::max(from, one.from);
    if (host == episode.node && drive == evidence.component && overlap > 0) {
      if (one.name == std::string_view(kReboot)) {
        return kReboot;
      }
      added[one.name] += one.more * static_cast<double>(overlap);
    }
  }
  const auto most = std::ranges::max_element(added, {}, [](const auto& one) { return one.second; });
  return most == added.end() ? kSwing : most->first.data();
}

void Count(const Episode& episode, const std::vector<PresetSettings>& presets, const Story& story,
           HealthyHours& hours) {
  const auto preset = std::ranges::find_if(presets, [&](const PresetSettings& one) {
    return one.scale_of.scale == episode.leading.scale;
  });
  const auto& settings = preset == presets.end() ? presets.front() : *preset;
  const auto window = settings.step * static_cast<Duration::rep>(settings.window);
  auto& alarm = hours.alarms[{Name(episode.cause), FindMaker(episode, window, story),
                              settings.IsScale() ? settings.scale_of.scale : "base"}];
  for (auto* all : {&alarm, &hours.all}) {
    all->pages += episode.told == Told::kPage ? 1U : 0U;
    all->warnings += episode.told == Told::kWarning ? 1U : 0U;
    all->indications += episode.told == Told::kIndication ? 1U : 0U;
  }
}

void Add(const HealthyHours& one, HealthyHours& all) {
  const auto add = [](const Alarm& from, Alarm& to) {
    to.pages += from.pages;
    to.warnings += from.warnings;
    to.indications += from.indications;
  };
  all.server_hours += one.server_hours;
  all.singled_out += one.singled_out;
  add(one.all, all.all);
  for (const auto& [key, alarm] : one.alarms) {
    add(alarm, all.alarms[key]);
  }
  for (const auto& [alert, count] : one.others) {
    all.others[alert] += count;
  }
}

std::string PrintOthers(const HealthyHours& hours) {
  std::string text;
  for (const auto& [alert, count] : hours.others) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, alert);
  }
  return text.empty() ? "none" : text;
}

}  // namespace

HealthyHours WatchHealthyHosts(std::int64_t step, std::int64_t hours, std::uint64_t seed) {
  PipelineConfig config{.presets = WithScales(DefaultPresetFor(std::chrono::seconds(step))),
                        .groups = {}};
  config.groups = {{.name = "drives", .per_node = true}};
  config.limits.future = std::chrono::seconds(2 * step);
  auto story = StoryOf(step, hours, seed);
  HealthyHours seen{.server_hours = static_cast<double>(kHosts) * static_cast<double>(hours)};
  seen.singled_out = static_cast<std::size_t>(
      std::ranges::count_if(story.all, [](const Happening& one) { return one.drive.has_value(); }));
  simulator::Drives drives(story.spec);
  Reboots reboots(seed);
  Pipeline pipeline(config);
  AlertRules rules(config.presets.front().name);
  while (drives.Second() < hours * kHour) {
    drives.Next();
    const auto at = kStart + std::chrono::seconds(drives.Second());
    for (std::size_t host = 0; host < kHosts; ++host) {
      const auto back = [&](std::int64_t from) {
        drives.Restart(host);
        story.all.push_back(
            {.name = kReboot, .host = host, .from = from, .to = drives.Second() + kSettling});
      };
      if (!reboots.IsAway(host, drives.Second(), back)) {
        IngestHost(drives, host, at, pipeline);
      }
    }
    rules.Evaluate(at, pipeline.Advance(at));
  }
  for (const auto& episode : rules.Finish()) {
    Count(episode, config.presets, story, seen);
  }
  for (const auto& one : rules.Others()) {
    ++seen.others[one.alert];
  }
  return seen;
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
      [&](const auto& run) { return WatchHealthyHosts(run.first, spec.days * 24, run.second); },
      [&](std::size_t done) { progress(done, runs.size()); });
  std::string text =
      "| step | server-hours | a drive singled out for 1 to 15 min | pages | warnings | "
      "indications only | other alerts |\n"
      "|---|---|---|---|---|---|---|\n";
  std::string by_kind =
      "\n| step | cause | made by | scale | pages | warnings | indications only |\n"
      "|---|---|---|---|---|---|---|\n";
  for (std::size_t step = 0; step < steps.size(); ++step) {
    HealthyHours all;
    for (std::size_t i = 0; i < spec.seeds; ++i) {
      Add(results[step * spec.seeds + i], all);
    }
    text += fmt::format("| {} s | {:.0f} | {} | {} | {} | {} | {} |\n", steps[step],
                        all.server_hours, all.singled_out, all.all.pages, all.all.warnings,
                        all.all.indications, PrintOthers(all));
    for (const auto& [key, alarm] : all.alarms) {
      by_kind += fmt::format("| {} s | {} | {} | {} | {} | {} | {} |\n", steps[step], key[0],
                             key[1], key[2], alarm.pages, alarm.warnings, alarm.indications);
    }
  }
  return text + by_kind;
}

}  // namespace limpet::accuracy
