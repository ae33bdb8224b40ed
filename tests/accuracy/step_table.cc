#include "tests/accuracy/step_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "tests/accuracy/one_run.h"
#include "tests/accuracy/pool.h"

namespace limpet::accuracy {
namespace {

using simulator::Fault;

constexpr std::array<std::size_t, 7> kSteps = {1, 2, 5, 10, 15, 30, 60};
constexpr std::size_t kServers = 6;
constexpr std::size_t kBefore = 60;       // steps before the fault, and 300 s at least
constexpr std::size_t kShortest = 600;    // s that a fault lasts at least
constexpr std::size_t kStrongSteps = 60;  // for which a strong one lasts at least
constexpr std::size_t kWeakSteps = 420;   // and one that needs the preset's own windows
constexpr std::size_t kStoreLag = 15;     // s, as StoreSettings has it

struct Kind {
  const char* text;
  Fault fault;
  double strength = 0;
  std::size_t steps = kStrongSteps;
  std::optional<simulator::Workload> workload = std::nullopt;
};
constexpr std::array kKinds = std::to_array<Kind>({
    {"disk 6 times slower", Fault::kSlowDisk, 6},
    {"disk 3 times slower", Fault::kSlowDisk, 3},
    {"server whose disk is at 40 %", Fault::kSlowDisk, 2.5},
    {"disk 1.5 times slower", Fault::kSlowDisk, 1.5, kWeakSteps},
    {"disk hog", Fault::kDiskHog},
    {"network hog", Fault::kWriteNetworkHog},
    {"loss of 5 %, sent", Fault::kSendPktloss},
    {"loss of 5 %, received: acknowledgements", Fault::kReceivePktloss},
    {"loss of 5 %, received: data", Fault::kReceivePktloss, 0, kStrongSteps,
     simulator::Workload::kDdw},
});

struct Cell {
  std::size_t kind = 0;
  std::size_t step = 0;
  bool node_exporter = false;
  bool store = false;
  auto operator<=>(const Cell&) const = default;
};

RunKey KeyOf(const Cell& cell, std::uint64_t seed) {
  const auto& kind = kKinds[cell.kind];
  const auto from = std::max<std::size_t>(300, kBefore * cell.step);
  const auto to = from + std::max(kShortest, kind.steps * cell.step);
  RunKey key{.servers = kServers,
             // All but postmark: small files.
             .workload = kind.workload.value_or(simulator::kWorkloads[seed % 4]),
             .fault = kind.fault,
             .seed = seed};
  key.clients = 4;
  key.seconds = to;
  key.interval = cell.step;
  key.fault_start = simulator::Seconds(static_cast<double>(from));
  key.fault_end = simulator::Seconds(static_cast<double>(to));
  key.strength = kind.strength;
  key.segments = true;
  key.node_exporter = cell.node_exporter;
  if (cell.store) {
    key.store_lag = kStoreLag;
  }
  return key;
}

struct Outcome {
  std::size_t runs = 0;
  std::vector<double> after;  // s, of runs that named the faulty server
  std::size_t right = 0;      // with the fault's cause at first
  std::size_t healthy = 0;    // servers that were named wrongly
};

void Add(const RunResult& run, Outcome& outcome) {
  ++outcome.runs;
  std::set<std::string> healthy;
  std::optional<Indictment> first;
  for (const auto& one : run.indictments) {
    if (one.node != run.faulty) {
      healthy.insert(one.node);
    } else if (!first && one.at > run.key.fault_start.count()) {
      first = one;
    }
  }
  outcome.healthy += healthy.size();
  if (first) {
    outcome.after.push_back(first->said - run.key.fault_start.count());
    outcome.right += Name(first->cause) == simulator::CauseOf(*run.key.fault) ? 1U : 0U;
  }
}

std::string InMinutes(double seconds) {
  return seconds < 120 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.1f} min", seconds / 60);
}

std::string Text(Outcome outcome) {
  std::ranges::sort(outcome.after);
  const auto named = outcome.after.size();
  auto text = named == 0 ? std::string("not named") : InMinutes(outcome.after.front());
  if (named > 1 && text != InMinutes(outcome.after.back())) {
    text += " to " + InMinutes(outcome.after.back());
  }
  if (named > 0 && named < outcome.runs) {
    text += fmt::format(" ({} of {})", named, outcome.runs);
  }
  if (outcome.right < named) {
    text += fmt::format(", {} with another cause", named - outcome.right);
  }
  return outcome.healthy == 0 ? text : text + fmt::format(", {} healthy", outcome.healthy);
}

PipelineConfig ConfigFor(std::size_t step) {
  const auto spacing = std::chrono::seconds(step);
  PipelineConfig config{.presets = WithScales(DefaultPresetFor(spacing)), .groups = PeerGroups()};
  config.limits.future = std::max<Duration>(config.limits.future, 2 * spacing);
  return config;
}

using Cells = std::map<Cell, Outcome>;

std::vector<std::size_t> StepsOf(const ScenarioSpec& spec) {
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < kSteps.size(); ++i) {
    if (spec.Wants(i)) {
      steps.push_back(kSteps[i]);
    }
  }
  return steps;
}

std::string Row(std::size_t kind, bool node_exporter, std::span<const std::size_t> steps,
                const Cells& cells) {
  std::string text;
  for (const auto step : steps) {
    text +=
        " " + Text(cells.at({.kind = kind, .step = step, .node_exporter = node_exporter})) + " |";
  }
  return text;
}

// How much later the same is told from a store: the least and the most.
std::string LaterFromStore(std::size_t step, const Cells& cells) {
  std::vector<double> later;
  for (const auto& [cell, outcome] : cells) {
    auto stored = cell;
    stored.store = true;
    const auto& after = cells.at(stored).after;
    if (cell.step == step && !cell.store && !outcome.after.empty() &&
        after.size() == outcome.after.size()) {
      for (std::size_t i = 0; i < after.size(); ++i) {
        later.push_back(after[i] - outcome.after[i]);
      }
    }
  }
  if (later.empty()) {
    return " not named |";
  }
  const auto [least, most] = std::ranges::minmax(later);
  return least == most ? fmt::format(" {:.0f} s |", least)
                       : fmt::format(" {:.0f} to {:.0f} s |", least, most);
}

std::vector<std::pair<Cell, RunKey>> AllRuns(std::span<const std::size_t> steps,
                                             std::uint64_t seeds) {
  std::vector<std::pair<Cell, RunKey>> runs;
  // The longest first, so that no thread is left with one of them.
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
      for (const auto how : {0U, 1U, 2U, 3U}) {
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
          const Cell cell{.kind = kind,
                          .step = *step,
                          .node_exporter = (how & 1U) != 0,
                          .store = (how & 2U) != 0};
          runs.emplace_back(cell, KeyOf(cell, seed));
        }
      }
    }
  }
  return runs;
}

}  // namespace

std::string StepTable(const ScenarioSpec& spec, const Progress& progress) {
  const auto steps = StepsOf(spec);
  const auto runs = AllRuns(steps, spec.seeds);
  const auto results = MapAll(
      runs, spec.threads,
      [](const auto& run) { return Diagnose(run.second, ConfigFor(run.first.step)); },
      [&](std::size_t done) { progress(done, runs.size()); });
  Cells cells;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Add(results[i], cells[runs[i].first]);
  }
  std::string text = "| fault | exporter |";
  std::string line = "|---|---|";
  std::string later = "| from a store, later by | either |";
  for (const auto step : steps) {
    text += fmt::format(" {} s |", step);
    line += "---|";
    later += LaterFromStore(step, cells);
  }
  text += "\n" + line + "\n";
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    const auto limpet = Row(kind, false, steps, cells);
    const auto node = Row(kind, true, steps, cells);
    text += fmt::format("| {} | {} |{}\n", kKinds[kind].text,
                        limpet == node ? "either" : "limpet-exporter", limpet);
    if (limpet != node) {
      text += fmt::format("| {} | node_exporter |{}\n", kKinds[kind].text, node);
    }
  }
  return text + later + "\n";
}

}  // namespace limpet::accuracy
