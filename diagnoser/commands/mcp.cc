#include "diagnoser/commands/mcp.h"

#include <cstdio>
#include <string>

#include "diagnoser/commands/mcp_server.h"
#include "diagnoser/commands/messages.h"

namespace limpet {
namespace {

// nullopt at the end. Of a line that is too long only so much is kept that it is refused.
std::optional<std::string> ReadLine() {
  std::string line;
  int c = std::getc(stdin);
  if (c == EOF) {
    return std::nullopt;
  }
  for (; c != EOF && c != '\n'; c = std::getc(stdin)) {
    if (line.size() <= McpServer::kMaxLine) {
      line += static_cast<char>(c);
    }
  }
  return line;
}

}  // namespace

// One request at a time, in their order: an answer takes milliseconds.
int RunMcp(const McpOptions& options) {
  if (const auto problem = options.diagnoser.Problem(); !problem.empty()) {
    return Fail("mcp: " + problem, kExitUsage);
  }
  const McpServer server(
      [&](const std::string& path) { return AskDiagnoser(options.diagnoser, path); });
  while (const auto line = ReadLine()) {
    if (line->empty()) {
      continue;
    }
    if (const auto answer = server.Handle(*line)) {
      if (const int code = PrintAll(*answer + "\n", "mcp"); code != kExitOk) {
        return code;
      }
    }
  }
  return kExitOk;
}

}  // namespace limpet
