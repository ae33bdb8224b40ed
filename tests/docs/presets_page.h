// presets_page.h: what is generated from the table of preset keys: config/presets/*.yml and
// docs/presets.md.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace limpet::testing {

struct GeneratedFile {
  std::string path;  // from the top of the repository
  std::string text;
};

[[nodiscard]] std::vector<GeneratedFile> PresetFiles();

}  // namespace limpet::testing
