// router.h: which Handler answers which path.
//
// A path matches exactly: "/metrics" is not "/metrics/" nor "/metricsfoo". What is left goes to the
// longest prefix that it begins with; anything else is 404.
// Threads: fill it before the server starts; Route may then run on the server's thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "exporter/common/web/http.h"

namespace limpet::web {

class Router {
 public:
  // A second handler for a path takes the place of the first.
  Router& Add(std::string path, Handler handler);

  // Serves all paths that begin so and have something behind it: "/api/v1/evidence/".
  Router& AddPrefix(std::string prefix, Handler handler);

  // "/-/healthy" is 200 while the server answers at all; "/-/ready" is 200 once `is_ready`, 503
  // before. Both texts name the program.
  Router& AddHealth(const std::string& program, std::function<bool()> is_ready);

  [[nodiscard]] Response Route(const Request& request) const;

  // Returns a handler for Server::Start; a copy of the table as it is now.
  [[nodiscard]] Handler AsHandler() const;

 private:
  std::map<std::string, Handler, std::less<>> handlers_;
  std::map<std::string, Handler, std::less<>> prefixes_;
};

}  // namespace limpet::web
