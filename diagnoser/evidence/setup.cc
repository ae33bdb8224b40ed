#include "diagnoser/evidence/setup.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "diagnoser/detect/profile/host_imputer.h"
#include "diagnoser/evidence/host_seconds.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

Duration Steps(const PresetSettings& preset, std::size_t steps) {
  return preset.step * static_cast<Duration::rep>(steps);
}

}  // namespace

std::vector<std::size_t> GridNumbers(const PipelineConfig& config) {
  std::vector<std::size_t> numbers;
  std::size_t grids = 0;
  for (const auto& preset : config.presets) {
    std::optional<std::size_t> shared;
    for (std::size_t i = 0; i < numbers.size() && preset.IsScale() && !shared; ++i) {
      const auto& other = config.presets[i];
      if ((other.name == preset.scale_of.preset ||
           other.scale_of.preset == preset.scale_of.preset) &&
          other.step == preset.step && other.MaxGap() == preset.MaxGap() &&
          other.doubt_readings == preset.doubt_readings) {
        shared = numbers[i];
      }
    }
    numbers.push_back(shared ? *shared : grids++);
  }
  return numbers;
}

std::vector<std::size_t> GridOwners(const PipelineConfig& config) {
  std::vector<std::size_t> owners;
  const auto numbers = GridNumbers(config);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    // Numbers are given in order, so the first preset with a new one is its owner.
    if (numbers[i] == owners.size()) {
      owners.push_back(i);
    }
  }
  return owners;
}

// A ring must hold the window, the samples its first means need, and what may arrive ahead while a
// window waits for a late target.
std::vector<GridSpec> MakeGrids(const PipelineConfig& config) {
  std::vector<GridSpec> grids;
  const auto numbers = GridNumbers(config);
  for (std::size_t i = 0; i < config.presets.size(); ++i) {
    const auto& preset = config.presets[i];
    // Windows wait for the seconds of profiles before them.
    const Duration wait = config.profiles && config.profiles->wait
                              ? std::chrono::seconds(static_cast<std::int64_t>(kImputeDelay))
                              : Duration::zero();
    // Four more steps: the open bin at each end, and a page between two of ours.
    const auto ahead = (config.limits.future + wait + 2 * preset.MaxGap()) / preset.step + 4;
    const GridSpec spec{
        .step = preset.step,
        .max_gap = preset.MaxGap(),
        .capacity = preset.window + preset.smoothing + static_cast<std::size_t>(ahead),
        .to_the_letter = !preset.doubt_readings};
    if (numbers[i] == grids.size()) {
      grids.push_back(spec);
    } else {
      auto& shared = grids[numbers[i]];
      shared.capacity = std::max(shared.capacity, spec.capacity);
    }
  }
  return grids;
}

std::vector<Rule> CompileRules(const PipelineConfig& config) {
  std::vector<Rule> rules;
  // In this order: a group's number is its place, and those of profiles come after.
  for (const auto& group : config.groups) {
    rules.push_back(*Rule::Compile(group));
  }
  if (config.profiles) {
    for (const auto& rule : HostRules(*config.profiles)) {
      rules.push_back(*Rule::Compile(rule));
    }
  }
  return rules;
}

Duration FirstWindow(const PipelineConfig& config) {
  Duration longest{};
  for (const auto& preset : config.presets) {
    longest = std::max(longest, Steps(preset, preset.window + preset.smoothing));
  }
  return longest;
}

std::size_t CwndSecondsToKeep(const PipelineConfig& config) {
  Duration longest = 1s;
  for (const auto& preset : config.presets) {
    // Twice the shift: after a restart the last window is looked at once more.
    longest = std::max(longest, 2 * (Steps(preset, preset.shift) + preset.MaxGap()));
  }
  return static_cast<std::size_t>(longest / 1s) + 2;  // the second begun at either end
}

EntityLimits MakeEntityLimits(const PipelineLimits& limits) {
  return {.shared = limits.max_components,
          .reserved = limits.reserved_components,
          .per_node = limits.max_components_per_node,
          .devices_per_node = limits.max_devices_per_node};
}

}  // namespace limpet
