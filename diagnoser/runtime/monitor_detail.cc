// How many components the monitor's page shows.
#include <fmt/format.h>

#include <utility>

#include "diagnoser/publish/metrics.h"
#include "diagnoser/runtime/monitor.h"

namespace limpet {

void Monitor::AdaptDetail(const PipelineView& view) {
  const auto before = std::exchange(detail_, ChooseDetail(settings_.publish.detail, view, detail_));
  if (settings_.publish.detail == Detail::kAuto && before == Detail::kAll &&
      detail_ != Detail::kAll) {
    limited_log_.Write(
        LogLevel::kInfo, "detail",
        fmt::format("{} components and metrics: /metrics shows those alone that are or were "
                    "flagged (limpet_components_left_out counts the others); all of them with "
                    "publish.detail: all",
                    view.components.size()));
  }
}

}  // namespace limpet
