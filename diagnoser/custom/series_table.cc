#include "diagnoser/custom/series_table.h"

#include <algorithm>
#include <utility>

#include "exporter/common/expression.h"

namespace limpet {

struct CustomSeriesTable::Matcher {
  std::string name;
  Expression expression;
  bool negate = false;

  [[nodiscard]] bool Takes(const LabelPairs& labels) const {
    return expression.Matches(FindLabel(labels, name)) != negate;
  }
};

// A count may be that of several means, and a counter by itself: each is a use of its own.
CustomSeriesTable::CustomSeriesTable(std::span<const CustomMetric> metrics) {
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const auto& metric = metrics[i];
    const bool histogram = metric.shape == CustomShape::kHistogram;
    const auto part = !metric.asks.empty() ? CustomPart::kAsker
                      : histogram          ? CustomPart::kBucket
                                           : CustomPart::kValue;
    Add(histogram ? metric.series + std::string(kBucketSuffix) : metric.series, i, part);
    if (!metric.count.empty()) {
      Add(metric.count, i, CustomPart::kCount);
    }
    for (const auto* join : {&metric.node.join, &metric.device.join, &metric.peers.join}) {
      if (!join->series.empty()) {
        Add(join->series, i, CustomPart::kInfo);
      }
    }
    auto& matchers = matchers_.emplace_back();
    for (const auto& label : metric.labels) {
      // The configuration has been checked: all of them compile.
      matchers.push_back({label.name, *Expression::Compile(label.regex), label.negate});
    }
  }
}

CustomSeriesTable::~CustomSeriesTable() = default;
CustomSeriesTable::CustomSeriesTable(CustomSeriesTable&&) noexcept = default;
CustomSeriesTable& CustomSeriesTable::operator=(CustomSeriesTable&&) noexcept = default;

// One reading of an info series serves all metrics that join over it.
void CustomSeriesTable::Add(const std::string& name, std::size_t metric, CustomPart part) {
  auto& uses = uses_[name];
  const bool known = part == CustomPart::kInfo &&
                     std::ranges::find(uses, CustomPart::kInfo, &CustomUse::part) != uses.end();
  if (!known) {
    uses.push_back({.metric = metric, .part = part});
  }
}

std::vector<CustomUse> CustomSeriesTable::Find(std::string_view name,
                                               const LabelPairs& labels) const {
  std::vector<CustomUse> found;
  const auto uses = uses_.find(name);
  if (uses == uses_.end()) {
    return found;
  }
  for (const auto& use : uses->second) {
    const auto& matchers = matchers_[use.metric];
    if (use.part == CustomPart::kInfo ||
        std::ranges::all_of(matchers, [&](const Matcher& one) { return one.Takes(labels); })) {
      found.push_back(use);
    }
  }
  return found;
}

std::vector<std::string> CustomSeriesTable::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, uses] : uses_) {
    names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::string_view FindLabel(const LabelPairs& labels, std::string_view name) {
  const auto found = std::ranges::find(labels, name, &LabelPairs::value_type::first);
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace limpet
