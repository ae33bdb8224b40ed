#include "exporter/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "exporter/common/exposition/characters.h"
#include "exporter/common/exposition/writer.h"
#include "tests/support/command.h"
#include "tests/support/temp_folder.h"

namespace limpet::catalog_test {
namespace {

std::vector<std::string> Split(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const auto length = list.find(',');
    names.emplace_back(list.substr(0, length));
    list.remove_prefix(length == std::string_view::npos ? list.size() : length + 1);
  }
  return names;
}

// Every metric name once, with a value for each of its labels.
Families Everything() {
  Families families;
  std::set<std::string_view> seen;
  for (const auto* info : AllMetrics()) {
    if (!seen.insert(info->name).second) {
      continue;  // both programs have it
    }
    LabelSet::Pairs pairs;
    for (const auto& label : Split(info->labels)) {
      pairs.emplace_back(label, "x");
    }
    if (info->type == MetricType::kHistogram) {
      auto with_bound = pairs;
      with_bound.emplace_back("le", "+Inf");
      families.push_back({info,
                          {{MakeLabels(with_bound), 2, SamplePart::kBucket},
                           {MakeLabels(pairs), 1.5, SamplePart::kSum},
                           {MakeLabels(pairs), 2, SamplePart::kCount}}});
      continue;
    }
    families.push_back({info, {{MakeLabels(pairs), 1.5}}});
  }
  return families;
}

// Both programs have a config_last_reload_successful: a name is unique within its program.
TEST(Catalog, NamesAreValidAndUniqueWithinAProgram) {
  std::set<std::pair<std::string_view, std::string_view>> names;
  std::set<std::pair<std::string_view, std::string_view>> other_names;
  for (const auto& section : CatalogSections()) {
    for (const auto* info : section.metrics) {
      EXPECT_TRUE(IsMetricName(info->name)) << info->name;
      EXPECT_FALSE(info->name.starts_with("limpet_"))
          << info->name << ": the writer puts the prefix";
      EXPECT_TRUE(names.insert({section.program, info->name}).second)
          << info->name << " stands twice";
      const auto other = info->node_exporter_name.empty() ? info->name : info->node_exporter_name;
      EXPECT_TRUE(IsMetricName(other)) << other;
      EXPECT_TRUE(other_names.insert({section.program, other}).second) << other << " stands twice";
    }
  }
  EXPECT_GT(names.size(), 100U);
}

TEST(Catalog, CountersAndOnlyCountersEndInTotal) {
  for (const auto* info : AllMetrics()) {
    EXPECT_EQ(info->name.ends_with("_total"), info->type == MetricType::kCounter) << info->name;
  }
}

// promtool looks for the base units; the other way round a name must not claim what `unit` denies.
TEST(Catalog, AUnitInANameIsTheMetricsUnit) {
  for (const auto* info : AllMetrics()) {
    auto name = info->name;
    if (name.ends_with("_total")) {
      name.remove_suffix(6);
    }
    for (const std::string unit : {"seconds", "bytes", "ratio"}) {
      if (name.ends_with("_" + unit)) {
        EXPECT_TRUE(info->unit.starts_with(unit)) << info->name;  // network_speed_bytes: a second
      }
    }
  }
}

TEST(Catalog, HelpIsOneSentence) {
  for (const auto* info : AllMetrics()) {
    const auto help = info->help;
    ASSERT_FALSE(help.empty()) << info->name;
    EXPECT_EQ(help.back(), '.') << info->name;
    EXPECT_EQ(help.find('\n'), std::string_view::npos) << info->name;
    EXPECT_NE(help.front(), ' ') << info->name;
    EXPECT_LE(help.size(), 160U) << info->name;
  }
}

TEST(Catalog, LabelsAreValidUniqueAndNotPrometheusOwn) {
  for (const auto* info : AllMetrics()) {
    std::set<std::string> seen;
    for (const auto& label : Split(info->labels)) {
      EXPECT_TRUE(IsLabelName(label)) << info->name << " " << label;
      EXPECT_TRUE(seen.insert(label).second) << info->name << " " << label << " stands twice";
      EXPECT_TRUE(label != "instance" && label != "job" && !label.starts_with("__"))
          << info->name << ": " << label << " would become exported_" << label;
    }
  }
}

TEST(Catalog, PromtoolLikesThePageOfAllMetrics) {
  const testing::TempFolder folder;
  const auto path = folder.Write("page", Render(Everything(), Format::kText));
  const auto checked = testing::RunCommand("promtool check metrics < " + path);
  EXPECT_EQ(checked.status, 0) << checked.output;
  EXPECT_EQ(checked.output, "");
}

// promtool's check knows text alone; its importer reads OpenMetrics, and wants timestamps.
TEST(Catalog, PromtoolReadsTheOpenMetricsPageOfAllMetrics) {
  const testing::TempFolder folder;
  const auto path = folder.Write("page", Render(Everything(), Format::kOpenMetrics,
                                                {.timestamp = UnixFromSeconds(1'700'000'000)}));
  const auto read = testing::RunCommand("promtool tsdb create-blocks-from openmetrics " + path +
                                        " " + folder.Path("blocks"));
  EXPECT_EQ(read.status, 0) << read.output;
  std::size_t series = 0;  // a histogram is several
  for (const auto& family : Everything()) {
    series += family.All().size();
  }
  EXPECT_THAT(read.output, ::testing::HasSubstr(" " + std::to_string(series) + " "));
}

}  // namespace
}  // namespace limpet::catalog_test
