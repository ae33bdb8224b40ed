// limpet-causes-doc FOLDER: writes anew what FOLDER's files say of causes.
#include <fstream>
#include <iostream>

#include "tests/docs/causes_page.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: limpet-causes-doc FOLDER\n";
    return 2;
  }
  for (const auto& [path, text] : limpet::testing::CauseFiles(argv[1])) {
    std::ofstream file(std::string(argv[1]) + "/" + path);
    if (!(file << text).flush()) {
      std::cerr << "cannot write " << path << '\n';
      return 1;
    }
  }
  return 0;
}
