#include "tests/accuracy/endings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tests/accuracy/matrix.h"

namespace limpet::accuracy {
namespace {

constexpr std::size_t kRunSeconds = 615;  // 15 of them idle at the start
constexpr double kLastWindows = 40;       // s: a window of the papers' presets ends every 32 s

}  // namespace

Ending EndingOf(std::span<const RunResult> runs, const std::string& preset) {
  Ending ending;
  for (const auto& run : runs) {
    const auto end = run.key.fault_end.count();
    bool named = false;
    bool healthy = false;
    double last = 0;
    for (const auto& one : run.indictments) {
      if (one.preset != preset) {
        continue;
      }
      if (one.node == run.faulty) {
        named = named || one.at > run.key.fault_start.count();
        last = std::max(last, one.said - end);
      } else {
        healthy = healthy || one.said > end;
      }
    }
    ending.healthy += healthy ? 1U : 0U;
    if (named) {
      ending.last.push_back(last);
      ending.kept += last > static_cast<double>(run.key.seconds) - end - kLastWindows ? 1U : 0U;
    }
  }
  std::ranges::sort(ending.last);
  return ending;
}

std::string EndingCell(const Ending& ending) {
  if (ending.last.empty()) {
    return fmt::format("–; {}", ending.healthy);
  }
  return fmt::format("{:.0f}, {:.0f} s{}; {}", ending.last[ending.last.size() / 2],
                     ending.last.back(),
                     ending.kept > 0 ? fmt::format(" ({} kept)", ending.kept) : "", ending.healthy);
}

std::string EndingTable(const ScenarioSpec& spec, const Progress& progress) {
  MatrixSpec matrix{.servers = {10},
                    .seeds = spec.seeds,
                    .untrained = spec.presets,
                    .iterations = 3,
                    .threads = spec.threads,
                    .like = {}};
  matrix.like.seconds = kRunSeconds;
  matrix.like.segments = true;
  const auto runs = RunMatrix(
      matrix, [&](const std::string&, std::size_t done, std::size_t all) { progress(done, all); });
  std::string text =
      "| fault | runs | as shipped | testbench | production |\n|---|---|---|---|---|\n";
  for (const auto fault : simulator::kFaults) {
    std::vector<RunResult> of_fault;
    std::ranges::copy_if(runs, std::back_inserter(of_fault),
                         [&](const RunResult& run) { return run.key.fault == fault; });
    if (of_fault.empty()) {
      continue;
    }
    text += fmt::format("| {} | {} |", simulator::Name(fault), of_fault.size());
    for (const auto& preset : PresetNames(matrix)) {
      text += fmt::format(" {} |", EndingCell(EndingOf(of_fault, preset)));
    }
    text += "\n";
  }
  return text;
}

}  // namespace limpet::accuracy
