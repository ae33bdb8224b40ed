// web_pages.h: what the diagnoser answers at which path.
//
//   /  /metrics  /-/healthy  /-/ready  /api/v1/targets  /api/v1/verdicts
//   /api/v1/persistent?metric=await&limit=20  and those of live_pages.h
//
// Threads: the handler runs on the web server's thread; `latest` must be safe to call from it.
#pragma once

#include <functional>
#include <memory>

#include "diagnoser/runtime/live_pages.h"
#include "diagnoser/runtime/monitor.h"
#include "exporter/common/web/http.h"

namespace limpet {

// `live`: of the live page; without `live.latest` there is neither page nor stream.
[[nodiscard]] web::Handler WebPages(std::function<std::shared_ptr<const Published>()> latest,
                                    const LiveSource& live = {});

}  // namespace limpet
