// live_stream.h: the stream of the live page: from a request's parameters to a web::Stream.
//
// Threads: the handler runs on the web server's thread.
#pragma once

#include "diagnoser/runtime/live_pages.h"
#include "exporter/common/web/http.h"

namespace limpet {

[[nodiscard]] web::Handler StreamHandler(const LiveSource& source);

}  // namespace limpet
