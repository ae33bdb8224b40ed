// Training against the formula written down slowly, and what it writes against what is read back.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/detect/detectors.h"
#include "diagnoser/detect/thresholds_text.h"
#include "diagnoser/detect/training.h"

namespace {

using limpet::TrainingRun;
using Seen = std::map<std::string, std::optional<double>, std::less<>>;

constexpr double kAbsent = -1;

double KthLargest(std::vector<double> values, std::size_t k) {
  std::sort(values.rbegin(), values.rend());
  return values.at(k - 1);
}

std::optional<double> Slow(const std::vector<double>& degrees, std::size_t k) {
  std::vector<double> present;
  std::copy_if(degrees.begin(), degrees.end(), std::back_inserter(present),
               [](double degree) { return degree != kAbsent; });
  if (present.empty()) {
    return std::nullopt;
  }
  if (present.size() < 2 * k - 1) {
    return KthLargest(present, present.size() < k ? 1 : k);
  }
  double most = 0;
  for (std::size_t i = 0; i + 2 * k - 1 <= degrees.size(); ++i) {
    std::vector<double> run;
    for (std::size_t j = i; j < i + 2 * k - 1; ++j) {
      run.push_back(std::max(0.0, degrees[j]));
    }
    most = std::max(most, KthLargest(std::move(run), k));
  }
  return most;
}

void Check(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void CheckThresholds(const Seen& seen, const limpet::PresetSettings& preset) {
  const auto rule = limpet::MakeDetector(preset)->Training();
  const auto trained = limpet::TrainThresholds(seen, rule);
  const bool any =
      std::any_of(seen.begin(), seen.end(), [](const auto& one) { return one.second.has_value(); });
  Check(trained.size() == (any ? seen.size() : 0));
  limpet::Thresholds thresholds{.preset = preset.name,
                                .settings = limpet::SettingsForTraining(preset)};
  for (const auto& [component, one] : trained) {
    const auto& degree = seen.at(component);
    Check(std::isfinite(one.threshold) && one.threshold > 0);
    Check(one.median == !degree.has_value());
    // Not over the threshold, but for the rounding to tenths and the cap.
    Check(one.median || one.capped || *degree <= one.threshold + 1e-9);
    Check(one.blind == (rule.largest && one.threshold >= *rule.largest));
    thresholds.components["g"]["await"][component] = one.threshold;
  }
  thresholds.FillMedians();
  const auto text = limpet::ThresholdsText(
      {.program = "p", .inputs = {}, .presets = {{.thresholds = thresholds}}});
  const auto back = limpet::ParseThresholds(text, "t.yml");
  Check(back && back->size() == 1 && back->front() == thresholds);
}

}  // namespace

// The first bytes: k, scale, cap, distance. Then components, parted by 255: a byte a window time,
// 254 is absent.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4 || size > 4096) {
    return 0;
  }
  const std::size_t k = 1 + data[0] % 5U;
  auto preset = data[3] % 2 == 0 ? limpet::TestbenchPreset() : limpet::BarePreset();
  preset.training_scale = 1 + data[1] / 16.0;
  preset.training_cap = data[2] == 0 ? 0 : 1 + data[2] / 32.0;
  std::vector<std::vector<double>> components(1);
  std::string names;
  for (const std::uint8_t byte : std::span(data, size).subspan(4)) {
    if (byte == 255) {
      components.emplace_back();
    } else {
      components.back().push_back(byte == 254 ? kAbsent : byte / 25.0);
      names += static_cast<char>(byte & 0x7fU);
    }
  }
  Seen seen;
  for (std::size_t i = 0; i < components.size(); ++i) {
    TrainingRun run;
    for (std::size_t time = 0; time < components[i].size(); ++time) {
      if (components[i][time] != kAbsent) {
        run.Add(static_cast<std::int64_t>(time), components[i][time], k);
      }
    }
    const auto degree = run.Degree(k);
    Check(degree == Slow(components[i], k));
    seen[std::to_string(i) + names.substr(0, 8 * i)] = degree;
  }
  CheckThresholds(seen, preset);
  return 0;
}
