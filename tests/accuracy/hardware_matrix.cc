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
  std::string text;
  std::map<std::string, std::vector<std::int64_t>> delays;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& spec = runs[i];
    const auto& outcome = outcomes[i];
    const bool wanted = spec.trouble != Trouble::kNone && spec.count > 2;
    std::string mistakes;
    for (const auto& [what, second] : outcome.wrong) {
      mistakes += fmt::format(" {} after {} s;", what, second);
    }
    if (wanted && !outcome.delay) {
      mistakes += " not named";
    } else if (wanted && *outcome.delay > 45) {
      mistakes += fmt::format(" named after {} s", *outcome.delay);
    } else if (outcome.delay && !wanted) {
      mistakes += " named";
    }
    if (wanted && outcome.delay) {
      delays[CauseOf(spec.trouble) +
             (spec.trouble == Trouble::kSlowDisk ? fmt::format(" {:g}", spec.factor) : "")]
          .push_back(*outcome.delay);
    }
    if (!mistakes.empty()) {
      text += fmt::format("{}:{}\n", Describe(spec), mistakes);
    }
  }
  text += fmt::format("{} runs\n", runs.size());
  for (auto& [cause, all] : delays) {
    std::ranges::sort(all);
    text += fmt::format("{}: {} named, median {} s, latest {} s\n", cause, all.size(),
                        all[all.size() / 2], all.back());
  }
  return text;
}

}  // namespace limpet::accuracy
