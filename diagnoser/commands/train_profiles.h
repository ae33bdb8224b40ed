// train_profiles.h: `train --profiles`: fault-free recordings in, a file of behaviour
// profiles out.
//
// Threads: from main.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace limpet {

struct ProfileTrainOptions {
  std::string config_file;  // its section `profiles` says which nodes; the model need not be there
  std::string output;       // the model file; replaced as a whole
  std::string seed;         // of the k-means starts
  std::vector<std::string> inputs;  // recordings, merged by time
};

// The exit code: 0 ok, 1 nothing to train on, or an input or the output failed, 2 wrong
// configuration or use.
[[nodiscard]] int RunProfileTrain(const ProfileTrainOptions& options);

}  // namespace limpet
