#include "diagnoser/commands/common_flags.h"

#include <algorithm>

#include "diagnoser/runtime/workers.h"

namespace limpet {

void BindConfigFile(Flags& flags, std::string& file) {
  flags.Add(file, "--config", "FILE", "YAML file with targets, peer groups and presets");
}

void BindThresholdsFile(Flags& flags, std::string& file) {
  flags.Add(file, "--thresholds", "FILE", "thresholds written by limpet-diagnoser train");
}

void BindJobs(Flags& flags, std::uint64_t& jobs) {
  flags.AddNumber(jobs, "--jobs", "N",
                  "threads that read and judge; 0 is one a core. The output is the same", 0,
                  kMaxJobs);
}

void BindProgress(Flags& flags, std::string& progress) {
  flags.AddChoice(progress, "--progress", {"auto", "json", "none"},
                  "how far it is, on standard error: a line on a terminal, JSON lines or nothing");
}

std::size_t HelperThreads(std::uint64_t jobs, std::size_t most) {
  return jobs == 0 ? std::min(CountCores() - 1, most) : static_cast<std::size_t>(jobs) - 1;
}

void BindStateFolder(Flags& flags, std::string& folder) {
  flags.Add(folder, "--state-dir", "DIR", "state folder of the diagnoser");
}

void BindRecordings(Flags& flags, std::vector<std::string>& inputs) {
  flags.AddInputs(
      inputs, "INPUT",
      "recordings, or folders of them; files of sysstat, CSV, metrics text with times; merged "
      "by time");
}

}  // namespace limpet
