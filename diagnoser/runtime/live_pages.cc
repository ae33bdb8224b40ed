#include "diagnoser/runtime/live_pages.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "diagnoser/publish/activity_api.h"
#include "diagnoser/publish/api_seconds.h"
#include "diagnoser/publish/evidence_api.h"
#include "diagnoser/publish/frame_text.h"
#include "diagnoser/publish/judgement_pages.h"
#include "diagnoser/publish/past_api.h"
#include "diagnoser/publish/series_api.h"
#include "diagnoser/runtime/live_stream.h"
#include "exporter/common/exposition/codec.h"
#include "exporter/common/exposition/negotiate.h"
#include "exporter/common/instants.h"
#include "exporter/common/text.h"
#include "exporter/common/web/target.h"

namespace limpet {
namespace {

constexpr std::size_t kWorthCompressing = 1000;
web::Response BadRequest(std::string_view reason) {
  return ErrorResponse(400, "bad_request", reason);
}

struct Times {
  std::optional<UnixTime> from;
  std::optional<UnixTime> to;
  bool good = true;
};

// A key that is there and no number is a mistake.
std::optional<UnixTime> ReadTime(std::string_view query, std::string_view key, bool& good) {
  const auto text = web::QueryValue(query, key);
  if (!text) {
    return std::nullopt;
  }
  const auto seconds = ParseDouble(*text);
  const auto at = seconds ? InstantFromSeconds(*seconds) : std::nullopt;
  good = good && at;
  return at;
}

Times ReadTimes(std::string_view query) {
  Times times;
  times.from = ReadTime(query, "from", times.good);
  times.to = ReadTime(query, "to", times.good);
  return times;
}

constexpr std::string_view kWantTimes = "expected from and to: Unix seconds, such as 1795314848.5";

TimeSpan FillSpan(const Times& times) {
  return {.from = times.from.value_or(UnixTime()), .to = times.to.value_or(kLatestInstant)};
}

web::Response EvidenceById(const LiveView& live, const web::Request& request, std::string_view id) {
  const auto* const record = FindVerdict(live, id);
  return record != nullptr
             ? JsonResponse(request, EvidenceJson(live, *record))
             : ErrorResponse(404, "not_found",
                             "no evidence of that id is kept: it may be older than the history "
                             "(publish.history), or from before the last start");
}

web::Response LatestEvidence(const LiveView& live, const web::Request& request) {
  const auto node = web::QueryValue(request.query, "node");
  const auto cause = web::QueryValue(request.query, "cause").value_or("");
  bool good = true;
  const auto at = ReadTime(request.query, "at", good);
  if (!node || !good) {
    return BadRequest("expected node, and perhaps cause and at, in Unix seconds");
  }
  const auto* const record = FindLatestVerdict(live, *node, cause, at);
  return record != nullptr ? JsonResponse(request, EvidenceJson(live, *record))
                           : ErrorResponse(404, "not_found", "no such verdict is kept");
}

web::Response Series(const LiveView& live, const web::Request& request) {
  const auto times = ReadTimes(request.query);
  const auto node = web::QueryValue(request.query, "node");
  if (!node || !times.good) {
    return BadRequest("expected node, and perhaps component, metric, from and to (Unix seconds)");
  }
  auto text =
      SeriesListJson(live, {.node = *node,
                            .component = web::QueryValue(request.query, "component").value_or(""),
                            .metric = web::QueryValue(request.query, "metric").value_or(""),
                            .from = times.from,
                            .to = times.to});
  return text ? JsonResponse(request, *std::move(text))
              : ErrorResponse(404, "not_found", "there is no node of that name");
}

web::Response Activity(const LiveView& live, const web::Request& request) {
  const auto times = ReadTimes(request.query);
  const auto node = web::QueryValue(request.query, "node");
  if (!node || !times.good) {
    return BadRequest("expected node, and perhaps from and to (Unix seconds)");
  }
  auto text = ActivityJson(live, *node, times.from, times.to);
  return text ? JsonResponse(request, *std::move(text))
              : ErrorResponse(404, "not_found", "there is no node of that name");
}

// The newest frame, whole, with our clock: what a federation asks for (docs/openapi.yaml).
web::Response WholeFrame(const LiveView& live, const Clock* clock, const web::Request& request) {
  if (live.frames.empty()) {
    return ErrorResponse(503, "not_ready", "there is no frame yet");
  }
  const FrameFilter filter{.columns = *ParseColumns(""), .groups = {}};
  const auto& frame = *live.frames.back();
  return JsonResponse(request,
                      fmt::format(R"({{"now":{},"frame":{}}})",
                                  ApiSeconds(clock == nullptr ? frame.time : clock->Now()),
                                  FrameJson(nullptr, frame, filter, filter.Pick(*frame.cluster))) +
                          "\n");
}

web::Response Past(const LiveSource& source, const web::Request& request) {
  bool good = true;
  const auto at = ReadTime(request.query, "at", good);
  if (!at || !good) {
    return BadRequest("expected at: Unix seconds, such as 1795314848.5");
  }
  return JsonResponse(request, source.recorded ? PastJson(*source.recorded->frames, *at)
                                               : PastJson(*source.latest(), *at));
}

// Made once for each view, however many viewers come back at once: that of 10,000 nodes takes a
// tenth of a second.
class ClusterAnswer {
 public:
  explicit ClusterAnswer(const LiveSource& source)
      : recording_(source.recorded ? std::optional(source.recorded->span) : std::nullopt),
        grafana_(source.grafana) {}

  web::Response Get(const std::shared_ptr<const LiveView>& live, const web::Request& request) {
    const bool gzip = Negotiate(request.accept, request.accept_encoding).gzip;
    if (made_of_ != live) {
      made_of_ = live;
      plain_ = JsonResponse({}, ClusterJson(*live, {.program = LIMPET_VERSION,
                                                    .grafana = grafana_ ? grafana_() : "",
                                                    .recording = recording_}));
      gzip_.reset();
    }
    if (!gzip || plain_.body->size() < kWorthCompressing) {
      return plain_;
    }
    if (!gzip_) {
      gzip_ = plain_;
      gzip_->content_encoding = "gzip";
      gzip_->body = std::make_shared<const std::string>(GzipEncode(*plain_.body));
    }
    return *gzip_;
  }

 private:
  std::optional<TimeSpan> recording_;
  std::function<std::string()> grafana_;
  std::shared_ptr<const LiveView> made_of_;
  web::Response plain_;
  std::optional<web::Response> gzip_;
};

}  // namespace

web::Response JsonResponse(const web::Request& request, std::string text) {
  const bool gzip =
      text.size() >= kWorthCompressing && Negotiate(request.accept, request.accept_encoding).gzip;
  auto response = web::Text(200, gzip ? GzipEncode(text) : std::move(text));
  response.content_type = "application/json";
  response.content_encoding = gzip ? "gzip" : "";
  response.headers.emplace_back("Vary", "Accept-Encoding");
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

web::Response ErrorResponse(int status, std::string_view code, std::string_view reason) {
  auto response = web::Text(status, ErrorJson(code, reason));
  response.content_type = "application/json";
  return response;
}

std::optional<web::Response> AnswerVerdictHistory(const LiveSource& source,
                                                  const web::Request& request) {
  if (!source.latest ||
      (!web::QueryValue(request.query, "from") && !web::QueryValue(request.query, "to"))) {
    return std::nullopt;
  }
  const auto times = ReadTimes(request.query);
  return times.good ? JsonResponse(request, VerdictHistoryJson(*source.latest(), FillSpan(times)))
                    : BadRequest(kWantTimes);
}

void AddLivePages(web::Router& router, const LiveSource& source) {
  const auto latest = source.latest;
  router.Add("/api/v1/cluster",
             [latest, answer = std::make_shared<ClusterAnswer>(source)](
                 const web::Request& request) { return answer->Get(latest(), request); });
  router.Add("/api/v1/evidence",
             [latest](const web::Request& request) { return LatestEvidence(*latest(), request); });
  constexpr std::string_view kEvidence = "/api/v1/evidence/";
  router.AddPrefix(std::string(kEvidence), [latest, kEvidence](const web::Request& request) {
    return EvidenceById(*latest(), request,
                        std::string_view(request.path).substr(kEvidence.size()));
  });
  router.Add("/api/v1/series",
             [latest](const web::Request& request) { return Series(*latest(), request); });
  router.Add("/api/v1/activity",
             [latest](const web::Request& request) { return Activity(*latest(), request); });
  router.Add("/api/v1/heat", [latest](const web::Request& request) {
    const auto times = ReadTimes(request.query);
    if (!times.good) {
      return BadRequest(kWantTimes);
    }
    const bool all = !times.from && !times.to;
    return JsonResponse(request,
                        HeatJson(*latest(), all ? std::nullopt : std::optional(FillSpan(times))));
  });
  router.Add("/api/v1/judged", [latest](const web::Request& request) {
    const auto all = web::QueryValue(request.query, "all").value_or("0");
    const auto node = web::QueryValue(request.query, "node").value_or("");
    return all == "0" || all == "1"
               ? JsonResponse(request,
                              JudgedJson(latest()->view->judgements, node,
                                         all == "1" ? JudgedList::kAll : JudgedList::kNotJudged))
               : BadRequest("expected all: 0 or 1");
  });
  router.Add("/api/v1/top", [latest](const web::Request& request) {
    const auto hourly = web::QueryValue(request.query, "hourly").value_or("0");
    return hourly == "0" || hourly == "1"
               ? JsonResponse(request, TopAllJson(*latest(), hourly == "1"))
               : BadRequest("expected hourly: 0 or 1");
  });
  router.Add("/api/v1/stream", StreamHandler(source));
  router.Add("/api/v1/past",
             [source](const web::Request& request) { return Past(source, request); });
  router.Add("/api/v1/frame", [latest, clock = source.clock](const web::Request& request) {
    return WholeFrame(*latest(), clock, request);
  });
}

}  // namespace limpet
