// live_pages.h: the paths of the live page's API and its stream (docs/openapi.yaml).
//
// Threads: the handlers run on the web server's thread; `latest` must be safe to call from it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/history/frame_log.h"
#include "diagnoser/history/recorder.h"
#include "diagnoser/publish/live_api.h"
#include "diagnoser/runtime/viewers.h"
#include "exporter/common/time.h"
#include "exporter/common/web/router.h"

namespace limpet {

// The recording of a finished replay.
struct Recorded {
  TimeSpan span;
  std::shared_ptr<const FrameLog> frames;
};

struct LiveSource {
  std::function<std::shared_ptr<const LiveView>()> latest;
  Viewers* viewers = nullptr;  // must outlive the handlers
  std::optional<Recorded> recorded;
  bool ui = true;                                  // "/" is the page, if it has been built in
  const Clock* clock = nullptr;                    // of /api/v1/frame; null: none, that of a replay
  std::function<std::string()> grafana = nullptr;  // its address; null or empty: not told
};

void AddLivePages(web::Router& router, const LiveSource& source);

// The history of verdicts, when the query has from or to; nullopt: the present is asked for.
[[nodiscard]] std::optional<web::Response> AnswerVerdictHistory(const LiveSource& source,
                                                                const web::Request& request);

// JSON that no cache keeps; compressed where it is worth it and the request takes it.
[[nodiscard]] web::Response JsonResponse(const web::Request& request, std::string text);
// {"error": code, "reason": text}
[[nodiscard]] web::Response ErrorResponse(int status, std::string_view code,
                                          std::string_view reason);

}  // namespace limpet
