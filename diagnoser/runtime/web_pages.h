// web_pages.h: what the diagnoser answers at which path.
//
//   /  /metrics  /-/healthy  /-/ready  /api/v1/targets  /api/v1/verdicts
//   /api/v1/persistent?metric=await&limit=20
//
// Threads: the handler runs on the web server's thread; `latest` must be safe to call from it.
#pragma once

#include <functional>
#include <memory>

#include "diagnoser/runtime/monitor.h"
#include "exporter/common/web/http.h"

namespace limpet {

[[nodiscard]] web::Handler WebPages(std::function<std::shared_ptr<const Published>()> latest);

}  // namespace limpet
