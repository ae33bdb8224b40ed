#include "diagnoser/config/custom_slips.h"

#include <fmt/format.h>

#include "diagnoser/custom/series_table.h"
#include "exporter/common/closest.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxTexts = 100;

// The last part says what is measured: names of other exporters share beginnings.
std::vector<std::string> WithSameBegin(const std::string& name,
                                       const std::set<std::string>& names) {
  const auto begin = name.substr(0, name.find('_') + 1);
  std::vector<std::string> near;
  for (auto one = names.lower_bound(begin); one != names.end() && one->starts_with(begin); ++one) {
    near.push_back(*one);
  }
  return near.empty() ? std::vector<std::string>(names.begin(), names.end()) : near;
}

}  // namespace

std::vector<std::string> FindCustomSlips(std::span<const CustomMetric> metrics,
                                         const std::set<std::string>& names) {
  std::vector<std::string> texts;
  for (const auto& metric : metrics) {
    for (const auto& name : CustomSeriesTable(std::span(&metric, 1)).Names()) {
      if (!names.contains(name) && texts.size() < kMaxTexts) {
        texts.push_back(fmt::format("metrics: {}: no target has the series {}{}", metric.name, name,
                                    DidYouMean(name, WithSameBegin(name, names))));
      }
    }
  }
  return texts;
}

}  // namespace limpet
