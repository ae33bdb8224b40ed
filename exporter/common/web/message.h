// message.h: a Response as the message that Beast sends.
//
// Threads: pure.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/span_body.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/common/web/http.h"

namespace limpet::web {

// Points into the response's body, which must outlive it: many scrapers get the same bytes.
using Message = boost::beast::http::response<boost::beast::http::span_body<const char>>;

struct MessageOptions {
  bool is_head = false;  // the fields of the body, not the body
  bool is_http10 = false;
  bool keep_alive = true;
  std::string_view date;  // of HttpDate
  // On every response (http_server_config.headers).
  const std::vector<std::pair<std::string, std::string>>* headers = nullptr;
};

// Control characters in field values become spaces, so no value can end its line.
[[nodiscard]] Message MakeMessage(const Response& response, const MessageOptions& options);

}  // namespace limpet::web
