// pages.h: what the exporter's web server answers: the page of metrics, health and a landing page.
//
// Threads: the handler is called by the web server's; the slot may be filled by another.
#pragma once

#include <functional>

#include "exporter/common/time.h"
#include "exporter/common/web/server.h"
#include "exporter/probe/prober.h"
#include "exporter/sampler/snapshot.h"

namespace limpet {

// `slot` and `prober` must outlive the handler. Before the slot's first snapshot /metrics and
// /-/ready answer 503. Without a prober there is no /probe/disk. `shown` is told of each page of
// metrics when its sample was taken.
[[nodiscard]] web::Handler ExporterPages(const SnapshotSlot& slot, Prober* prober = nullptr,
                                         std::function<void(UnixTime)> shown = {});

}  // namespace limpet
