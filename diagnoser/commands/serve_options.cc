#include "diagnoser/commands/serve_options.h"

namespace limpet {

void ServeOptions::Bind(Flags& flags) {
  BindConfigFile(flags, config_file);
  BindThresholdsFile(flags, thresholds_file);
  flags.Add(listen_address, "--web.listen-address", "ADDRESS",
            "address to listen on, such as :9837 or 127.0.0.1:0");
  flags.AddChoice(web_ui, "--web.ui", {"true", "false"},
                  "whether / is the live page, or a short list of links");
  flags.Add(web_config_file, "--web.config.file", "FILE",
            "TLS and passwords; see config/web-config.yml");
  flags.Add(state_folder, "--state-dir", "DIR",
            "folder for what must survive a restart; without it, nothing does");
  flags.AddNumber(jobs, "--jobs", "N",
                  "threads that judge peer groups; 0 is one a core, four at most", 0, kMaxJobs);
  flags.AddChoice(seccomp, "--seccomp", {"deny", "kill", "off"},
                  "what to do about system calls that serve does not need; kill is for tests");
  flags.AddChoice(log_level, "--log.level", {"debug", "info", "warning", "error"},
                  "how much to log on standard error; overrides log_level of the configuration");
}

}  // namespace limpet
