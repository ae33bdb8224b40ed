#include "exporter/collectors/self.h"

#include <gtest/gtest.h>
#include <prometheus/metric_family.h>

#include "exporter/collectors/catalog/self.h"
#include "exporter/common/exposition/prometheus_bridge.h"
#include "tests/support/families.h"
#include "tests/support/map_files.h"

namespace limpet::self_test {
namespace {

using testing::FileTree;
using testing::Find;
using testing::MapFiles;
using testing::Value;

TEST(Self, SaysWhatTheProgramUses) {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"stat", "1 (limpet) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 3 18 19 20 100 0\n"},
                 {"fd/0", ""},
                 {"fd/1", ""},
                 {"fd/2", ""}};
  Duration used = std::chrono::milliseconds(250);
  SelfCollector self({std::make_unique<MapFiles>(tree), [&] { return used; }, 4096,
                      UnixFromMilliseconds(1'700'000'000'500)});
  auto page = self.Collect({}).value();
  EXPECT_EQ(Value(page, "exporter_cpu_seconds_total"), 0.25);
  EXPECT_EQ(Value(page, "process_cpu_seconds_total"), 0.25);
  EXPECT_EQ(Value(page, "process_resident_memory_bytes"), 409600);
  EXPECT_EQ(Value(page, "exporter_resident_memory_bytes"), 409600);
  EXPECT_EQ(Value(page, "exporter_open_fds"), 2);
  EXPECT_EQ(Value(page, "exporter_threads"), 3);
  EXPECT_EQ(Value(page, "exporter_start_time_seconds"), 1'700'000'000.5);
  ASSERT_NE(Find(page, "exporter_build_info"), nullptr);
  EXPECT_EQ(Find(page, "exporter_build_info")
                ->samples[0]
                .labels->Rendered()
                .find("compiler=\"" __VERSION__ "\",version=\"" LIMPET_VERSION "\""),
            0U);
  used = std::chrono::milliseconds(300);
  page = self.Collect({}).value();
  EXPECT_DOUBLE_EQ(Value(page, "exporter_cpu_seconds_total").value(), 0.3);
}

TEST(Self, AKernelThatCountsOpenFilesSavesTheListing) {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"stat", "1 (limpet) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 3 18 19 20 100 0\n"},
                 {"fd/0", ""}};
  std::optional<double> counted = 7;
  SelfCollector self({std::make_unique<MapFiles>(tree),
                      [] { return Duration(0); },
                      4096,
                      {},
                      [&] { return counted; }});
  EXPECT_EQ(Value(self.Collect({}).value(), "process_open_fds"), 7);
  counted.reset();
  EXPECT_EQ(Value(self.Collect({}).value(), "process_open_fds"), 0) << "listed";
}

TEST(Self, ItsFileGoneIsAnError) {
  const auto tree = std::make_shared<FileTree>();
  SelfCollector self({std::make_unique<MapFiles>(tree), [] { return Duration(0); }, 4096, {}});
  EXPECT_FALSE(self.Collect({}));
  tree->files["stat"] = "1 (limpet) S\n";
  EXPECT_FALSE(self.Collect({}));
}

TEST(PrometheusBridge, TakesCountersAndGaugesOfTheCatalogue) {
  std::vector<prometheus::MetricFamily> families(3);
  families[0].name = "exporter_threads";
  families[0].type = prometheus::MetricType::Gauge;
  families[0].metric.resize(1);
  families[0].metric[0].label = {{"pool", "a\"b"}};
  families[0].metric[0].gauge.value = 4;
  families[1].name = "not_in_the_catalogue";
  families[1].type = prometheus::MetricType::Gauge;
  families[1].metric.resize(1);
  families[2].name = "exporter_open_fds";
  families[2].type = prometheus::MetricType::Histogram;
  families[2].metric.resize(1);
  const auto page = FromPrometheus(families, catalog::kSelf);
  ASSERT_EQ(page.size(), 1U);
  EXPECT_EQ(Value(page, "exporter_threads", R"(pool="a\"b")"), 4);
}

}  // namespace
}  // namespace limpet::self_test
