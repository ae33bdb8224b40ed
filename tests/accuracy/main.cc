// limpet-accuracy: the tables of docs/accuracy-tables.md, one run in detail or as a recording.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "exporter/common/command_line.h"
#include "tests/accuracy/balance_map.h"
#include "tests/accuracy/cwnd_spans.h"
#include "tests/accuracy/endings.h"
#include "tests/accuracy/graded.h"
#include "tests/accuracy/hardware_matrix.h"
#include "tests/accuracy/long_windows.h"
#include "tests/accuracy/matrix.h"
#include "tests/accuracy/production_drives.h"
#include "tests/accuracy/report.h"
#include "tests/accuracy/scenarios.h"
#include "tests/accuracy/show.h"
#include "tests/accuracy/step_table.h"
#include "tests/accuracy/sweep.h"

namespace limpet::accuracy {
namespace {

// What the preset under test differs in.
struct PresetFlags {
  std::string scatter = "residuals";
  double cwnd_f = DefaultPreset().cwnd_f;

  void Bind(Flags& flags) {
    flags.AddChoice(scatter, "--scatter", {"own", "residuals"}, "what z is measured in");
    flags.AddNumber(cwnd_f, "--cwnd-f", "F", "windows below this share of the median are low");
  }
  [[nodiscard]] PresetSettings Preset() const {
    auto preset = DefaultPreset();
    preset.scatter = scatter == "residuals" ? Scatter::kResiduals : Scatter::kOwn;
    preset.cwnd_f = cwnd_f;
    return preset;
  }
};

constexpr std::uint64_t kMaxRuns = 1'000'000;
constexpr std::uint64_t kMaxSeconds = 32ULL * 24 * 3600;

// One simulated run.
struct RunFlags {
  std::uint64_t servers = 10;
  std::string workload = "ddr";
  std::string fault = "none";
  std::uint64_t seed = 1;
  std::uint64_t seconds = 600;
  std::uint64_t interval = 1;
  std::uint64_t clients = 10;
  std::uint64_t sick = 1;
  double strength = 0;
  bool node_exporter = false;
  PresetFlags preset;

  void Bind(Flags& flags) {
    flags.AddNumber(servers, "--servers", "N", "number of servers", 1, kMaxRuns);
    flags.AddNumber(seconds, "--seconds", "N", "how long; the fault as much of it as of 600 s", 60,
                    kMaxSeconds);
    flags.AddNumber(interval, "--interval", "N",
                    "seconds between scrapes; over 1 the default of that step judges, with its "
                    "time scales",
                    1, 60);
    flags.AddNumber(clients, "--clients", "N", "number of clients", 1, kMaxRuns);
    flags.AddNumber(sick, "--sick", "N", "servers that have the fault", 1, kMaxRuns);
    flags.AddNumber(strength, "--strength", "X", "of the fault; 0: as usual");
    flags.Add(node_exporter, "--node-exporter", "nodes are read by node_exporter");
    flags.Add(workload, "--workload", "NAME", "ddw, ddr, iozonew, iozoner or postmark");
    flags.Add(fault, "--fault", "NAME", "disk-hog, disk-busy, write-network-hog, … or none");
    flags.AddNumber(seed, "--seed", "N", "of everything random", 0, UINT64_MAX);
    preset.Bind(flags);
  }
  [[nodiscard]] RunKey Key() const;
};

RunKey RunFlags::Key() const {
  RunKey key{.servers = servers, .fault = {}, .seed = seed};
  const double longer = static_cast<double>(seconds) / static_cast<double>(key.seconds);
  key.fault_start *= longer;
  key.fault_end *= longer;
  key.seconds = seconds;
  key.interval = interval;
  key.clients = clients;
  key.sick = sick;
  key.strength = strength;
  key.segments = true;
  key.node_exporter = node_exporter;
  bool known = false;
  for (const auto candidate : simulator::kWorkloads) {
    if (simulator::Name(candidate) == workload) {
      key.workload = candidate;
      known = true;
    }
  }
  for (const auto candidate : simulator::kFaults) {
    if (simulator::Name(candidate) == fault) {
      key.fault = candidate;
    }
  }
  if (simulator::Name(simulator::Fault::kSlowDisk) == fault) {
    key.fault = simulator::Fault::kSlowDisk;
  }
  if (!known || (!key.fault && fault != "none")) {
    throw std::invalid_argument("expected a workload and a fault; see --help");
  }
  return key;
}

struct RecordFlags : RunFlags {
  std::string output = "recording.om.zst";

  void Bind(Flags& flags) {
    RunFlags::Bind(flags);
    flags.Add(output, "--output", "FILE", "file to write");
  }
};

struct TableFlags {
  std::string servers = "10,100";
  std::uint64_t seeds = 10;
  std::uint64_t jobs = 2;
  std::uint64_t hardware = 0;
  bool untrained_only = false;
  bool slow = false;
  bool no_background = false;
  std::string csv;  // empty: none is written
  PresetFlags preset;

  void Bind(Flags& flags) {
    flags.Add(servers, "--servers", "N,N", "cluster sizes");
    flags.AddNumber(seeds, "--seeds", "N", "runs of each kind", 1, kMaxRuns);
    flags.Add(slow, "--slow", "the presets for 15 s over their real windows, in runs of hours");
    flags.AddNumber(jobs, "--jobs", "N", "threads", 1, kMaxRuns);
    flags.AddNumber(hardware, "--hardware", "N", "another machine room", 0, UINT64_MAX);
    preset.Bind(flags);
    flags.Add(untrained_only, "--untrained-only", "leave the papers' presets out");
    flags.Add(no_background, "--no-background", "no journals, pauses, cron jobs");
    flags.Add(csv, "--csv", "FILE", "write the rates into it");
  }
  [[nodiscard]] MatrixSpec Spec() const;
};

std::size_t Number(const std::string& text) {
  try {
    return std::stoul(text);
  } catch (const std::exception&) {
    throw std::invalid_argument(fmt::format("expected a number, got \"{}\"", text));
  }
}

MatrixSpec TableFlags::Spec() const {
  MatrixSpec spec;
  if (slow) {
    spec = SlowMatrix();
  } else {
    spec.untrained = WithScales(preset.Preset());
  }
  spec.servers.clear();
  std::istringstream sizes(servers);
  for (std::string size; std::getline(sizes, size, ',');) {
    spec.servers.push_back(Number(size));
  }
  spec.seeds = seeds;
  spec.threads = jobs;
  if (untrained_only) {
    spec.trained.clear();
  }
  spec.like.hardware = hardware;
  spec.like.background = !no_background;
  return spec;
}

struct HardwareFlags {
  std::string only;
  std::uint64_t seeds = 1;
  std::uint64_t jobs = 2;
  std::uint64_t seconds = 3600;

  void Bind(Flags& flags) {
    flags.Add(only, "--only", "TEXT", "sites whose name holds it");
    flags.AddNumber(seeds, "--seeds", "N", "runs of each kind", 1, kMaxRuns);
    flags.AddNumber(jobs, "--jobs", "N", "threads", 1, kMaxRuns);
    flags.AddNumber(seconds, "--seconds", "N", "how long healthy servers run", 60, kMaxSeconds);
  }
};

struct QuickFlags {
  std::string against = "tests/accuracy/recorded.csv";

  void Bind(Flags& flags) { flags.Add(against, "--against", "FILE", "recorded rates"); }
};

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    throw std::runtime_error(path + ": cannot be read");
  }
  return text.str();
}

void WriteAll(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.flush()) {
    throw std::runtime_error(path + ": cannot be written");
  }
}

// One line that is written over and over, on a terminal only.
std::vector<RunResult> RunWithProgress(const MatrixSpec& spec) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  auto runs = RunMatrix(spec, [&](const std::string& what, std::size_t done, std::size_t all) {
    if (terminal) {
      fmt::print(stderr, "\r\033[K{}: {} of {}", what, done, all);
    }
  });
  if (terminal) {
    fmt::print(stderr, "\r\033[K");
  }
  return runs;
}

int Table(const TableFlags& flags) {
  const auto began = std::chrono::steady_clock::now();
  auto spec = flags.Spec();
  const auto names = PresetNames(spec);
  std::size_t count = 0;
  for (const auto servers : flags.Spec().servers) {
    spec.servers = {servers};
    const auto runs = RunWithProgress(spec);
    count += runs.size();
    const auto table = ByFault(runs, names);
    fmt::print("{}{}", table, ByWorkload(runs, names));
    for (const auto& name : names) {
      fmt::print("{}:\n{}\n", name, Mistakes(runs, name));
    }
    if (const auto& path = flags.csv; !path.empty()) {
      WriteAll(path, Csv(runs, names, std::filesystem::exists(path) ? ReadAll(path) : ""));
    }
  }
  fmt::print(stderr, "{} runs in {:.0f} s\n", count,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  return 0;
}

int Quick(const QuickFlags& flags) {
  const MatrixSpec spec{.servers = {10}, .seeds = 1, .trained = {}, .like = {}};
  const auto runs = RunWithProgress(spec);
  const auto worse = WorseThan(ReadAll(flags.against), runs, PresetNames(spec).front());
  for (const auto& one : worse) {
    fmt::print("{}\n", one);
  }
  fmt::print("{} runs, {} worse than recorded\n", runs.size(), worse.size());
  return worse.empty() ? 0 : 1;
}

// A table of scenarios by its name.
struct Kind {
  const char* name;
  std::string (*table)(const ScenarioSpec&, const Progress&);
  const char* text;
};
constexpr std::array kKinds = std::to_array<Kind>({
    {"faults", FaultTable, "one fault"},
    {"placement", PlacementTable, "unequal placement of files"},
    {"pairs", PairTable, "two faults"},
    {"half", HalfTable, "half of the servers"},
    {"circumstances", CircumstanceTable, "restarts, clocks, lost pages"},
    {"budget", BudgetTable, "days without a fault"},
    {"graded", GradedTable, "weak faults"},
    {"long-windows", LongWindowTable, "disks that are a little slower"},
    {"balance", BalanceTable, "where the network explains the disks"},
    {"drives", FleetTable, "drives at 15 s"},
    {"steps", StepTable, "how soon at any step"},
    {"healthy", HealthyTable, "healthy hosts at 15, 30 and 60 s"},
    {"sweep", SweepTable, "other numbers in the presets, on 10 servers"},
    {"cwnd-spans", CwndSpanTable, "how long congestion windows are averaged"},
    {"clusters", ClusterTable, "other clusters"},
    {"endings", EndingTable, "what follows the end of a fault"},
    {"domains", DomainTable, "100 servers in rotating domains"},
});

struct ScenarioFlags {
  std::uint64_t seeds = 10;
  std::uint64_t first_seed = 1;
  std::uint64_t part = 0;
  std::uint64_t jobs = 2;
  std::uint64_t servers = 6;
  std::uint64_t days = 10;
  std::string presets = "default";
  std::string kind = "placement";

  void Bind(Flags& flags) {
    flags.AddNumber(seeds, "--seeds", "N", "runs of each kind", 1, kMaxRuns);
    flags.AddNumber(part, "--part", "N", "of steps, healthy hosts and drives one; 0: all", 0, 100);
    flags.AddNumber(first_seed, "--first-seed", "N", "of drives and healthy hosts", 0, UINT64_MAX);
    flags.AddNumber(jobs, "--jobs", "N", "threads", 1, kMaxRuns);
    flags.AddNumber(servers, "--servers", "N", "cluster size", 4, kMaxRuns);
    flags.AddNumber(days, "--days", "N", "of a run of healthy hosts", 1, 100);
    flags.AddChoice(presets, "--presets", {"default", "bare"}, "what judges");
    flags.Add(kind, "--kind", "NAME", "a table; \"list\" prints which there are");
  }
};

int Scenarios(const ScenarioFlags& flags) {
  if (flags.kind == "list") {
    for (const auto& one : kKinds) {
      fmt::print("{}: {}\n", one.name, one.text);
    }
    return kExitOk;
  }
  const auto* kind = std::ranges::find(kKinds, flags.kind, &Kind::name);
  if (kind == kKinds.end()) {
    throw std::invalid_argument(
        fmt::format("--kind: expected a name that \"--kind list\" prints, got \"{}\"", flags.kind));
  }
  const bool bare = flags.presets == "bare";
  const ScenarioSpec spec{.presets = bare ? std::vector{BarePreset()} : DefaultPresets(),
                          .at_15s = bare ? SlowBarePreset() : SlowDefaultPreset(),
                          .seeds = flags.seeds,
                          .first_seed = flags.first_seed,
                          .servers = flags.servers,
                          .threads = flags.jobs,
                          .days = static_cast<std::int64_t>(flags.days),
                          .part = flags.part};
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto progress = [&](std::size_t done, std::size_t all) {
    if (terminal) {
      fmt::print(stderr, "\r\033[K{} of {}", done, all);
    }
  };
  fmt::print("{}", kind->table(spec, progress));
  return kExitOk;
}

int HardwareRuns(const HardwareFlags& flags) {
  fmt::print("{}", HardwareTable({.only = flags.only,
                                  .healthy_seconds = static_cast<std::int64_t>(flags.seconds),
                                  .seeds = flags.seeds,
                                  .threads = flags.jobs},
                                 [](std::size_t, std::size_t) {}));
  return kExitOk;
}

int RunShow(const RunFlags& flags) {
  const auto key = flags.Key();
  fmt::print("{}",
             Show(key, key.interval == 1
                           ? std::vector{flags.preset.Preset()}
                           : WithScales(DefaultPresetFor(std::chrono::seconds(key.interval)))));
  return kExitOk;
}

int Record(const RecordFlags& flags) {
  WriteAll(flags.output, Recording(flags.Key()));
  return kExitOk;
}

Program TheProgram() {
  return {.name = "limpet-accuracy",
          .description = "Diagnoses simulated runs whose truth is known.",
          .commands =
              {MakeSubcommand<TableFlags>("table", "all workloads, faults and seeds", Table),
               MakeSubcommand<QuickFlags>("quick", "one run of each kind on ten servers", Quick),
               MakeSubcommand<ScenarioFlags>("scenarios", "the other tables, by --kind", Scenarios),
               MakeSubcommand<HardwareFlags>(
                   "hardware", "ordinary hardware with three lines of configuration", HardwareRuns),
               MakeSubcommand<RunFlags>("show", "one run, window by window", RunShow),
               MakeSubcommand<RecordFlags>("record", "one run as a recording", Record)},
          .default_command = "table"};
}

}  // namespace
}  // namespace limpet::accuracy

int main(int argc, char** argv) {
  try {
    return limpet::RunProgram(limpet::accuracy::TheProgram(), argc, argv);
  } catch (const std::invalid_argument& wrong) {
    std::fprintf(stderr, "limpet-accuracy: %s\n", wrong.what());
    return 2;
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "limpet-accuracy: %s\n", failed.what());
    return 1;
  }
}
