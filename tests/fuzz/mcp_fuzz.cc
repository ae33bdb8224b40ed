// The Model Context Protocol's server: whatever the line, it answers one line of JSON or nothing,
// and asks the API for nothing but its own paths.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "diagnoser/commands/mcp_server.h"
#include "tests/fuzz/number_mutator.h"

namespace {

void Require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const limpet::McpServer server([](const std::string& path) {
    Require(path.starts_with("api/v1/") && path.find_first_of(" \r\n\\") == std::string::npos);
    return limpet::Result<std::string>("{}");
  });
  const auto answer = server.Handle({reinterpret_cast<const char*>(data), size});
  if (answer) {
    Require(answer->find('\n') == std::string::npos && nlohmann::json::accept(*answer));
  }
  return 0;
}
