// limpet-accuracy: the table of docs/accuracy.md, one run in detail, or one run as a recording.
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "exporter/common/flags.h"
#include "tests/accuracy/matrix.h"
#include "tests/accuracy/report.h"
#include "tests/accuracy/show.h"

namespace limpet::accuracy {
namespace {

Program TheProgram() {
  const std::vector<Flag> run = {
      {"--servers", "N", "number of servers", "10"},
      {"--workload", "NAME", "ddw, ddr, iozonew, iozoner or postmark", "ddr"},
      {"--fault", "NAME", "disk-hog, disk-busy, write-network-hog, … or none", "none"},
      {"--seed", "N", "of everything random", "1"},
      {"--scatter", "KIND", "own or residuals", "own"},
      {"--cwnd-f", "F", "under which windows are low", "0.5"}};
  auto record = run;
  record.push_back({"--output", "FILE", "where to write it", "recording.om.zst"});
  const std::vector<Flag> table = {{"--servers", "N,N", "cluster sizes", "10,100"},
                                   {"--seeds", "N", "runs of each kind", "10"},
                                   {"--jobs", "N", "threads", "2"},
                                   {"--hardware", "N", "another machine room", "0"},
                                   {"--scatter", "KIND", "own or residuals", "own"},
                                   {"--cwnd-f", "F", "under which windows are low", "0.5"},
                                   {"--untrained-only", "", "leave the papers' presets out", ""},
                                   {"--no-background", "", "no journals, pauses, cron jobs", ""},
                                   {"--document", "FILE", "write the tables into it", ""},
                                   {"--csv", "FILE", "write the rates into it", ""}};
  const std::vector<Flag> quick = {
      {"--against", "FILE", "recorded rates", "tests/accuracy/recorded.csv"}};
  return {.name = "limpet-accuracy",
          .description = "Diagnoses simulated runs whose truth is known.",
          .commands =
              {{.name = "table",
                .help = "all workloads, faults and seeds",
                .flags = table,
                .inputs = ""},
               {.name = "quick",
                .help = "one run of each kind on ten servers",
                .flags = quick,
                .inputs = ""},
               {.name = "show", .help = "one run, window by window", .flags = run, .inputs = ""},
               {.name = "record", .help = "one run as a recording", .flags = record, .inputs = ""}},
          .default_command = "table"};
}

double Fraction(std::string_view text) {
  try {
    return std::stod(std::string(text));
  } catch (const std::exception&) {
    throw std::invalid_argument(fmt::format("expected a number, got \"{}\"", text));
  }
}

std::size_t Number(std::string_view text) {
  try {
    return std::stoul(std::string(text));
  } catch (const std::exception&) {
    throw std::invalid_argument(fmt::format("expected a number, got \"{}\"", text));
  }
}

PresetSettings PresetOf(const CommandLine& line) {
  auto preset = DefaultUnderTest();
  if (line.Value("--scatter") == "residuals") {
    preset.scatter = Scatter::kResiduals;
  }
  preset.cwnd_f = Fraction(line.Value("--cwnd-f"));
  return preset;
}

RunKey KeyOf(const CommandLine& line) {
  RunKey key{.servers = Number(line.Value("--servers")),
             .fault = {},
             .seed = Number(line.Value("--seed"))};
  bool known = false;
  for (const auto workload : simulator::kWorkloads) {
    if (simulator::Name(workload) == line.Value("--workload")) {
      key.workload = workload;
      known = true;
    }
  }
  for (const auto fault : simulator::kFaults) {
    if (simulator::Name(fault) == line.Value("--fault")) {
      key.fault = fault;
    }
  }
  if (!known || (!key.fault && line.Value("--fault") != "none")) {
    throw std::invalid_argument("expected a workload and a fault; see --help");
  }
  return key;
}

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

MatrixSpec SpecOf(const CommandLine& line) {
  MatrixSpec spec;
  spec.servers.clear();
  std::istringstream sizes(line.Value("--servers"));
  for (std::string size; std::getline(sizes, size, ',');) {
    spec.servers.push_back(Number(size));
  }
  spec.seeds = Number(line.Value("--seeds"));
  spec.threads = Number(line.Value("--jobs"));
  spec.preset = PresetOf(line);
  spec.hardware = Number(line.Value("--hardware"));
  spec.trained = line.Value("--untrained-only").empty();
  spec.background = line.Value("--no-background").empty();
  return spec;
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

int Table(const CommandLine& line) {
  const auto began = std::chrono::steady_clock::now();
  auto spec = SpecOf(line);
  const auto names = PresetNames(spec);
  std::size_t count = 0;
  for (const auto servers : SpecOf(line).servers) {
    spec.servers = {servers};
    const auto runs = RunWithProgress(spec);
    count += runs.size();
    const auto tables = Tables(runs, names);
    fmt::print("{}", tables);
    for (const auto& name : names) {
      fmt::print("{}:\n{}\n", name, Mistakes(runs, name));
    }
    if (const auto& path = line.Value("--document"); !path.empty()) {
      const auto text =
          ReplaceBetweenMarkers(ReadAll(path), fmt::format("{} servers", servers), "\n" + tables);
      if (!text) {
        throw std::runtime_error(path + ": " + text.error().Text());
      }
      WriteAll(path, *text);
    }
    if (const auto& path = line.Value("--csv"); !path.empty()) {
      WriteAll(path, Csv(runs, names, std::filesystem::exists(path) ? ReadAll(path) : ""));
    }
  }
  fmt::print(stderr, "{} runs in {:.0f} s\n", count,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  return 0;
}

int Quick(const CommandLine& line) {
  MatrixSpec spec{.servers = {10}, .seeds = 1, .trained = false};
  const auto runs = RunWithProgress(spec);
  const auto worse = WorseThan(ReadAll(line.Value("--against")), runs, spec.preset.name);
  for (const auto& one : worse) {
    fmt::print("{}\n", one);
  }
  fmt::print("{} runs, {} worse than recorded\n", runs.size(), worse.size());
  return worse.empty() ? 0 : 1;
}

int Run(int argc, char** argv) {
  const auto parsed = ParseCommandLine(TheProgram(), argc, argv);
  if (const auto* exit = std::get_if<Exit>(&parsed)) {
    fmt::print(exit->code == 0 ? stdout : stderr, "{}\n", exit->text);
    return exit->code;
  }
  const auto& line = std::get<CommandLine>(parsed);
  if (line.command == "table") {
    return Table(line);
  }
  if (line.command == "quick") {
    return Quick(line);
  }
  if (line.command == "show") {
    fmt::print("{}", Show(KeyOf(line), PresetOf(line)));
    return 0;
  }
  WriteAll(line.Value("--output"), Recording(KeyOf(line)));
  return 0;
}

}  // namespace
}  // namespace limpet::accuracy

int main(int argc, char** argv) {
  try {
    return limpet::accuracy::Run(argc, argv);
  } catch (const std::invalid_argument& wrong) {
    std::fprintf(stderr, "limpet-accuracy: %s\n", wrong.what());
    return 2;
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "limpet-accuracy: %s\n", failed.what());
    return 1;
  }
}
