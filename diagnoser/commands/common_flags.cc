#include "diagnoser/commands/common_flags.h"

namespace limpet {

void BindConfigFile(Flags& flags, std::string& file) {
  flags.Add(file, "--config", "FILE", "YAML file with targets, peer groups and presets");
}

void BindThresholdsFile(Flags& flags, std::string& file) {
  flags.Add(file, "--thresholds", "FILE", "thresholds written by limpet-diagnoser train");
}

void BindRecordings(Flags& flags, std::vector<std::string>& inputs) {
  flags.AddInputs(inputs, "INPUT", "recordings, or folders of them; merged by time");
}

}  // namespace limpet
