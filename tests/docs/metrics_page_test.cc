#include "tests/docs/metrics_page.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace limpet::metrics_page_test {
namespace {

TEST(MetricsPage, DocsShowTheCatalogueOfToday) {
  std::ostringstream page;
  page << std::ifstream("docs/metrics.md").rdbuf();
  EXPECT_EQ(page.str(), testing::MetricsPage())
      << "run: cmake --build --preset dev --target refresh_metrics_doc";
}

}  // namespace
}  // namespace limpet::metrics_page_test
