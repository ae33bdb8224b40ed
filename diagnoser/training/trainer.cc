#include "diagnoser/training/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "diagnoser/detect/stats.h"

namespace limpet {
namespace {

// Pooled, a quarter of a group decides the spread: one faulty component of four widens the bins
// until it fits into them.
constexpr std::size_t kTooFewForPooled = 4;

// The comparison gives 0 for everybody and makes no bins in two cases; this one is no measurement.
bool IsUnderNoiseFloor(const WindowEvent& window, const PresetSettings& preset) {
  if (preset.distance == DistanceKind::kW1 || window.undetermined || window.bins > 0) {
    return false;
  }
  const double lo = window.lo.value_or(0);
  const double hi = window.hi.value_or(0);
  return !Near(lo, hi) || hi - lo < preset.NoiseFloor(window.metric) ||
         hi - lo < preset.noise_floor_relative * std::abs(hi);
}

Duration ShiftOf(const PresetSettings& preset) {
  return preset.step * static_cast<Duration::rep>(preset.shift);
}

}  // namespace

PipelineConfig ConfigForTraining(PipelineConfig config) {
  config.thresholds.clear();
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
    presets_.push_back({.settings = settings, .groups = {}, .windows = 0, .last = std::nullopt});
  }
}

void Trainer::Take(const Event& event) {
  if (const auto* window = std::get_if<WindowEvent>(&event)) {
    TakeWindow(*window);
  } else if (const auto* second = std::get_if<CwndEvent>(&event)) {
    TakeCwnd(*second);
  }
}

void Trainer::TakeWindow(const WindowEvent& window) {
  const auto found = std::find_if(presets_.begin(), presets_.end(), [&](const Preset& preset) {
    return preset.settings.name == window.preset;
  });
  if (found == presets_.end() || left_out_.contains(window.group)) {
    return;
  }
  auto& preset = *found;
  preset.windows += preset.last != window.end ? 1U : 0U;
  preset.last = window.end;
  auto& metric = preset.groups[window.group][window.metric];
  metric.most_peers = std::max(metric.most_peers, window.n);
  const bool measured = !window.undetermined && !IsUnderNoiseFloor(window, preset.settings);
  const auto time = window.end.time_since_epoch() / ShiftOf(preset.settings);
  for (const auto& component : window.components) {
    auto& run = metric.components[component.component];
    const auto degree =
        preset.settings.distance == DistanceKind::kW1 ? component.window_degree : component.s;
    if (measured && degree) {
      run.Add(time, *degree, preset.settings.k);
    }
  }
}

void Trainer::TakeCwnd(const CwndEvent& second) {
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
  result.largest_distance = LargestDistance(preset.settings);
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
    if (preset.settings.distance != DistanceKind::kW1 &&
        preset.settings.bins == BinRule::kFreedmanDiaconis &&
        preset.settings.iqr == IqrKind::kPooled && most_peers <= kTooFewForPooled) {
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
  const auto trained = TrainThresholds(seen, TrainingRuleOf(preset.settings));
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
