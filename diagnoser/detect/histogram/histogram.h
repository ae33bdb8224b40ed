// histogram.h: what the two histogram detectors share: common bins for a window, and nothing said
// under the noise floor.
//
// Threads: as Detector.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/detect/detector.h"
#include "diagnoser/detect/histogram/bins.h"
#include "diagnoser/detect/kernels/all_pairs.h"
#include "diagnoser/detect/preset.h"

namespace limpet {

class HistogramDetector : public Detector {
 public:
  // `preset` must outlive the detector.
  explicit HistogramDetector(const PresetSettings& preset) : preset_(&preset) {}

  using Detector::Compare;
  [[nodiscard]] Comparison Compare(const WindowSamples& window,
                                   const BoundWillDo& bound_will_do) const override;
  [[nodiscard]] PeerDistances Explain(const WindowSamples& window, const Comparison& comparison,
                                      std::size_t component, double threshold) const override;
  [[nodiscard]] TrainingRule Training() const override;

 protected:
  [[nodiscard]] const PresetSettings& Preset() const { return *preset_; }
  // Returns the most that a window can have.
  [[nodiscard]] std::size_t MaxBins() const;

 private:
  [[nodiscard]] virtual std::unique_ptr<Pairs> MakePairs(const SampleSet& samples,
                                                         const BinRange& bins) const = 0;
  // One row of the distances, in the order of the samples; that to itself is left 0.
  [[nodiscard]] virtual std::vector<double> DistancesFrom(std::size_t component,
                                                          const SampleSet& samples,
                                                          const BinRange& bins) const = 0;
  // Returns the distance between components whose samples are in different bins.
  [[nodiscard]] virtual double LargestDistance() const = 0;
  [[nodiscard]] bool IsNoise(const WindowSamples& window, const Comparison& comparison) const;
  [[nodiscard]] std::size_t CountBins(const WindowSamples& window, double range) const;

  const PresetSettings* preset_;
};

// The rows that `make_row` makes of each component's histogram, one after the other.
template <class MakeRow>
[[nodiscard]] std::vector<double> HistogramRows(const SampleSet& samples, const BinRange& bins,
                                                const MakeRow& make_row) {
  std::vector<double> rows;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto row = make_row(CountInBins(samples.Of(i), bins));
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

// `distance_to(samples)` of every component but `self`, in order; 0 in its place.
template <class DistanceTo>
[[nodiscard]] std::vector<double> DistancesToOthers(std::size_t self, const SampleSet& samples,
                                                    const DistanceTo& distance_to) {
  std::vector<double> distances(samples.size(), 0.0);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i != self) {
      distances[i] = distance_to(samples.Of(i));
    }
  }
  return distances;
}

}  // namespace limpet
