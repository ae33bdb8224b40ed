#include "exporter/common/exposition/rendered_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exporter/common/exposition/codec.h"

namespace limpet::rendered_page_test {
namespace {

constexpr MetricInfo kA{.name = "a", .type = MetricType::kGauge, .help = "First."};
constexpr MetricInfo kB{.name = "b", .type = MetricType::kGauge, .help = "Second."};

RenderedPage Page() {
  return RenderedPage({std::make_shared<const Families>(Families{{&kA, {{nullptr, 1}}}}),
                       std::make_shared<const Families>(Families{{&kB, {{nullptr, 2}}}})});
}

TEST(RenderedPage, PutsThePartsTogetherWithOneEnd) {
  const auto page = Page();
  EXPECT_EQ(*page.Get(Format::kText, false),
            "# HELP limpet_a First.\n# TYPE limpet_a gauge\nlimpet_a 1\n"
            "# HELP limpet_b Second.\n# TYPE limpet_b gauge\nlimpet_b 2\n");
  const auto text = *page.Get(Format::kOpenMetrics, false);
  EXPECT_EQ(text.find("# EOF"), text.size() - 6);
}

TEST(RenderedPage, EveryFormatIsRenderedOnce) {
  const auto page = Page();
  for (const auto format : {Format::kText, Format::kOpenMetrics}) {
    for (const bool gzip : {false, true}) {
      EXPECT_EQ(page.Get(format, gzip), page.Get(format, gzip));
    }
  }
  EXPECT_EQ(Decode(Encoding::kGzip, *page.Get(Format::kText, true))->text,
            *page.Get(Format::kText, false));
}

}  // namespace
}  // namespace limpet::rendered_page_test
