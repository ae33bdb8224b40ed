#include "exporter/pages.h"

#include <utility>

#include "exporter/common/web/landing.h"
#include "exporter/common/web/metrics_page.h"
#include "exporter/common/web/router.h"
#include "exporter/probe_page.h"

namespace limpet {
namespace {

web::Response MetricsPage(const SnapshotSlot& slot, const std::function<void(UnixTime)>& shown,
                          const web::Request& request) {
  const auto snapshot = slot.Latest();
  if (!snapshot) {
    return web::Text(503, "no sample yet; the first one comes within two seconds\n");
  }
  if (shown) {
    shown(snapshot->At());
  }
  // Rendered when it is first asked for and shared from then on: many scrapers cost one page.
  return web::MetricsResponse(
      request, [&](Format format, bool gzip) { return snapshot->Page(format, gzip); });
}

}  // namespace

web::Handler ExporterPages(const SnapshotSlot& slot, Prober* prober,
                           std::function<void(UnixTime)> shown) {
  web::Router router;
  router.Add("/metrics", [&slot, shown = std::move(shown)](const auto& request) {
    return MetricsPage(slot, shown, request);
  });
  if (prober != nullptr) {
    router.Add("/probe/disk", ProbePage(*prober));
  }
  router.AddHealth("limpet-exporter", [&slot] { return slot.Latest() != nullptr; });
  router.Add("/", web::LandingHandler(
                      {.name = "limpet-exporter",
                       .description = "Disks, network and TCP connections, sampled once a second.",
                       .version = LIMPET_VERSION,
                       .links = {{"/metrics", "Metrics", "the latest sample, for Prometheus"},
                                 {"/-/healthy", "Health", "200 while it answers"},
                                 {"/-/ready", "Readiness", "200 once there is a sample"}}}));
  return router.AsHandler();
}

}  // namespace limpet
