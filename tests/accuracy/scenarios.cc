#include "tests/accuracy/scenarios.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "tests/accuracy/circumstance.h"
#include "tests/accuracy/one_run.h"
#include "tests/accuracy/pool.h"

namespace limpet::accuracy {
namespace {

using simulator::Fault;

// Of each cause one fault.
constexpr std::array kCauseFaults = {Fault::kDiskHog, Fault::kDiskBusy, Fault::kReadNetworkHog,
                                     Fault::kReceivePktloss};

struct Named {
  std::optional<double> delay;  // s, with the right cause
  bool kept = false;            // in nine of ten verdict times from then to the fault's end
};

// Verdict times are those at which anybody was looked at: every one of `ends`.
Named FindNamed(const RunResult& run, const std::string& node, const simulator::Injection& fault,
                const std::set<double>& ends) {
  std::set<double> right;
  for (const auto& one : run.indictments) {
    if (one.node == node && Name(one.cause) == simulator::CauseOf(fault.fault) &&
        one.at >= fault.start.count() && one.at <= fault.end.count()) {
      right.insert(one.at);
    }
  }
  if (right.empty()) {
    return {};
  }
  const auto during =
      std::distance(ends.lower_bound(*right.begin()), ends.upper_bound(fault.end.count()));
  return {.delay = *right.begin() - fault.start.count(),
          .kept = static_cast<double>(right.size()) >= 0.9 * static_cast<double>(during)};
}

struct Tally {
  std::size_t runs = 0;
  std::size_t wrong = 0;  // runs in which a healthy server was indicted
  std::size_t faults = 0;
  std::size_t named = 0;
  std::size_t kept = 0;
  std::size_t halves = 0;  // runs in which a storm said that half of a group may be sick
  std::size_t blamed = 0;  // runs in which a storm named mostly healthy servers
  std::vector<double> delays;
  std::map<std::string, std::size_t> mistakes;
};

std::set<double> VerdictTimes(const PresetSettings& fastest) {
  std::set<double> ends;
  // Windows end at multiples of the shift since 1970, runs begin anywhere between: a fault's last
  // half shift does not matter here.
  const double shift = ToSeconds(fastest.Shift());
  for (double at = shift; at <= 600; at += shift) {
    ends.insert(at);
  }
  return ends;
}

// A fault that comes and goes at one server is one fault.
std::vector<simulator::Injection> JoinFlaps(const std::vector<simulator::Injection>& all) {
  std::vector<simulator::Injection> joined;
  for (const auto& one : all) {
    if (!joined.empty() && joined.back().server == one.server && joined.back().fault == one.fault) {
      joined.back().end = one.end;
    } else {
      joined.push_back(one);
    }
  }
  return joined;
}

bool NamesTheHealthy(const StormEvent& storm, const std::vector<std::string>& sick) {
  const auto healthy = std::ranges::count_if(storm.components, [&](const std::string& component) {
    return std::ranges::find(sick, component.substr(0, component.find('/'))) == sick.end();
  });
  return 2 * static_cast<std::size_t>(healthy) > storm.components.size();
}

void Add(const RunResult& run, const ScenarioSpec& spec, Tally& tally) {
  ++tally.runs;
  const auto injections = JoinFlaps(SpecOf(run.key).injections);
  std::set<std::string> wrong;
  for (const auto& one : run.indictments) {
    if (std::ranges::find(run.sick, one.node) == run.sick.end()) {
      wrong.insert(Name(one.cause));
    }
  }
  const bool half = std::ranges::any_of(
      run.storms, [](const StormEvent& storm) { return storm.half || storm.either_side; });
  tally.halves += half ? 1U : 0U;
  const bool blamed = std::ranges::any_of(
      run.storms, [&](const StormEvent& storm) { return NamesTheHealthy(storm, run.sick); });
  tally.blamed += blamed ? 1U : 0U;
  tally.wrong += wrong.empty() ? 0U : 1U;
  for (const auto& cause : wrong) {
    ++tally.mistakes[cause];
  }
  const auto ends =
      VerdictTimes(spec.presets.back().Shift() < spec.presets.front().Shift()
                       ? *std::ranges::min_element(spec.presets, {}, &PresetSettings::Shift)
                       : spec.presets.front());
  const simulator::Pages pages(ClusterOf(run.key), PagesOf(run.key));
  for (const auto& injection : injections) {
    const auto found = FindNamed(run, pages.ServerName(injection.server), injection, ends);
    ++tally.faults;
    tally.named += found.delay ? 1U : 0U;
    tally.kept += found.kept ? 1U : 0U;
    if (found.delay) {
      tally.delays.push_back(*found.delay);
    }
  }
}

std::string Row(const std::string& name, Tally tally) {
  std::sort(tally.delays.begin(), tally.delays.end());
  std::string mistakes;
  for (const auto& [cause, count] : tally.mistakes) {
    mistakes += fmt::format("{}{} {}", mistakes.empty() ? "" : ", ", count, cause);
  }
  const auto at = [&](double part) {
    return tally.delays.empty()
               ? std::string("-")
               : fmt::format("{:.0f}", tally.delays[static_cast<std::size_t>(
                                           part * static_cast<double>(tally.delays.size() - 1))]);
  };
  return fmt::format("| {} | {} | {} | {} of {} | {} | {} | {} | {} | {} | {} |\n", name,
                     tally.runs, tally.wrong, tally.named, tally.faults, tally.kept, at(0.5), at(1),
                     tally.halves, tally.blamed, mistakes);
}

constexpr const char* kHead =
    "| runs | number | healthy server indicted | faults named | kept | median s | latest s | "
    "said: half | storm names the healthy | as |\n"
    "|---|---|---|---|---|---|---|---|---|---|\n";

std::string Table(const ScenarioSpec& spec, const std::vector<std::pair<std::string, RunKey>>& runs,
                  const Progress& progress) {
  const PipelineConfig config{.presets = spec.presets, .groups = PeerGroups()};
  std::vector<RunKey> keys;
  for (const auto& [name, key] : runs) {
    keys.push_back(key);
  }
  const auto results = MapAll(
      keys, spec.threads, [&](const RunKey& key) { return Diagnose(key, config); },
      [&](std::size_t done) { progress(done, keys.size()); });
  std::vector<std::string> order;
  std::map<std::string, Tally> tallies;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!tallies.contains(runs[i].first)) {
      order.push_back(runs[i].first);
    }
    Add(results[i], spec, tallies[runs[i].first]);
  }
  std::string text = kHead;
  for (const auto& name : order) {
    text += Row(name, tallies[name]);
  }
  return text;
}

}  // namespace

std::string PlacementTable(const ScenarioSpec& spec, const Progress& progress) {
  std::vector<std::pair<std::string, RunKey>> runs;
  for (const auto placement :
       {simulator::Placement::kHalf, simulator::Placement::kOne, simulator::Placement::kHeavy}) {
    for (std::size_t kind = 0; kind <= kCauseFaults.size(); ++kind) {
      const auto fault = kind == 0 ? std::nullopt : std::optional<Fault>(kCauseFaults[kind - 1]);
      for (std::uint64_t seed = 1; seed <= spec.seeds; ++seed) {
        const auto workload = simulator::kWorkloads[seed % 4];  // all but postmark: small files
        RunKey key{.servers = spec.servers, .workload = workload, .fault = fault, .seed = seed};
        key.placement = placement;
        key.clients = placement == simulator::Placement::kOne ? 12 : 4;
        runs.emplace_back(fmt::format("{}, {}", simulator::Name(placement),
                                      fault ? simulator::Name(*fault) : "no fault"),
                          key);
      }
    }
  }
  return Table(spec, runs, progress);
}

std::string FaultTable(const ScenarioSpec& spec, const Progress& progress) {
  std::vector<std::pair<std::string, RunKey>> runs;
  for (std::size_t kind = 0; kind <= simulator::kFaults.size(); ++kind) {
    const auto fault =
        kind == 0 ? std::nullopt : std::optional<Fault>(simulator::kFaults[kind - 1]);
    for (const auto workload : simulator::kWorkloads) {
      for (std::uint64_t seed = 1; seed <= spec.seeds; ++seed) {
        runs.emplace_back(
            fault ? simulator::Name(*fault) : "no fault",
            RunKey{.servers = spec.servers, .workload = workload, .fault = fault, .seed = seed});
      }
    }
  }
  return Table(spec, runs, progress);
}

std::string PairTable(const ScenarioSpec& spec, const Progress& progress) {
  std::vector<std::pair<std::string, RunKey>> runs;
  for (const auto first : kCauseFaults) {
    for (const auto second : kCauseFaults) {
      for (std::uint64_t seed = 1; seed <= spec.seeds; ++seed) {
        RunKey key{.servers = spec.servers,
                   .workload = simulator::kWorkloads[seed % simulator::kWorkloads.size()],
                   .fault = first,
                   .seed = seed};
        key.also = second;
        runs.emplace_back(
            fmt::format("{}, then {}", simulator::Name(first), simulator::Name(second)), key);
      }
    }
  }
  return Table(spec, runs, progress);
}

std::string HalfTable(const ScenarioSpec& spec, const Progress& progress) {
  constexpr std::array<std::pair<std::size_t, std::size_t>, 3> kShares = {
      {{6, 12}, {7, 12}, {2, 4}}};
  std::vector<std::pair<std::string, RunKey>> runs;
  for (const auto& [sick, servers] : kShares) {
    for (const auto fault : kCauseFaults) {
      for (std::uint64_t seed = 1; seed <= spec.seeds; ++seed) {
        RunKey key{.servers = servers,
                   .workload = simulator::kWorkloads[seed % simulator::kWorkloads.size()],
                   .fault = fault,
                   .seed = seed};
        key.sick = sick;
        runs.emplace_back(fmt::format("{} of {}, {}", sick, servers, simulator::Name(fault)), key);
      }
    }
  }
  return Table(spec, runs, progress);
}

std::string CircumstanceTable(const ScenarioSpec& spec, const Progress& progress) {
  std::vector<std::pair<std::string, RunKey>> runs;
  for (const auto circumstance : kCircumstances) {
    // Without a fault only where something happens to the readings themselves.
    const bool readings = circumstance >= Circumstance::kRestart;
    for (std::size_t kind = readings ? 0 : 1; kind <= kCauseFaults.size(); ++kind) {
      for (std::uint64_t seed = 1; seed <= spec.seeds; ++seed) {
        RunKey key{.servers = spec.servers,
                   .workload = simulator::kWorkloads[seed % simulator::kWorkloads.size()],
                   .fault = kind == 0 ? std::nullopt : std::optional(kCauseFaults[kind - 1]),
                   .seed = seed};
        key.circumstance = circumstance;
        if (circumstance == Circumstance::kHandover) {
          key.also = kCauseFaults[(kind + seed) % kCauseFaults.size()];
        }
        runs.emplace_back(fmt::format("{}, {}", Name(circumstance),
                                      key.fault ? simulator::Name(*key.fault) : "no fault"),
                          key);
      }
    }
  }
  return Table(spec, runs, progress);
}

std::string BudgetTable(const ScenarioSpec& spec, const Progress& progress) {
  constexpr std::size_t kSeconds = 6 * 3600;
  const PipelineConfig config{.presets = spec.presets, .groups = PeerGroups()};
  std::vector<RunKey> keys;
  for (const auto workload : simulator::kWorkloads) {
    for (std::uint64_t seed = 1; seed <= spec.seeds; ++seed) {
      RunKey key{.servers = spec.servers, .workload = workload, .fault = {}, .seed = seed};
      key.seconds = kSeconds;
      keys.push_back(key);
    }
  }
  const auto results = MapAll(
      keys, spec.threads, [&](const RunKey& key) { return Diagnose(key, config); },
      [&](std::size_t done) { progress(done, keys.size()); });
  std::string text =
      "| workload | server-days | runs with an indictment | expected a day and group, median | "
      "upper "
      "end, median |\n|---|---|---|---|---|\n";
  for (const auto workload : simulator::kWorkloads) {
    std::size_t wrong = 0;
    std::vector<double> rates;
    std::vector<double> uppers;
    for (const auto& run : results) {
      if (run.key.workload == workload) {
        wrong += run.indictments.empty() ? 0U : 1U;
        for (const auto& one : run.false_alarms) {
          rates.push_back(one.rate.per_day);
          uppers.push_back(one.rate.Bound());
        }
      }
    }
    std::ranges::sort(rates);
    std::ranges::sort(uppers);
    text += fmt::format("| {} | {:.1f} | {} | {:.4f} | {:.4f} |\n", simulator::Name(workload),
                        static_cast<double>(spec.seeds * spec.servers * kSeconds) / 86400, wrong,
                        rates.empty() ? 0 : rates[rates.size() / 2],
                        uppers.empty() ? 0 : uppers[uppers.size() / 2]);
  }
  return text;
}

}  // namespace limpet::accuracy
