// thresholds_text.h: what training found, as the YAML file that people read and ParseThresholds
// reads back (docs/formats/thresholds.md).
//
// Threads: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/thresholds.h"
#include "exporter/common/time.h"

namespace limpet {

struct TrainedPreset {
  Thresholds thresholds;
  // v behind each threshold (training.h), by group, metric and component; not of those that have
  // their group's median. The least log / median behind each f, by group and side.
  Thresholds::ByName<Thresholds::ByName<Thresholds::ByName<double>>> degrees_seen;
  Thresholds::ByName<Thresholds::ByName<double>> cwnd_seen;
  // v of those who were deviant in training and have their group's threshold.
  Thresholds::ByName<Thresholds::ByName<Thresholds::ByName<double>>> deviant;
  std::uint64_t windows = 0;  // window times with data
  double scale = 1;
  double cap = 0;                          // 0: none
  std::optional<double> largest_distance;  // absent: no bound
  std::vector<std::string> notes;          // what to know before they are used
};

struct TrainingFile {
  std::string program;              // "limpet-diagnoser 1.2.3"
  std::vector<std::string> inputs;  // as they were named
  std::optional<UnixTime> from;     // first and last reading
  std::optional<UnixTime> to;
  std::vector<TrainedPreset> presets;
};

// One preset stands at the top of the file, several in a list.
[[nodiscard]] std::string ThresholdsText(const TrainingFile& file);

// Returns a key or value of YAML: plain where nobody could take it for something else, else in
// double quotes. Bytes that are no UTF-8 become \xNN (four characters).
[[nodiscard]] std::string YamlText(std::string_view text);

}  // namespace limpet
