#include "tests/accuracy/graded.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "tests/accuracy/pool.h"

namespace limpet::accuracy {
namespace {

using simulator::Fault;
using simulator::Seconds;

constexpr std::array kGrades = std::to_array<Grade>({
    {Fault::kSlowDisk, 1.05},        {Fault::kSlowDisk, 1.1},
    {Fault::kSlowDisk, 1.15},        {Fault::kSlowDisk, 1.25},
    {Fault::kSlowDisk, 1.5},         {Fault::kSlowDisk, 2},
    {Fault::kSlowDisk, 4},           {Fault::kDiskHog, 0.02},
    {Fault::kDiskHog, 0.05},         {Fault::kDiskHog, 0.1},
    {Fault::kDiskHog, 0.2},          {Fault::kDiskHog, 0},
    {Fault::kWriteNetworkHog, 0.02}, {Fault::kWriteNetworkHog, 0.05},
    {Fault::kWriteNetworkHog, 0.1},  {Fault::kWriteNetworkHog, 0.2},
    {Fault::kWriteNetworkHog, 0.5},  {Fault::kReadNetworkHog, 0.02},
    {Fault::kReadNetworkHog, 0.05},  {Fault::kReadNetworkHog, 0.1},
    {Fault::kReadNetworkHog, 0.2},   {Fault::kReadNetworkHog, 0.5},
    {Fault::kReceivePktloss, 0.002}, {Fault::kReceivePktloss, 0.005},
    {Fault::kReceivePktloss, 0.01},  {Fault::kReceivePktloss, 0.02},
    {Fault::kReceivePktloss, 0.05},  {Fault::kSendPktloss, 0.002},
    {Fault::kSendPktloss, 0.005},    {Fault::kSendPktloss, 0.01},
    {Fault::kSendPktloss, 0.02},     {Fault::kSendPktloss, 0.05},
});

constexpr std::size_t kSlowInterval = 15;  // s
// A day of each takes the simulator ten seconds: one that writes, one that reads, one of small
// files.
constexpr std::array kOfDays = {simulator::Workload::kDdw, simulator::Workload::kDdr,
                                simulator::Workload::kPostmark};
constexpr double kHour = 3600;
constexpr double kDay = 24 * kHour;

bool IsLoss(Fault fault) { return fault == Fault::kReceivePktloss || fault == Fault::kSendPktloss; }

RunKey KeyOf(std::optional<Grade> grade, simulator::Workload workload, std::uint64_t seed,
             std::size_t servers) {
  RunKey key{.servers = servers,
             .workload = workload,
             .fault = grade ? std::optional(grade->fault) : std::nullopt,
             .seed = seed};
  key.strength = grade ? grade->strength : 0;
  key.segments = true;
  return key;
}

// The fault begins anywhere in the quarter of an hour between two window ends.
RunKey AtSlowInterval(RunKey key) {
  key.interval = kSlowInterval;
  key.fault_start = Seconds(kHour + static_cast<double>(key.seed * 331 % 900));
  key.fault_end = key.fault_start + Seconds(kDay);
  key.seconds = static_cast<std::size_t>(key.fault_end.count());
  return key;
}

struct Tally {
  std::size_t runs = 0;
  std::array<std::size_t, 2> named{};  // within the two times
  std::size_t accused = 0;
  std::size_t other_cause = 0;
};

// Under one interval.
struct Times {
  double first;  // s
  double second;
};
constexpr Times kAt1s = {20, 120};
constexpr Times kAt15s = {kHour, kDay};

void Add(const RunResult& run, Tally& tally) {
  const auto said = WhatWasSaid(run);
  const auto& times = run.key.interval == 1 ? kAt1s : kAt15s;
  ++tally.runs;
  tally.named[0] += said.delay && *said.delay <= times.first ? 1U : 0U;
  tally.named[1] += said.delay && *said.delay <= times.second ? 1U : 0U;
  tally.accused += said.accused ? 1U : 0U;
  tally.other_cause += said.other_cause ? 1U : 0U;
}

std::string Cells(const Tally& tally, bool fault) {
  if (tally.runs == 0) {
    return " – | – | – |";
  }
  const auto percent = [&](std::size_t count) {
    return fault ? fmt::format("{:.0f} %",
                               100 * static_cast<double>(count) / static_cast<double>(tally.runs))
                 : "–";
  };
  return fmt::format(" {} | {} | {} |", tally.runs, percent(tally.named[0]),
                     percent(tally.named[1]));
}

std::string Row(std::optional<Grade> grade, const Tally& soon, const Tally& late) {
  return fmt::format("| {} | {} |{}{} {} | {} |\n",
                     grade ? simulator::Name(grade->fault) : "no fault",
                     grade ? StrengthText(*grade) : "–", Cells(soon, grade.has_value()),
                     Cells(late, grade.has_value()), soon.accused + late.accused,
                     soon.other_cause + late.other_cause);
}

constexpr const char* kHead =
    "| fault | strength | runs at 1 s | named within 20 s | within 2 min | runs at 15 s | within 1 "
    "h | within "
    "1 day | runs with a healthy server indicted | runs with another cause only |\n"
    "|---|---|---|---|---|---|---|---|---|---|\n";

}  // namespace

std::span<const Grade> Grades() { return kGrades; }

std::string StrengthText(const Grade& grade) {
  const double percent = 100 * grade.strength;
  switch (grade.fault) {
    case Fault::kSlowDisk:
      return fmt::format("{} times", grade.strength);
    case Fault::kDiskHog:
      return grade.strength > 0 ? fmt::format("{:g} % of the disk", percent) : "all it can get";
    case Fault::kWriteNetworkHog:
    case Fault::kReadNetworkHog:
      return grade.strength > 0 ? fmt::format("{:g} % of the link", percent) : "all it can get";
    case Fault::kReceivePktloss:
    case Fault::kSendPktloss:
      return fmt::format("{:g} %", percent);
    case Fault::kDiskBusy:
      break;
  }
  return "as in the paper";
}

Said WhatWasSaid(const RunResult& run) {
  Said said;
  for (const auto& one : run.indictments) {
    if (one.node != run.faulty || one.at <= run.key.fault_start.count()) {
      said.accused = true;
      continue;
    }
    if (one.at > run.key.fault_end.count()) {
      continue;
    }
    if (Name(one.cause) != simulator::CauseOf(*run.key.fault)) {
      said.other_cause = true;
    } else if (!said.delay) {
      said.delay = one.at - run.key.fault_start.count();
    }
  }
  said.other_cause = said.other_cause && !said.delay;
  return said;
}

std::string GradedTable(const ScenarioSpec& spec, const Progress& progress) {
  std::vector<std::optional<Grade>> grades = {std::nullopt};
  grades.insert(grades.end(), kGrades.begin(), kGrades.end());
  struct Run {
    std::size_t row;
    RunKey key;
  };
  std::vector<Run> runs;
  for (std::size_t row = 0; row < grades.size(); ++row) {
    const auto& grade = grades[row];
    // The seed picks the faulty server: another one under each workload.
    std::uint64_t seed = 0;
    for (std::uint64_t round = 0; round < spec.seeds; ++round) {
      for (const auto workload : simulator::kWorkloads) {
        const auto key = KeyOf(grade, workload, ++seed, spec.servers);
        runs.push_back({row, key});
        if (round < (spec.seeds + 2) / 3 && std::ranges::find(kOfDays, workload) != kOfDays.end() &&
            !(grade && IsLoss(grade->fault))) {
          runs.push_back({row, AtSlowInterval(key)});
        }
      }
    }
  }
  const PipelineConfig at_1s{.presets = spec.presets, .groups = PeerGroups()};
  const PipelineConfig at_15s{.presets = {spec.at_15s}, .groups = PeerGroups()};
  const auto results = MapAll(
      runs, spec.threads,
      [&](const Run& run) { return Diagnose(run.key, run.key.interval == 1 ? at_1s : at_15s); },
      [&](std::size_t done) { progress(done, runs.size()); });
  std::vector<std::pair<Tally, Tally>> tallies(grades.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto& [soon, late] = tallies[runs[i].row];
    Add(results[i], results[i].key.interval == 1 ? soon : late);
  }
  std::string text = kHead;
  for (std::size_t row = 0; row < grades.size(); ++row) {
    text += Row(grades[row], tallies[row].first, tallies[row].second);
  }
  return text;
}

}  // namespace limpet::accuracy
