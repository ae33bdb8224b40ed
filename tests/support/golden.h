// golden.h: what users see, kept in tests/golden and reviewed as a diff.
//
// `cmake --build --preset dev --target refresh_golden` rewrites the files from what the code does.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace limpet::testing {

// `name` is a file in tests/golden.
inline void ExpectGolden(std::string_view name, std::string_view text) {
  const auto path = "tests/golden/" + std::string(name);
  if (std::getenv("LIMPET_REFRESH_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ostringstream kept;
  kept << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(kept.str(), text) << path << " (target refresh_golden rewrites it)";
}

}  // namespace limpet::testing
