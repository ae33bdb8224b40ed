#include "diagnoser/runtime/web_pages.h"

#include <string>
#include <utility>

#include "diagnoser/publish/api.h"
#include "diagnoser/publish/top.h"
#include "diagnoser/runtime/documents.h"
#include "diagnoser/runtime/page_assets.h"
#include "exporter/common/text.h"
#include "exporter/common/utf8.h"
#include "exporter/common/web/host_check.h"
#include "exporter/common/web/landing.h"
#include "exporter/common/web/metrics_page.h"
#include "exporter/common/web/router.h"
#include "exporter/common/web/target.h"

namespace limpet {
namespace {

web::Response MetricsPage(const Published& published, const web::Request& request) {
  return web::MetricsResponse(
      request, [&](Format format, bool gzip) { return published.page->Get(format, gzip); });
}

web::Response JsonPage(std::string text) {
  auto response = web::Text(200, std::move(text));
  response.content_type = "application/json";
  return response;
}

web::Handler Always(std::string text, std::string content_type) {
  auto page = web::Text(200, std::move(text));
  page.content_type = std::move(content_type);
  return [page](const web::Request&) { return page; };
}

constexpr std::size_t kUsualTop = 20;

web::Response Persistent(const Published& published, const web::Request& request) {
  const auto metric = web::QueryValue(request.query, "metric").value_or("");
  const auto limit = web::QueryValue(request.query, "limit");
  const auto number = limit ? ParseU64(*limit) : kUsualTop;
  if (!number || *number == 0 || (!metric.empty() && !IsTopMetric(metric))) {
    return web::Text(400, "expected metric: a metric such as await; limit: a number over 0\n");
  }
  return JsonPage(TopJson(MakeTopList(*published.view, metric, *number)));
}

web::Landing Landing() {
  return {
      .name = "limpet-diagnoser",
      .description = "Finds the server that limps by comparing it with its peers.",
      .version = LIMPET_VERSION,
      .links = {{"/metrics", "Metrics", "flags, degrees, verdicts, for Prometheus"},
                {"/api/v1/verdicts", "Verdicts", "who is the culprit now, and why"},
                {"/api/v1/judged", "Judged servers", "who is compared, who is not, and why"},
                {"/api/v1/incidents", "Incidents", "what was said in months, and the answers"},
                {"/api/v1/persistent", "Persistent anomalies", "who is flagged again and again"},
                {"/api/v1/groups", "Peer groups", "how many components are compared, or missing"},
                {"/api/v1/targets", "Targets", "which nodes are asked, and how that goes"},
                {"/api/v1/openapi.yaml", "OpenAPI", "the live page's API, for programs"},
                {"/playbooks", "Playbooks", "what each alert means, and what to do"},
                {"/-/healthy", "Health", "the program runs"},
                {"/-/ready", "Readiness", "every target has been tried"}}};
}

// The one thing that a request may change.
bool TakesPost(std::string_view path) {
  return path.starts_with("/api/v1/incidents/") && path.ends_with("/answer");
}

}  // namespace

web::Handler WebPages(std::function<std::shared_ptr<const Published>()> latest,
                      const LiveSource& live, IncidentKeeper* keeper, const Clock* clock) {
  web::Router router;
  router.Add("/", web::LandingHandler(Landing()));
  if (live.latest) {
    AddLivePages(router, live);
    AddPage(router, live.ui ? PageAssets() : std::span<const Asset>());
  }
  if (keeper != nullptr) {
    AddIncidentPages(router, *keeper, *clock);
  }
  router.Add("/metrics",
             [latest](const web::Request& request) { return MetricsPage(*latest(), request); });
  router.Add("/api/v1/targets",
             [latest](const web::Request&) { return JsonPage(TargetsJson(latest()->targets)); });
  router.Add("/api/v1/verdicts", [latest, live](const web::Request& request) {
    if (auto history = AnswerVerdictHistory(live, request)) {
      return *std::move(history);
    }
    return JsonPage(VerdictsJson(*latest()->view));
  });
  router.Add("/api/v1/groups",
             [latest](const web::Request&) { return JsonPage(GroupsJson(*latest()->view)); });
  router.Add("/api/v1/persistent",
             [latest](const web::Request& request) { return Persistent(*latest(), request); });
  router.Add("/api/v1/openapi.yaml", Always(std::string(OpenApiText()), "application/yaml"));
  // A build without Node.js has no rendered documents: the text then, for the links of alerts.
  router.Add("/playbooks", Always(std::string(PlaybooksText()), "text/plain; charset=utf-8"));
  AddAssets(router, DocumentAssets());
  router.AddHealth("limpet-diagnoser", [latest = std::move(latest)] { return latest()->ready; });
  return [pages = router.AsHandler()](const web::Request& request) {
    if (request.method == "POST" && !TakesPost(request.path)) {
      auto response = web::Text(405, "405 Method Not Allowed\n");
      response.headers.emplace_back("Allow", "GET, HEAD");
      return response;
    }
    return pages(request);
  };
}

// Prometheus and probes of health ask by whatever name they are given, and read nothing that the
// page of another site could use.
web::Handler GuardHosts(web::Handler pages,
                        std::function<std::shared_ptr<const std::vector<std::string>>()> allowed) {
  return [pages = std::move(pages), allowed = std::move(allowed)](const web::Request& request) {
    const bool for_all = request.path == "/metrics" || request.path.starts_with("/-/");
    if (request.is_authenticated || for_all || web::IsAllowedHost(request.host, *allowed())) {
      return pages(request);
    }
    const auto name = Printable(web::HostName(request.host));
    return web::Text(421, "this server is not known as \"" + name +
                              "\"; it answers to its addresses, localhost, the names of its "
                              "machine, and those of diagnoser.yml: web: {allowed_hosts: [" +
                              name + "]}\n");
  };
}

}  // namespace limpet
