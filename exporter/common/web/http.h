// http.h: an HTTP request and its response as plain values; no library types.
//
// Threads: values. A Handler runs on the server's one thread, so it must be quick and never block:
// it hands out what others have prepared.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/common/web/stream.h"

namespace limpet::web {

struct Request {
  std::string method;  // "GET", "HEAD"; "POST" where Limits::allow_post
  std::string path;    // decoded, without the query: "/metrics"
  std::string query;   // as sent, without '?'
  std::string accept;  // header fields that handlers care about; empty when absent
  std::string accept_encoding;
  std::string if_none_match;
  std::string host;        // as sent, with its port
  std::string origin;      // of the page that a browser asks for
  std::string fetch_site;  // Sec-Fetch-Site
  std::string content_type;
  std::string body;               // of a POST; at most Limits::body_bytes
  bool is_authenticated = false;  // by a password, or a certificate that was checked
  std::string user;               // of the password
  std::uint64_t client = 0;       // which address asks (client_key.h)
  std::string last_event_id;      // of a client that resumes server-sent events
};

struct Response;
// Gives the answer, once, from any thread; a second one is ignored.
using Reply = std::function<void(Response)>;

struct Response {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string content_encoding;             // "gzip" or empty
  std::shared_ptr<const std::string> body;  // shared: many scrapers get the same bytes; may be null
  std::vector<std::pair<std::string, std::string>> headers;  // further ones
  // Instead of a body: its pieces follow as they come, and the connection closes at its end.
  std::shared_ptr<Stream> stream;
  // Instead of everything above: called on the server's thread, it has the answer made elsewhere.
  // Its client waits for it as long as for a slow response (Limits::response_timeout).
  std::function<void(Reply)> later;
};

using Handler = std::function<Response(const Request&)>;

[[nodiscard]] inline Response Text(int status, std::string body) {
  Response response;
  response.status = status;
  response.body = std::make_shared<const std::string>(std::move(body));
  return response;
}

}  // namespace limpet::web
