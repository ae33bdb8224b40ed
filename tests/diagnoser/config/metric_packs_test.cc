#include "diagnoser/config/metric_packs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "diagnoser/config/custom_metrics.h"
#include "diagnoser/custom/window.h"
#include "exporter/common/exposition/parser.h"

namespace limpet::metric_packs_test {
namespace {

using std::chrono::seconds;
const UnixTime kStart = UnixTime(std::chrono::hours(500'000));

std::string Read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
const std::filesystem::path kRoot = ".";  // tests run in the source folder

class MetricPackTest : public ::testing::TestWithParam<MetricPack> {
 protected:
  [[nodiscard]] std::string Name() const { return std::string(GetParam().name); }
  [[nodiscard]] std::vector<CustomMetric> Metrics() const {
    const auto file = (kRoot / "config/metrics" / (Name() + ".yml")).string();
    const auto metrics = ParseMetricFile(Read(file), file);
    EXPECT_TRUE(metrics) << metrics.error().Text();
    return metrics ? *metrics : std::vector<CustomMetric>();
  }
};

// All lines of the page that begins with "# target NAME".
void Feed(const std::string& page, const std::string& target, CustomReadings& readings) {
  PageParser parser(page, {.format = Format::kText});
  for (auto item = parser.Next(); item.kind != ItemKind::kEnd; item = parser.Next()) {
    ASSERT_NE(item.kind, ItemKind::kError) << parser.error().Text();
    if (item.kind != ItemKind::kSample || !readings.Table().Reads(item.name)) {
      continue;
    }
    const auto labels = ParseLabels(item.labels);
    ASSERT_TRUE(labels);
    const auto series = readings.Resolve({.field = {EntityKind::kCustom},
                                          .name = item.name,
                                          .labels = *labels,
                                          .source = {.node = target, .role = "", .labels = {}},
                                          .target = target});
    if (series) {
      readings.Add(*series, kStart, item.value);
    }
  }
}

TEST_P(MetricPackTest, ItsPageHasPeersForEachMetric) {
  const auto metrics = Metrics();
  ASSERT_FALSE(metrics.empty());
  CustomReadings readings(metrics, {{.step = seconds(1), .max_gap = seconds(5)}}, seconds(4), 32);
  const auto text = Read(kRoot / "tests/fixtures/metrics" / (Name() + ".prom"));
  constexpr std::string_view kTarget = "# target ";
  for (auto at = text.find(kTarget); at != std::string::npos;) {
    const auto end = text.find('\n', at);
    const auto next = text.find(kTarget, end);
    Feed(text.substr(end + 1, next == std::string::npos ? next : next - end - 1),
         text.substr(at + kTarget.size(), end - at - kTarget.size()), readings);
    at = next;
  }
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const auto places = PlaceComponents(readings, i, kStart - seconds(1), {});
    EXPECT_EQ(places.no_node + places.two_nodes, 0U) << metrics[i].name;
    ASSERT_FALSE(places.groups.empty()) << metrics[i].name;
    EXPECT_GE(places.groups.front().members.size(), 3U) << metrics[i].name;
  }
}

TEST_P(MetricPackTest, SuggestConfigFindsItByASeriesThatItReads) {
  const auto metrics = Metrics();
  EXPECT_TRUE(CustomSeriesTable(metrics).Reads(GetParam().series));
}

TEST_P(MetricPackTest, SaysWhatItWasTriedAgainst) {
  EXPECT_NE(Read(kRoot / "config/metrics" / (Name() + ".yml")).find("# Tried against: "),
            std::string::npos);
  const auto page = Read(kRoot / "tests/fixtures/metrics" / (Name() + ".prom"));
  EXPECT_TRUE(page.starts_with("# fixture: ") || page.starts_with("# real: "));
}

INSTANTIATE_TEST_SUITE_P(All, MetricPackTest, ::testing::ValuesIn(kMetricPacks),
                         [](const auto& pack) { return std::string(pack.param.name); });

TEST(MetricPacksTest, EveryFileIsOfOneAndNamesDiffer) {
  std::set<std::string> files;
  std::set<std::string> names;
  for (const auto& pack : kMetricPacks) {
    files.insert(std::string(pack.name) + ".yml");
  }
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "config/metrics")) {
    const auto file = entry.path().filename().string();
    EXPECT_TRUE(files.contains(file)) << file;
    const auto metrics = ParseMetricFile(Read(entry.path()), file);
    ASSERT_TRUE(metrics) << metrics.error().Text();
    for (const auto& metric : *metrics) {
      EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    }
  }
}

}  // namespace
}  // namespace limpet::metric_packs_test
