#include "diagnoser/commands/federate_options.h"

namespace limpet {

void FederateOptions::Bind(Flags& flags) {
  flags.Add(config_file, "--config", "FILE", "the diagnosers, as federate: [{name: …, url: …}]");
  flags.Add(listen_address, "--web.listen-address", "ADDRESS",
            "address to listen on, such as :9837 or 127.0.0.1:0");
  flags.Add(web_config_file, "--web.config.file", "FILE",
            "TLS and passwords; see config/web-config.yml");
  flags.AddChoice(seccomp, "--seccomp", {"deny", "kill", "off"},
                  "what to do about system calls that it does not need; kill is for tests");
  flags.AddChoice(log_level, "--log.level", {"debug", "info", "warning", "error"},
                  "how much to log on standard error");
}

}  // namespace limpet
