// config.h: the configuration of a run: what the files say (settings.h) and what follows from it
// (plan.h).
//
// Threads: pure, but for the files that are read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/config/plan.h"
#include "diagnoser/config/settings.h"
#include "exporter/common/result.h"

namespace limpet {

// Both at once, as a command wants them; what runs for long keeps them apart, since lists of
// targets change the plan while the settings stay.
struct DiagnoserConfig : DiagnoserSettings, DiagnosisPlan {};

// The same settings with other targets.
[[nodiscard]] DiagnoserConfig WithTargets(DiagnoserConfig config, std::vector<Target> targets);

// ParseSettings, planned for the targets of the file; whatever is wrong with the pipeline's
// configuration is an error too.
[[nodiscard]] Result<DiagnoserConfig> ParseDiagnoserConfig(std::string_view text,
                                                           const std::string& file,
                                                           const ReadTextFile& read_file,
                                                           ConfigUse use = ConfigUse::kDiagnose,
                                                           std::optional<Duration> data_step = {});

// Reads the files with the real file system; `thresholds` may be empty.
[[nodiscard]] Result<DiagnoserConfig> LoadDiagnoserConfig(const std::string& file,
                                                          const std::string& thresholds,
                                                          ConfigUse use = ConfigUse::kDiagnose,
                                                          std::optional<Duration> data_step = {});

}  // namespace limpet
