// empty_store.h: a Prometheus-compatible store that answers every query with no series.
//
// Threads: the server has its own.
#pragma once

#include <string_view>

#include "exporter/common/web/server.h"

namespace limpet::testing {

inline auto StartEmptyStore() {
  return web::Server::Start(
      {.listen_addresses = {"127.0.0.1:0"}, .config = {}, .limits = {}},
      [](const web::Request&) {
        auto answer =
            web::Text(200, R"({"status":"success","data":{"resultType":"matrix","result":[]}})");
        answer.content_type = "application/json";
        return answer;
      },
      [](LogLevel, std::string_view) {});
}

}  // namespace limpet::testing
