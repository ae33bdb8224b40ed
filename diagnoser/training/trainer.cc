#include "diagnoser/training/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "diagnoser/detect/detectors.h"
#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

// Pooled, a quarter of a group decides the spread: one faulty component of four widens the bins
// until it fits into them.
constexpr std::size_t kTooFewForPooled = 4;

// The comparison gives 0 for everybody and makes no bins in two cases: of equal samples, which is a
// measurement, and of samples under the noise floor, which is none.
bool IsUnderNoiseFloor(const WindowEvent& window, const PresetSettings& preset,
                       const TrainingRule& rule) {
  if (!rule.skips_noise || window.undetermined || window.bins > 0) {
    return false;
  }
  const double lo = window.lo.value_or(0);
  const double hi = window.hi.value_or(0);
  return !Near(lo, hi) || hi - lo < preset.NoiseFloor(window.metric) ||
         hi - lo < preset.noise_floor_relative * std::abs(hi);
}

}  // namespace

PipelineConfig ConfigForTraining(PipelineConfig config) {
  config.thresholds.clear();
  if (config.syscalls) {
    config.syscalls->training = {};
    config.syscalls->collect = true;
  }
  // Time scales have their preset's thresholds (threshold_factor).
  std::erase_if(config.presets, [](const PresetSettings& preset) { return preset.IsScale(); });
  for (auto& preset : config.presets) {
    preset.cwnd_events = true;
    preset.exact_up_to = std::numeric_limits<std::size_t>::max();  // bounds are no measurements
  }
  return config;
}

std::set<std::string> RecentGroups(const PipelineConfig& config) {
  std::set<std::string> names;
  for (const auto& group : config.groups) {
    if (!group.recent_of.empty()) {
      names.insert(group.name);
    }
  }
  return names;
}

Trainer::Trainer(const std::vector<PresetSettings>& presets, std::set<std::string> left_out)
    : left_out_(std::move(left_out)) {
  for (const auto& settings : presets) {
    presets_.push_back({.settings = settings,
                        .rule = MakeDetector(settings)->Training(),
                        .groups = {},
                        .windows = 0,
                        .last = std::nullopt});
  }
}

void Trainer::Learn(const Event& event) {
  if (const auto* window = std::get_if<WindowEvent>(&event)) {
    LearnWindow(*window);
  } else if (const auto* second = std::get_if<CwndEvent>(&event)) {
    LearnCwnd(*second);
  }
}

void Trainer::LearnWindow(const WindowEvent& window) {
  const auto found = std::find_if(presets_.begin(), presets_.end(), [&](const Preset& preset) {
    return preset.settings.name == window.preset;
  });
  if (found == presets_.end() || left_out_.contains(window.group)) {
    return;
  }
  auto& preset = *found;
  // Every group and metric has an event for the same end.
  preset.windows += preset.last != window.end ? 1U : 0U;
  preset.last = window.end;
  auto& metric = preset.groups[window.group][window.metric];
  metric.most_peers = std::max(metric.most_peers, window.n);
  const bool measured =
      !window.undetermined && !IsUnderNoiseFloor(window, preset.settings, preset.rule);
  const auto time = window.end.time_since_epoch() / preset.settings.Shift();
  for (const auto& component : window.components) {
    // Even without a degree: a component that was there and never measured has its group's median.
    auto& run = metric.components[component.component];
    // The number that the threshold will be held against.
    const auto degree = component.window_degree ? component.window_degree : component.s;
    if (measured && degree) {
      run.Add(time, *degree, preset.settings.k);
    }
  }
}

void Trainer::LearnCwnd(const CwndEvent& second) {
  // Everybody idle: a quotient would say nothing.
  if (!second.median || *second.median <= 0) {
    return;
  }
  for (const auto& server : second.components) {
    const double part = server.log / *second.median;
    auto& sides = cwnd_least_[second.group];
    const auto [least, is_new] = sides.emplace(second.metric, part);
    least->second = std::min(least->second, part);
  }
}

std::vector<TrainedPreset> Trainer::Finish() const {
  std::vector<TrainedPreset> all;
  for (const auto& preset : presets_) {
    all.push_back(Finish(preset));
  }
  return all;
}

TrainedPreset Trainer::Finish(const Preset& preset) const {
  TrainedPreset result;
  result.thresholds.preset = preset.settings.name;
  result.thresholds.settings = SettingsForTraining(preset.settings);
  result.windows = preset.windows;
  result.scale = preset.settings.training_scale;
  result.cap = preset.settings.training_cap;
  result.largest_distance = preset.rule.largest;
  // A flag looks at so many windows; of a shorter training no run of them was ever seen whole.
  const auto wanted = 2 * preset.settings.k - 1;
  if (preset.windows < wanted) {
    result.notes.push_back(fmt::format(
        "short: {} window times, fewer than the {} that a flag looks at: train on more data",
        preset.windows, wanted));
  }
  for (const auto& [group, metrics] : preset.groups) {
    std::size_t most_peers = 0;
    for (const auto& [metric, of] : metrics) {
      FinishMetric(preset, group, metric, of, result);
      most_peers = std::max(most_peers, of.most_peers);
    }
    if (preset.rule.pooled_spread && most_peers <= kTooFewForPooled) {
      result.notes.push_back(fmt::format(
          "few peers: {} has {} components; with iqr: pooled one of so few can hide in bins that "
          "it widens itself: use iqr: within",
          group, most_peers));
    }
  }
  for (const auto& [group, sides] : cwnd_least_) {
    for (const auto& [side, least] : sides) {
      const double f = TrainCwndF(least);
      result.thresholds.cwnd[group][side] = f;
      result.cwnd_seen[group][side] = least;
      if (least < kMinCwndF) {
        result.notes.push_back(fmt::format(
            "already deviant in training: {} {} was at {:.3g} of the median: f is held at {}",
            group, side, least, f));
      }
    }
  }
  result.thresholds.FillMedians();
  return result;
}

void Trainer::FinishMetric(const Preset& preset, const std::string& group,
                           const std::string& metric, const Metric& of, TrainedPreset& result) {
  ByName<std::optional<double>> seen;
  for (const auto& [component, run] : of.components) {
    seen[component] = run.Degree(preset.settings.k);
  }
  const auto trained = TrainThresholds(seen, preset.rule);
  if (trained.empty()) {
    result.notes.push_back(
        fmt::format("untrained: {} {}: every window had too few peers or was under the noise floor",
                    group, metric));
    return;
  }
  for (const auto& [component, one] : trained) {
    result.thresholds.components[group][metric][component] = one.threshold;
    const auto& degree = seen.at(component);
    if (degree) {
      result.degrees_seen[group][metric][component] = *degree;
    }
    const auto where = fmt::format("{} {} of {}", group, metric, component);
    if (one.median) {
      result.notes.push_back("no training window: " + where + " has its group's median");
    }
    if (one.deviant) {
      result.notes.push_back(
          fmt::format("already deviant in training: {} reached {:.3g}: it has its group's "
                      "threshold {:.3g}, and "
                      "is flagged if it goes on like that",
                      where, degree.value_or(0), one.threshold));
      result.deviant[group][metric][component] = degree.value_or(0);
    }
    if (one.capped) {
      result.notes.push_back(fmt::format(
          "already deviant in training: {} reached {:.3g}: its threshold is held at {:.3g}", where,
          degree.value_or(0), one.threshold));
    }
    if (one.blind) {
      result.notes.push_back(fmt::format(
          "blind: {}: threshold {:.3g}, and no distance can be over {:.3g}: nothing will ever be "
          "found on it; train it on data where it is like its peers",
          where, one.threshold, result.largest_distance.value_or(0)));
    }
  }
}

}  // namespace limpet
