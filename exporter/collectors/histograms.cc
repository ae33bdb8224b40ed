#include "exporter/collectors/histograms.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace limpet {
namespace {

std::string EdgeText(const HistogramShape& shape, std::size_t bucket) {
  const double edge = std::ldexp(1.0, shape.first_log2 + static_cast<int>(bucket)) * shape.unit;
  std::array<char, 32> text{};
  // Fifteen digits: 2^10 · 1e-9 is not quite the double of 1.024e-06.
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), edge, std::chars_format::general, 15)
          .ptr;
  return {text.data(), end};
}

LabelsPtr WithBound(LabelSet::Pairs pairs, std::string bound) {
  pairs.emplace_back("le", std::move(bound));
  return MakeLabels(pairs);
}

}  // namespace

HistogramLabels MakeHistogramLabels(const LabelSet::Pairs& pairs, const HistogramShape& shape) {
  HistogramLabels labels;
  labels.plain = MakeLabels(pairs);
  for (std::size_t i = shape.first; i <= shape.last; i += shape.step) {
    labels.buckets.push_back(WithBound(pairs, EdgeText(shape, i)));
  }
  labels.buckets.push_back(WithBound(pairs, "+Inf"));
  return labels;
}

void AddHistogram(Family& family, const HistogramLabels& labels, const HistogramShape& shape,
                  std::span<const std::uint64_t> counts, double sum) {
  std::uint64_t below = 0;
  std::size_t counted = 0;
  auto label = labels.buckets.begin();
  for (std::size_t i = shape.first; i <= shape.last; i += shape.step) {
    for (; counted <= i; ++counted) {
      below += counts[counted];
    }
    family.samples.push_back({*label++, static_cast<double>(below), SamplePart::kBucket});
  }
  for (; counted < counts.size(); ++counted) {
    below += counts[counted];
  }
  family.samples.push_back({*label, static_cast<double>(below), SamplePart::kBucket});
  family.samples.push_back({labels.plain, sum, SamplePart::kSum});
  family.samples.push_back({labels.plain, static_cast<double>(below), SamplePart::kCount});
}

}  // namespace limpet
