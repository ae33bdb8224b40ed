// web_pages.h: what the diagnoser answers at which path.
//
//   /  /metrics  /-/healthy  /-/ready  /api/v1/targets  /api/v1/verdicts
//   /api/v1/persistent?metric=await&limit=20  and those of live_pages.h
//
// Threads: the handler runs on the web server's thread; `latest` must be safe to call from it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "diagnoser/runtime/incident_pages.h"
#include "diagnoser/runtime/live_pages.h"
#include "diagnoser/runtime/monitor.h"
#include "exporter/common/web/http.h"

namespace limpet {

// `live`: of the live page; without `live.latest` there is neither page nor stream.
// `keeper`: of the history of incidents; null: there is none. It and the clock must outlive them.
[[nodiscard]] web::Handler WebPages(std::function<std::shared_ptr<const Published>()> latest,
                                    const LiveSource& live = {}, IncidentKeeper* keeper = nullptr,
                                    const Clock* clock = nullptr);

// The same pages for those who ask the right server (host_check.h): where nobody is asked for a
// password, a request for another name than `allowed` gives is 421, but for /metrics and health.
// `allowed` must be safe to call from the server's thread.
[[nodiscard]] web::Handler GuardHosts(
    web::Handler pages, std::function<std::shared_ptr<const std::vector<std::string>>()> allowed);

}  // namespace limpet
