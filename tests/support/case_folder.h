// case_folder.h: one recorded case as a folder: config.json, *.om.zst, thresholds.json when it is
// trained, and the events an independent implementation gave, expected.jsonl.{gz,zst}; trained.json
// where training on the recording must give certain thresholds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnoser/pipeline/pipeline.h"

namespace limpet::testing {

struct CaseFolder {
  std::string name;
  PipelineConfig config;
  std::vector<std::string> recordings;
  std::vector<std::string> expected;  // lines
  std::optional<Thresholds> trained;
};

// Folders with a config.json below `root`, sorted. Throws what a broken one makes it throw.
[[nodiscard]] std::vector<std::string> CaseFoldersIn(const std::string& root);
[[nodiscard]] CaseFolder LoadCase(const std::string& folder);

// The profile model and the expected lines of a case of behaviour profiles, which has no
// config.json.
[[nodiscard]] ProfileModel LoadProfileModel(const std::string& path);
[[nodiscard]] std::vector<std::string> ReadCaseLines(const std::string& path);

// What differs between two lists of JSON lines, numbers to 1e-9 (absolute plus relative), keys in
// any order; the first `most` differences, empty when there are none.
[[nodiscard]] std::string Differences(const std::vector<std::string>& expected,
                                      const std::vector<std::string>& found, std::size_t most = 10);

}  // namespace limpet::testing
