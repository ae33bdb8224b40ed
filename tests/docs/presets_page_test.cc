#include "tests/docs/presets_page.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace limpet::presets_page_test {
namespace {

TEST(PresetsPage, FilesShowTheTableOfToday) {
  for (const auto& [path, text] : testing::PresetFiles()) {
    std::ostringstream page;
    page << std::ifstream(path).rdbuf();
    EXPECT_EQ(page.str(), text) << path
                                << ": run cmake --build --preset dev --target refresh_presets";
  }
}

}  // namespace
}  // namespace limpet::presets_page_test
