// histograms.h: log2 histograms of the kernel's as the buckets of Prometheus' ones.
//
// Units:   whatever the edges are given in; for times, nanoseconds become seconds.
// Threads: pure; the labels are values that may be shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exporter/common/exposition/sample.h"

namespace limpet {

// The choice of the kernel's buckets that are edges on the page. Bucket i of the kernel's holds
// what is at most 2^(first_log2 + i) · unit; its last one holds everything larger and is never an
// edge.
struct HistogramShape {
  int first_log2 = 0;
  double unit = 1;        // of the kernel's number in the page's: 1e-9 for nanoseconds
  std::size_t first = 0;  // the lowest edge on the page
  std::size_t last = 0;   // the highest; +Inf comes by itself
  std::size_t step = 1;   // every so many buckets
};

// The label sets of one histogram, made once.
struct HistogramLabels {
  std::vector<LabelsPtr> buckets;  // with `le`, +Inf last
  LabelsPtr plain;                 // of sum and count
};

[[nodiscard]] HistogramLabels MakeHistogramLabels(const LabelSet::Pairs& pairs,
                                                  const HistogramShape& shape);

// `counts` are the kernel's buckets, `sum` is in the page's unit. Count and +Inf are the same
// number, whatever the kernel counts meanwhile.
void AddHistogram(Family& family, const HistogramLabels& labels, const HistogramShape& shape,
                  std::span<const std::uint64_t> counts, double sum);

}  // namespace limpet
