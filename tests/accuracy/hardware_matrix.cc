#include "tests/accuracy/hardware_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "diagnoser/config/plan.h"
#include "diagnoser/pipeline/pipeline.h"
#include "tests/accuracy/pool.h"

namespace limpet::accuracy {
namespace {

using simulator::Hardware;
using simulator::HardwareSpec;
using simulator::Trouble;

constexpr std::int64_t kStart = 1'700'000'000;
constexpr std::int64_t kFrom = 180;    // the trouble's beginning
constexpr std::int64_t kLength = 160;  // and how long it is watched
constexpr std::int64_t kSoon = 45;

// README's lines.
PipelineConfig Configure(const HardwareSpec& spec) {
  std::string text = "targets:\n  - addresses: [io01";
  for (std::size_t i = 1; i < spec.count; ++i) {
    text += fmt::format(", io{:02}", i + 1);
  }
  text += "]\n";
  auto settings = ParseSettings(text, "diagnoser.yml", nullptr, ConfigUse::kDiagnose);
  if (!settings) {
    throw std::runtime_error(settings.error().Text());
  }
  return MakePlan(*settings, settings->fixed_targets).pipeline;
}

std::string CauseOf(Trouble trouble) {
  switch (trouble) {
    case Trouble::kNone:
      return "";
    case Trouble::kSlowDisk:
      return "disk-busy";
    case Trouble::kDiskHog:
      return "disk-hog";
    case Trouble::kNetworkHog:
      return "network-hog";
  }
  return "";
}

std::vector<HardwareSpec> ListRuns(const HardwareTableSpec& table) {
  std::vector<HardwareSpec> runs;
  for (const auto& site : simulator::Sites()) {
    if (site.name.find(table.only) == std::string::npos) {
      continue;
    }
    for (std::uint64_t seed = 1; seed <= table.seeds; ++seed) {
      for (const std::size_t count : {2U, 3U, 6U}) {
        for (const int source : {0, 1, 2}) {
          HardwareSpec spec{.site = site,
                            .count = count,
                            .node_exporter = source > 0,
                            .facts = source < 2,
                            .seed = seed * 131 + runs.size()};
          for (const double load : {1.0, 1.3, 2.0}) {
            spec.load = load;
            runs.push_back(spec);
          }
          spec.load = 1;
          spec.from = kFrom;
          for (const double factor : {1.5, 6.0}) {
            spec.trouble = Trouble::kSlowDisk;
            spec.factor = factor;
            runs.push_back(spec);
          }
          for (const auto trouble : {Trouble::kDiskHog, Trouble::kNetworkHog}) {
            spec.trouble = trouble;
            runs.push_back(spec);
          }
        }
      }
    }
  }
  return runs;
}

// A fault that must be named: of two servers nobody can tell which is the odd one.
bool IsWanted(const HardwareSpec& spec) { return spec.trouble != Trouble::kNone && spec.count > 2; }

std::string WhatIs(const HardwareSpec& spec) {
  if (spec.trouble == Trouble::kNone) {
    return "healthy";
  }
  return !IsWanted(spec)                      ? "two servers, any fault"
         : spec.trouble == Trouble::kSlowDisk ? fmt::format("disk {:g} times slower", spec.factor)
                                              : CauseOf(spec.trouble);
}

std::string MistakesOf(const HardwareSpec& spec, const HardwareOutcome& outcome) {
  std::string mistakes;
  for (const auto& [what, second] : outcome.wrong) {
    mistakes += fmt::format(" {} after {} s;", what, second);
  }
  if (!IsWanted(spec)) {
    return mistakes + (outcome.delay ? " named" : "");
  }
  if (!outcome.delay) {
    return mistakes + " not named";
  }
  return *outcome.delay > kSoon ? mistakes + fmt::format(" named after {} s", *outcome.delay)
                                : mistakes;
}

// Runs of one kind.
class Row {
 public:
  void Add(const HardwareOutcome& outcome) {
    ++runs_;
    wrong_ += outcome.wrong.empty() ? 0U : 1U;
    if (outcome.delay) {
      delays_.push_back(*outcome.delay);
    }
  }
  [[nodiscard]] std::string Text(const std::string& what) {
    std::ranges::sort(delays_);
    const auto soon =
        static_cast<std::size_t>(std::ranges::upper_bound(delays_, kSoon) - delays_.begin());
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", what, runs_, soon,
                       delays_.size() - soon, runs_ - delays_.size(), wrong_,
                       delays_.empty() ? "–" : fmt::format("{} s", delays_[delays_.size() / 2]));
  }

 private:
  std::size_t runs_ = 0;
  std::size_t wrong_ = 0;
  std::vector<std::int64_t> delays_;
};

}  // namespace

std::string Describe(const HardwareSpec& spec) {
  auto text = fmt::format("{}, {} servers, {}{}", spec.site.name, spec.count,
                          spec.node_exporter ? "node_exporter" : "limpet-exporter",
                          spec.facts ? "" : " without facts");
  if (spec.trouble == Trouble::kNone) {
    text += fmt::format(", healthy, {:g} times the load", spec.load);
  } else {
    text += ", " + CauseOf(spec.trouble);
    if (spec.trouble == Trouble::kSlowDisk) {
      text += fmt::format(" {:g} times", spec.factor);
    }
  }
  return text + fmt::format(", seed {}", spec.seed);
}

HardwareOutcome RunHardware(const HardwareSpec& spec, std::int64_t seconds) {
  Hardware hardware(spec);
  Pipeline pipeline(Configure(spec));
  HardwareOutcome outcome;
  const auto sick = hardware.Name(Hardware::kSick);
  for (std::int64_t second = 0; second < seconds && !outcome.delay; ++second) {
    hardware.NextSecond();
    const auto at = UnixFromSeconds(kStart + second);
    for (std::size_t i = 0; i < spec.count; ++i) {
      const auto name = hardware.Name(i);
      (void)pipeline.Ingest(
          {.source = name, .node = name, .role = "server", .at = at, .text = hardware.Page(i)});
    }
    for (const auto& event : pipeline.Advance(at)) {
      const auto* verdict = std::get_if<VerdictEvent>(&event);
      if (verdict == nullptr || verdict->secondary) {
        continue;
      }
      const bool right =
          spec.trouble != Trouble::kNone && second >= spec.from && verdict->node == sick;
      if (right && Name(verdict->cause) == CauseOf(spec.trouble)) {
        outcome.delay = outcome.delay.value_or(second - spec.from);
      } else {
        std::string what = fmt::format("{} {}", verdict->node, Name(verdict->cause));
        for (const auto& evidence : verdict->evidence) {
          what += fmt::format(" ({} {})", evidence.component, evidence.metric);
        }
        outcome.wrong.emplace(what, second);
      }
    }
  }
  return outcome;
}

std::string HardwareTable(const HardwareTableSpec& table, const Progress& progress) {
  const auto runs = ListRuns(table);
  const auto outcomes = MapAll(
      runs, table.threads,
      [&](const HardwareSpec& spec) {
        return RunHardware(
            spec, spec.trouble == Trouble::kNone ? table.healthy_seconds : kFrom + kLength);
      },
      [&](std::size_t done) { progress(done, runs.size()); });
  std::map<std::string, Row> rows;
  std::string mistakes;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    rows[WhatIs(runs[i])].Add(outcomes[i]);
    if (const auto text = MistakesOf(runs[i], outcomes[i]); !text.empty()) {
      mistakes += fmt::format("{}:{}\n", Describe(runs[i]), text);
    }
  }
  std::string text =
      "| what | runs | named within 45 s | later | not named | runs with a wrong name | median |\n"
      "|---|---|---|---|---|---|---|\n";
  for (auto& [what, row] : rows) {
    text += row.Text(what);
  }
  return text + "\n" + mistakes;
}

}  // namespace limpet::accuracy
