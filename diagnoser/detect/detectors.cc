#include "diagnoser/detect/detectors.h"

#include <cstddef>
#include <string_view>

#include "diagnoser/detect/histogram/cdf.h"
#include "diagnoser/detect/histogram/kl.h"
#include "diagnoser/detect/mad.h"
#include "diagnoser/detect/wasserstein/wasserstein.h"

namespace limpet {
namespace {

template <class Kind>
std::unique_ptr<const Detector> Make(const PresetSettings& preset) {
  return std::make_unique<const Kind>(preset);
}

struct Row {
  std::string_view name;
  std::unique_ptr<const Detector> (*make)(const PresetSettings&);
};

// New rows go to the end: state files remember the number of a preset's row.
constexpr Row kDetectors[] = {
    {"kl", Make<KlDetector>},
    {"cdf", Make<CdfDetector>},
    {"w1", Make<WassersteinDetector>},
    {"mad", Make<MadDetector>},
};

// The only place that asks for a DistanceKind: it is the number of a row.
const Row& FindRow(const PresetSettings& preset) {
  return kDetectors[static_cast<std::size_t>(preset.distance)];
}

}  // namespace

std::unique_ptr<const Detector> MakeDetector(const PresetSettings& preset) {
  return FindRow(preset).make(preset);
}

std::string DetectorName(const PresetSettings& preset) { return std::string(FindRow(preset).name); }

std::vector<std::string> DetectorNames() {
  std::vector<std::string> names;
  for (const auto& row : kDetectors) {
    names.emplace_back(row.name);
  }
  return names;
}

}  // namespace limpet
