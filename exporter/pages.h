// pages.h: what the exporter's web server answers: the page of metrics, health and a landing page.
//
// Threads: the handler is called by the web server's; the slot may be filled by another.
#pragma once

#include "exporter/common/web/server.h"
#include "exporter/sampler/snapshot.h"

namespace limpet {

// `slot` must outlive the handler. Before its first snapshot /metrics and /-/ready answer 503.
[[nodiscard]] web::Handler ExporterPages(const SnapshotSlot& slot);

}  // namespace limpet
