// live_stream.h: the stream of the live page: from a request's parameters to a web::Stream.
//
// Threads: the handler runs on the web server's thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "diagnoser/publish/viewer.h"
#include "diagnoser/runtime/live_pages.h"
#include "exporter/common/web/http.h"

namespace limpet {

// The source of a stream: the cluster that a request's filters are of, and a viewer for each
// request.
struct StreamSource {
  std::function<std::shared_ptr<const Cluster>()> cluster;
  std::function<std::unique_ptr<Viewer>(ViewerOptions options, std::optional<UnixTime> from,
                                        double speed)>
      view;
  Viewers* viewers = nullptr;  // must outlive the handler
};

[[nodiscard]] web::Handler StreamHandler(StreamSource source);
[[nodiscard]] web::Handler StreamHandler(const LiveSource& source);

}  // namespace limpet
