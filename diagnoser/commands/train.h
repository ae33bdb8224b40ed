// train.h: the `train` command: fault-free recordings in, a file of thresholds or of behaviour
// profiles out.
//
// Threads: from main.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnoser/commands/common_flags.h"

namespace limpet {

struct TrainOptions {
  std::string config_file = kDefaultConfigFile;
  std::string output;               // the file to write; replaced as a whole
  std::string picture;              // SVG file of the peers over one another; empty: none
  bool profiles = false;            // behaviour profiles instead of thresholds
  std::uint64_t seed = 1;           // of the profiles' k-means starts
  std::uint64_t jobs = 0;           // threads; 0: one a core
  std::string progress = "auto";    // or json, none
  std::vector<std::string> inputs;  // recordings

  void Bind(Flags& flags);
};

// The exit code: 0 ok, 1 nothing to train on, or an input or the output failed, 2 wrong
// configuration or use.
[[nodiscard]] int RunTrain(const TrainOptions& options);

}  // namespace limpet
