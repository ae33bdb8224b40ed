#include "tests/accuracy/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "exporter/common/text.h"
#include "tests/accuracy/score.h"

namespace limpet::accuracy {
namespace {

using simulator::Fault;
using simulator::Workload;

struct Filter {
  std::size_t servers = 0;
  std::optional<Workload> workload;  // nullopt: all
  std::optional<Fault> fault;        // nullopt: no fault
  bool any_fault = false;            // all faults
};

std::vector<Outcome> OutcomesOf(const std::vector<RunResult>& runs, const Filter& filter,
                                std::string_view preset) {
  std::vector<Outcome> outcomes;
  for (const auto& run : runs) {
    const bool fault = filter.any_fault ? run.key.fault.has_value() : run.key.fault == filter.fault;
    if (run.key.servers == filter.servers && fault &&
        (!filter.workload || run.key.workload == *filter.workload)) {
      outcomes.push_back(Judge(run, preset));
    }
  }
  return outcomes;
}

std::string Percent(double rate) { return fmt::format("{:.0f}", 100 * rate); }

std::string Row(const std::vector<RunResult>& runs, std::span<const std::string> presets,
                const Filter& filter, std::string_view first_cells) {
  std::string row = fmt::format("| {} |", first_cells);
  for (const auto& preset : presets) {
    const auto rates = RatesOf(OutcomesOf(runs, filter, preset));
    if (rates.runs == 0) {
      return "";
    }
    row += fmt::format(" {}/{}/{}/{}, {}{} |", Percent(rates.itp), Percent(rates.ifp),
                       Percent(rates.dtp), Percent(rates.dfp), Percent(rates.first_wrong),
                       rates.delay ? fmt::format(", {:.0f} s", *rates.delay) : "");
  }
  return row + "\n";
}

std::string Heading(std::string_view first_cells, std::size_t cells,
                    std::span<const std::string> presets) {
  std::string names = fmt::format("| {} |", first_cells);
  std::string line = "|";
  for (std::size_t i = 0; i < cells; ++i) {
    line += "---|";
  }
  for (const auto& preset : presets) {
    names += fmt::format(" {}: ITP/IFP/DTP/DFP, first wrong, delay |", preset);
    line += "---|";
  }
  return names + "\n" + line + "\n";
}

std::set<std::size_t> SizesOf(const std::vector<RunResult>& runs) {
  std::set<std::size_t> sizes;
  for (const auto& run : runs) {
    sizes.insert(run.key.servers);
  }
  return sizes;
}

}  // namespace

std::string ByFault(const std::vector<RunResult>& runs, std::span<const std::string> presets) {
  std::string text;
  for (const auto servers : SizesOf(runs)) {
    const auto all =
        OutcomesOf(runs, {.servers = servers, .workload = {}, .any_fault = true}, presets.front());
    const auto none =
        OutcomesOf(runs, {.servers = servers, .workload = {}, .fault = {}}, presets.front());
    const auto interval = runs.front().key.interval;
    text += fmt::format("### {} servers{}: {} runs with a fault, {} without\n\n", servers,
                        interval == 1 ? "" : fmt::format(", scraped every {} s", interval),
                        all.size(), none.size());
    text += Heading("fault", 1, presets);
    text += Row(runs, presets, {.servers = servers, .workload = {}, .fault = {}}, "none");
    for (const auto fault : simulator::kFaults) {
      text += Row(runs, presets, {.servers = servers, .workload = {}, .fault = fault},
                  simulator::Name(fault));
    }
    text +=
        Row(runs, presets, {.servers = servers, .workload = {}, .any_fault = true}, "all faults");
    text += "\n";
  }
  return text;
}

std::string ByWorkload(const std::vector<RunResult>& runs, std::span<const std::string> presets) {
  std::string text;
  for (const auto servers : SizesOf(runs)) {
    text += Heading("fault | workload", 2, presets);
    for (const auto fault : simulator::kFaults) {
      for (const auto workload : simulator::kWorkloads) {
        text += Row(runs, presets, {.servers = servers, .workload = workload, .fault = fault},
                    fmt::format("{} | {}", simulator::Name(fault), simulator::Name(workload)));
      }
    }
    text += "\n";
  }
  return text;
}

std::string Csv(const std::vector<RunResult>& runs, std::span<const std::string> presets,
                std::string_view before) {
  std::string text = "servers,workload,fault,preset,runs,itp,ifp,dtp,dfp\n";
  const auto sizes = SizesOf(runs);
  std::istringstream lines{std::string(before)};
  for (std::string line; std::getline(lines, line);) {
    const auto servers = ParseU64(std::string_view(line).substr(0, line.find(',')));
    if (servers && !sizes.contains(*servers)) {
      text += line + "\n";
    }
  }
  std::vector<std::optional<Fault>> faults = {std::nullopt};
  faults.insert(faults.end(), simulator::kFaults.begin(), simulator::kFaults.end());
  for (const auto servers : SizesOf(runs)) {
    for (const auto workload : simulator::kWorkloads) {
      for (const auto& fault : faults) {
        for (const auto& preset : presets) {
          const auto rates = RatesOf(
              OutcomesOf(runs, {.servers = servers, .workload = workload, .fault = fault}, preset));
          if (rates.runs > 0) {
            text += fmt::format("{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f}\n", servers,
                                simulator::Name(workload), fault ? simulator::Name(*fault) : "none",
                                preset, rates.runs, rates.itp, rates.ifp, rates.dtp, rates.dfp);
          }
        }
      }
    }
  }
  return text;
}

std::vector<std::string> WorseThan(std::string_view csv, const std::vector<RunResult>& runs,
                                   std::string_view preset) {
  std::map<std::string, std::vector<double>> recorded;  // by "servers,workload,fault"
  std::istringstream lines{std::string(csv)};
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) {
      cells.push_back(cell);
    }
    if (cells.size() == 9 && cells[3] == preset) {
      auto& rates = recorded[cells[0] + "," + cells[1] + "," + cells[2]];
      for (std::size_t i = 5; i < cells.size(); ++i) {
        rates.push_back(ParseDouble(cells[i]).value_or(0));
      }
    }
  }
  std::vector<std::string> worse;
  for (const auto& run : runs) {
    const auto found =
        recorded.find(fmt::format("{},{},{}", run.key.servers, simulator::Name(run.key.workload),
                                  run.key.fault ? simulator::Name(*run.key.fault) : "none"));
    if (found == recorded.end()) {
      worse.push_back(Describe(run.key) + ": no recorded rates");
      continue;
    }
    const auto outcome = Judge(run, preset);
    const auto& rates = found->second;
    const auto note = [&](bool bad, std::string_view what) {
      if (bad) {
        worse.push_back(fmt::format("{}: {}", Describe(run.key), what));
      }
    };
    note(run.key.fault && rates[0] == 1 && !outcome.indicted, "not indicted any more");
    note(rates[1] == 0 && outcome.misindicted, "a healthy server is indicted now");
    note(run.key.fault && rates[2] == 1 && !outcome.diagnosed, "another cause now");
    note(rates[3] == 0 && outcome.misdiagnosed, "misdiagnosed now");
  }
  return worse;
}

std::string Mistakes(const std::vector<RunResult>& runs, std::string_view preset) {
  std::string text;
  for (const auto& run : runs) {
    const auto outcome = Judge(run, preset);
    const auto name = Describe(run.key);
    if (run.key.fault && !outcome.indicted) {
      text += fmt::format("{}: {} not indicted\n", name, run.faulty);
    } else if (run.key.fault && !outcome.diagnosed) {
      text += fmt::format("{}: {} called {}\n", name, run.faulty, Name(outcome.cause));
    } else if (outcome.first_wrong) {
      text += fmt::format("{}: {} first called something else\n", name, run.faulty);
    }
    for (const auto& one : outcome.false_indictments) {
      text += fmt::format("{}: {} falsely called {} at {:.0f} s, degree {:.2f}\n", name, one.node,
                          Name(one.cause), one.at, one.degree);
    }
  }
  return text;
}

}  // namespace limpet::accuracy
