#include "diagnoser/commands/messages.h"

#include <fmt/format.h>

#include <cstdio>

#include "exporter/common/command_line.h"
#include "exporter/common/utf8.h"

namespace limpet {

int Fail(std::string_view text, int code) {
  fmt::print(stderr, "{}\n", PrintableLines(text));
  return code;
}

int RefuseConfig(const Error& error, const std::string& file) {
  // The default is easily meant by nobody: on a laptop with recordings there is no /etc/limpet.
  const bool is_absent = error.code == ErrorCode::kNotFound && error.where == file;
  return Fail(error.Text() + (is_absent ? "; --config names the file to read" : ""), kExitUsage);
}

void LogNotes(const std::vector<std::string>& notes, const LogSink& log) {
  for (const auto& note : notes) {
    log(LogLevel::kWarning, note);
  }
}

}  // namespace limpet
