// running_diagnoser.h: the flags that name a running diagnoser, and a question to it.
//
// Threads: from main.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exporter/common/command_line.h"
#include "exporter/common/result.h"

namespace limpet {

struct RunningDiagnoser {
  std::optional<std::string> url;  // absent: the one on this host
  std::string username;            // for its basic authentication; empty: none
  std::string password_file;       // with username
  std::string ca_file;             // https: instead of the system's authorities

  void Bind(Flags& flags);
  // Returns what is wrong with the flags themselves; empty: nothing.
  [[nodiscard]] std::string Problem() const;
};

// The body of its answer to a path below its URL, "api/v1/verdicts", with a query if any. Errors of
// the flags are kInvalid.
[[nodiscard]] Result<std::string> AskDiagnoser(const RunningDiagnoser& diagnoser,
                                               std::string_view path);

// The same with a body of JSON, which it is to take.
[[nodiscard]] Result<std::string> TellDiagnoser(const RunningDiagnoser& diagnoser,
                                                std::string_view path, const std::string& body);

// Prints to standard output; returns the exit code. `command` is named where it cannot be written.
[[nodiscard]] int PrintAll(std::string_view text, std::string_view command);

}  // namespace limpet
