#include "exporter/common/web/message.h"

#include <algorithm>

namespace limpet::web {
namespace {

namespace http = boost::beast::http;

boost::beast::string_view View(std::string_view text) { return {text.data(), text.size()}; }

// Beast sends values as they are: one with a newline would start a field of its own.
void AddField(Message& message, std::string_view name, std::string_view value) {
  const auto ends_line = [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; };
  if (std::none_of(value.begin(), value.end(), ends_line)) {
    message.insert(View(name), View(value));
    return;
  }
  std::string line(value);
  std::replace_if(line.begin(), line.end(), ends_line, ' ');
  message.insert(View(name), line);
}

}  // namespace

Message MakeMessage(const Response& response, const MessageOptions& options) {
  Message message;
  message.version(options.is_http10 ? 10 : 11);
  message.result(static_cast<unsigned>(response.status));
  message.insert(http::field::date, View(options.date));
  AddField(message, "Content-Type", response.content_type);
  if (!response.content_encoding.empty()) {
    AddField(message, "Content-Encoding", response.content_encoding);
  }
  for (const auto& [name, value] : response.headers) {
    AddField(message, name, value);
  }
  if (options.headers != nullptr) {
    for (const auto& [name, value] : *options.headers) {
      AddField(message, name, value);
    }
  }
  message.content_length(response.body ? response.body->size() : 0);
  // Beast's keep_alive says nothing where the version's default holds; old clients of HTTP/1.0 are
  // told all the same.
  if (!options.keep_alive) {
    message.set(http::field::connection, "close");
  } else if (options.is_http10) {
    message.set(http::field::connection, "keep-alive");
  }
  if (response.body && !options.is_head) {
    message.body() = {response.body->data(), response.body->size()};
  }
  return message;
}

}  // namespace limpet::web
