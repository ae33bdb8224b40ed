// incident_events.h: events of one limping disk, for tests of reports.
#pragma once

#include <string>

#include "diagnoser/verdict/events.h"

namespace limpet::testing {

inline constexpr auto kReportBegin = UnixFromSeconds(1'700'006'400);  // 2023-11-15T00:00:00Z

inline VerdictEvent DiskBusy(std::int64_t second, const std::string& node, double degree) {
  return {.end = kReportBegin + std::chrono::seconds(second),
          .preset = "default",
          .node = node,
          .cause = Cause::kDiskBusy,
          .rank = 1,
          .degree = degree,
          .evidence = {{.component = node + "/sdb",
                        .group = "disks",
                        .metric = "await",
                        .degree = degree,
                        .threshold = 1,
                        .mean = 10 * degree,
                        .peer_median = 10,
                        .peers = 4,
                        .far = 4,
                        .windows = {kReportBegin + std::chrono::seconds(second)},
                        .accumulator = 1,
                        .episodes = 1}}};
}

// A window in which every component has the mean `value`, and io04/sdb another.
inline WindowEvent AwaitWindow(std::int64_t second, double value, double odd) {
  WindowEvent window{.end = kReportBegin + std::chrono::seconds(second),
                     .preset = "default",
                     .group = "disks",
                     .metric = "await",
                     .n = 3,
                     .components = {}};
  for (const auto* name : {"io01/sdb", "io02/sdb", "io04/sdb"}) {
    ComponentWindow component{.component = name};
    component.mean = std::string_view(name) == "io04/sdb" ? odd : value;
    component.peer_median = value;
    window.components.push_back(component);
  }
  return window;
}

}  // namespace limpet::testing
