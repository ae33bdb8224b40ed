#include "diagnoser/intake/page_ahead.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <string>

#include "diagnoser/pipeline/pipeline.h"

namespace limpet::page_ahead_test {
namespace {

constexpr std::int64_t kStart = 1'700'000'000;

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = {TestbenchPreset()};
  config.groups = {{.name = "io"}};
  return config;
}

std::string Reads(int second, double value) {
  return fmt::format(
      "limpet_disk_reads_completed_total{{device=\"sda\",instance=\"a\"}} {} {}.000\n", value,
      kStart + second);
}

Scrape Recorded(std::string_view text) {
  return {.source = "a.om",
          .node = {},
          .role = {},
          .labels = {},
          .at = UnixFromSeconds(kStart),
          .format = Format::kOpenMetrics,
          .recording = true,
          .text = text};
}

TEST(PageAhead, SaysWhatIngestingWouldHaveSaid) {
  Pipeline direct(Config());
  Pipeline ahead(Config());
  PageAhead page;
  for (int second = 0; second < 5; ++second) {
    const auto text = "# HELP x y\n" + Reads(second, 7 * second) + "what is this\n";
    const auto expected = direct.Ingest(Recorded(text));
    page.Read(ahead.ReadAhead("a.om"), Recorded(text));
    EXPECT_EQ(page.HasNewLines(), second == 0);
    const auto stats = ahead.Ingest(Recorded(text), &page);
    ASSERT_TRUE(expected && stats);
    EXPECT_EQ(stats->samples, 1U);
    EXPECT_EQ(stats->mapped, expected->mapped);
    EXPECT_EQ(stats->bad_lines, expected->bad_lines);
    EXPECT_EQ(stats->last, expected->last);
  }
  EXPECT_EQ(ahead.Counters().samples, direct.Counters().samples);
  EXPECT_EQ(ahead.Counters().components, 1U);
}

// While one is read ahead, an hour may pass in which everything is forgotten.
TEST(PageAhead, IsReadOnceMoreWhenItsCacheIsGone) {
  Pipeline pipeline(Config());
  PageAhead page;
  const auto first = Reads(0, 1);
  ASSERT_TRUE(pipeline.Ingest(Recorded(first)));
  const auto second = Reads(1, 2);
  page.Read(pipeline.ReadAhead("a.om"), Recorded(second));
  EXPECT_FALSE(page.HasNewLines());
  pipeline.Forget("a.om");
  EXPECT_EQ(pipeline.Counters().series, 1U) << "of the last page";
  const auto stats = pipeline.Ingest(Recorded(second), &page);
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->mapped, 1U);
  EXPECT_EQ(pipeline.Counters().series, 1U);
}

// A page after one with new lines may be read before they are known: they are new there too.
TEST(PageAhead, TheSameLineMayBeNewTwice) {
  Pipeline pipeline(Config());
  PageAhead one;
  PageAhead other;
  const auto source = pipeline.ReadAhead("a.om");
  const auto first = Reads(0, 1);
  const auto second = Reads(1, 2);
  one.Read(source, Recorded(first));
  other.Read(source, Recorded(second));
  EXPECT_TRUE(other.HasNewLines());
  ASSERT_TRUE(pipeline.Ingest(Recorded(first), &one));
  const auto stats = pipeline.Ingest(Recorded(second), &other);
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->mapped, 1U);
  EXPECT_EQ(pipeline.Counters().series, 1U);
}

}  // namespace
}  // namespace limpet::page_ahead_test
