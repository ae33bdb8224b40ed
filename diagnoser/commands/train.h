// train.h: the `train` command: fault-free recordings in, a file of thresholds out.
//
// Threads: from main.
#pragma once

#include <string>
#include <vector>

namespace limpet {

struct TrainOptions {
  std::string config_file;
  std::string output;               // the file of thresholds; replaced as a whole
  std::vector<std::string> inputs;  // recordings, merged by time
};

// Hours of reading must not end in a folder that does not exist.
[[nodiscard]] bool CanBeWritten(const std::string& path);

// The exit code: 0 ok, 1 nothing to train on, or an input or the output failed, 2 wrong
// configuration or use.
[[nodiscard]] int RunTrain(const TrainOptions& options);

}  // namespace limpet
