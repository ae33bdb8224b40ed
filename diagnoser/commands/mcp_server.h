// mcp_server.h: the Model Context Protocol (revisions 2024-11-05 to 2025-06-18) as lines: a request
// in, its answer out. Read-only: its tools ask the API of a running diagnoser and change nothing.
//
// Bounded: kMaxLine bytes a request, kMaxAnswer a tool's text.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "exporter/common/result.h"

namespace limpet {

class McpServer {
 public:
  static constexpr std::size_t kMaxLine = std::size_t{1} << 20U;
  static constexpr std::size_t kMaxAnswer = std::size_t{256} << 10U;

  // The body of the API's answer to a path with a query, "api/v1/verdicts".
  using AskApi = std::function<Result<std::string>(const std::string& path)>;
  // Returns the incidents of recordings between two instants, which may be empty.
  using Replay = std::function<Result<std::string>(const std::string& from, const std::string& to)>;
  // The tool replay is there if `replay` is.
  explicit McpServer(AskApi ask, Replay replay = nullptr)
      : ask_(std::move(ask)), replay_(std::move(replay)) {}

  // One JSON-RPC message. The answer, without a newline; nullopt: none is wanted.
  [[nodiscard]] std::optional<std::string> Handle(std::string_view line) const;

 private:
  AskApi ask_;
  Replay replay_;
};

}  // namespace limpet
