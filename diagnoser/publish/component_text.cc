#include "diagnoser/publish/component_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnoser/metrics/catalog.h"

namespace limpet {
namespace {

// Null: no peer group compares by it.
const GroupKindRow* FindKind(std::string_view metric) {
  const auto found =
      std::find_if(kGroupKindRows.begin(), kGroupKindRows.end(), [&](const GroupKindRow& kind) {
        return std::any_of(kind.metrics.begin(), kind.metrics.end(), [&](const MetricRow& row) {
          return row.name == metric || row.label == metric;
        });
      });
  return found == kGroupKindRows.end() ? nullptr : &*found;
}

// The cut is at the first slash: nodes have none in their names, devices may ("cciss/c0d0").
std::string DescribeDevice(std::string_view component) {
  const auto slash = component.find('/');
  return slash == std::string_view::npos ? std::string(component)
                                         : fmt::format("disk {} of {}", component.substr(slash + 1),
                                                       component.substr(0, slash));
}

}  // namespace

std::string DescribeComponent(std::string_view component, std::string_view metric) {
  const auto* const kind = FindKind(metric);
  if (kind == nullptr) {
    return std::string(component);
  }
  return kind->per_device
             ? DescribeDevice(component)
             : fmt::format("{} of {}", kind->by_connection ? "connections" : "network", component);
}

std::string DescribeComponent(const VerdictEvent& verdict) {
  return verdict.evidence.empty() ? verdict.node
                                  : DescribeComponent(verdict.evidence.front().component,
                                                      verdict.evidence.front().metric);
}

std::string Rounded(double value) {
  const double size = std::fabs(value);
  return size >= 100  ? fmt::format("{:.0f}", value)
         : size >= 10 ? fmt::format("{:.1f}", value)
                      : fmt::format("{:.2f}", value);
}

}  // namespace limpet
