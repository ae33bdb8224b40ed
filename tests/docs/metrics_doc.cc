// limpet-metrics-doc: prints docs/metrics.md.
#include <cstdio>

#include "tests/docs/metrics_page.h"

int main() {
  const auto page = limpet::testing::MetricsPage();
  return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
}
