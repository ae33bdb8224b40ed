#include "exporter/common/web/response_head.h"

#include <algorithm>

namespace limpet::web {
namespace {

// A value may come from a file or a request: a newline in it would start a field of its own.
void AddField(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ");
  const auto start = head.size();
  head.append(value);
  std::replace_if(
      head.begin() + static_cast<std::ptrdiff_t>(start), head.end(),
      [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; }, ' ');
  head.append("\r\n");
}

}  // namespace

std::string ResponseHead(const Response& response, const HeadOptions& options) {
  std::string head;
  head.reserve(512);  // one allocation for all usual fields
  head += options.is_http10 ? "HTTP/1.0 " : "HTTP/1.1 ";
  head += std::to_string(response.status);
  head += ' ';
  head += ReasonPhrase(response.status);
  head += "\r\n";
  AddField(head, "Date", options.date);
  AddField(head, "Content-Type", response.content_type);
  if (!response.content_encoding.empty()) {
    AddField(head, "Content-Encoding", response.content_encoding);
  }
  for (const auto& [name, value] : response.headers) {
    AddField(head, name, value);
  }
  if (options.headers != nullptr) {
    for (const auto& [name, value] : *options.headers) {
      AddField(head, name, value);
    }
  }
  // Also where there is no body: without it a client of a kept connection would wait for one.
  // A stream ends with its connection.
  if (!response.stream) {
    AddField(head, "Content-Length", std::to_string(response.body ? response.body->size() : 0));
  }
  // 1.1 keeps connections unless told otherwise, 1.0 closes them unless told otherwise; clients of
  // 1.0 are told in both cases.
  if (!options.keep_alive || response.stream) {
    AddField(head, "Connection", "close");
  } else if (options.is_http10) {
    AddField(head, "Connection", "keep-alive");
  }
  head += "\r\n";
  return head;
}

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "";
  }
}

}  // namespace limpet::web
