#include "exporter/common/web/router.h"

#include <utility>

namespace limpet::web {

Router& Router::Add(std::string path, Handler handler) {
  handlers_.insert_or_assign(std::move(path), std::move(handler));
  return *this;
}

Router& Router::AddPrefix(std::string prefix, Handler handler) {
  prefixes_.insert_or_assign(std::move(prefix), std::move(handler));
  return *this;
}

Router& Router::AddHealth(const std::string& program, std::function<bool()> is_ready) {
  // The responses are made here: a probe a second then allocates nothing.
  Add("/-/healthy",
      [healthy = Text(200, program + " is healthy.\n")](const Request&) { return healthy; });
  Add("/-/ready",
      [ready = Text(200, program + " is ready.\n"),
       starting = Text(503, program + " is not ready yet.\n"),
       is_ready = std::move(is_ready)](const Request&) { return is_ready() ? ready : starting; });
  return *this;
}

Response Router::Route(const Request& request) const {
  const auto found = handlers_.find(request.path);
  if (found != handlers_.end()) {
    return found->second(request);
  }
  // Backwards: of two prefixes that fit, the longer one sorts behind the other.
  for (auto prefix = prefixes_.rbegin(); prefix != prefixes_.rend(); ++prefix) {
    if (request.path.size() > prefix->first.size() && request.path.starts_with(prefix->first)) {
      return prefix->second(request);
    }
  }
  return Text(404, "404 page not found\n");
}

Handler Router::AsHandler() const {
  // A copy, so that the server's thread never sees a table that grows.
  return [router = *this](const Request& request) { return router.Route(request); };
}

}  // namespace limpet::web
