// limpet-presets-doc FOLDER: writes config/presets/*.yml and docs/presets.md below FOLDER.
#include <fstream>
#include <iostream>

#include "tests/docs/presets_page.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: limpet-presets-doc FOLDER\n";
    return 2;
  }
  for (const auto& [path, text] : limpet::testing::PresetFiles()) {
    std::ofstream file(std::string(argv[1]) + "/" + path);
    if (!(file << text).flush()) {
      std::cerr << "cannot write " << path << '\n';
      return 1;
    }
  }
  return 0;
}
