// federate_options.h: the flags of `federate`.
//
// Threads: from main.
#pragma once

#include <string>

#include "diagnoser/commands/common_flags.h"

namespace limpet {

struct FederateOptions {
  std::string config_file = "/etc/limpet/federation.yml";
  std::string listen_address = ":9837";
  std::string web_config_file;  // may be empty
  std::string log_level = "info";
  std::string seccomp = "deny";  // ParseSandboxMode

  void Bind(Flags& flags);
};

}  // namespace limpet
