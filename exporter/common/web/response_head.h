// response_head.h: the status line and header fields of a response, as bytes.
//
// Threads: pure.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/common/web/http.h"

namespace limpet::web {

struct HeadOptions {
  bool is_http10 = false;
  bool keep_alive = true;
  std::string_view date;  // of HttpDate
  // Fields of every response (http_server_config.headers).
  const std::vector<std::pair<std::string, std::string>>* headers = nullptr;
};

// Ends with the empty line. Control characters in field values become spaces, so no value can end
// its line.
[[nodiscard]] std::string ResponseHead(const Response& response, const HeadOptions& options);

// "Not Found" for 404; empty for a status without a name here.
[[nodiscard]] std::string_view ReasonPhrase(int status);

}  // namespace limpet::web
