#include "diagnoser/sources/listed_targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::listed_targets_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using namespace std::chrono_literals;

TargetTemplate Base() {
  TargetTemplate base;
  base.target = {.role = "server",
                 .labels = {{"site", "north"}, {"rack", "none"}},
                 .interval = 15s,
                 .timeout = 10s};
  base.own_timeout = true;
  base.longest_interval = 37s;
  return base;
}

TargetList Read(std::string_view json) {
  return MakeTargets(*ParseTargetGroups(json, ListFormat::kJson, "f.json"), Base());
}

TEST(ListedTargets, LabelsOfTheGroupComeOverThoseOfTheEntry) {
  const auto list = Read(R"([{"targets": ["io01:9100", "10.0.0.2"], "labels": {"rack": "r1"}}])");
  ASSERT_THAT(list.targets, SizeIs(2));
  const auto& first = list.targets[0];
  EXPECT_EQ(first.node, "io01");
  EXPECT_EQ(first.role, "server");
  EXPECT_THAT(first.labels, ElementsAre(Pair("rack", "r1"), Pair("site", "north")));
  EXPECT_EQ(FormatUrl(first.endpoint), "http://io01:9100/metrics");
  EXPECT_EQ(first.interval, 15s);
  EXPECT_EQ(first.timeout, 10s);
  EXPECT_EQ(FormatUrl(list.targets[1].endpoint), "http://10.0.0.2:80/metrics");
}

TEST(ListedTargets, PrometheusOwnLabelsAreHonoured) {
  const auto list = Read(
      R"([{"targets": ["x"], "labels": {"__address__": "io01.example:8443", "__scheme__": "https",)"
      R"( "__metrics_path__": "/node", "__param_module": "disk stats", "__meta_rack": "r1",)"
      R"( "__other": "y", "instance": "io01:9100", "__scrape_interval__": "5s", "role": "mds"}}])");
  ASSERT_THAT(list.targets, SizeIs(1)) << ::testing::PrintToString(list.problems);
  const auto& target = list.targets[0];
  EXPECT_EQ(FormatUrl(target.endpoint), "https://io01.example:8443/node?module=disk%20stats");
  EXPECT_EQ(target.node, "io01");
  EXPECT_EQ(target.role, "mds");
  EXPECT_EQ(target.interval, 5s);
  EXPECT_EQ(target.timeout, 4500ms);  // the entry's 10 s do not fit
  EXPECT_THAT(target.labels, ElementsAre(Pair("__meta_rack", "r1"), Pair("instance", "io01:9100"),
                                         Pair("rack", "none"), Pair("site", "north")));
}

TEST(ListedTargets, ALabelNodeNamesTheNode) {
  const auto list =
      Read(R"([{"targets": ["10.0.0.1:1"], "labels": {"node": "io01", "instance": "z"}}])");
  EXPECT_EQ(list.targets.at(0).node, "io01");
}

TEST(ListedTargets, WhatIsWrongIsRefusedOneByOne) {
  const auto list =
      Read(R"([{"targets": ["io01:9100", "io 02", "http://io03/metrics", "io04:99999", "io05"]},)"
           R"( {"targets": ["a"], "labels": {"__scheme__": "gopher"}},)"
           R"( {"targets": ["b"], "labels": {"__metrics_path__": "metrics"}},)"
           R"( {"targets": ["c"], "labels": {"__scrape_interval__": "1m"}},)"
           R"( {"targets": ["d"], "labels": {"node": "a/b"}},)"
           R"( {"targets": ["e"], "labels": {"__scrape_timeout__": "soon"}}])");
  EXPECT_THAT(list.targets, SizeIs(2));
  EXPECT_THAT(
      list.problems,
      ElementsAre(
          HasSubstr("f.json: [0].targets[1]: expected an address such as"),
          HasSubstr("f.json: [0].targets[2]: expected an address"),
          HasSubstr("f.json: [0].targets[3]: expected an address"),
          HasSubstr("f.json: [1].labels.__scheme__: expected http or https, got \"gopher\""),
          HasSubstr("f.json: [2].labels.__metrics_path__: expected a path"),
          HasSubstr("f.json: [3].labels.__scrape_interval__: expected a time from 100ms to "
                    "37000ms, which the presets allow, got \"1m\""),
          HasSubstr("f.json: [4].targets[0]: expected a node name"),
          HasSubstr("f.json: [5].labels.__scrape_timeout__: expected a time")));
}

TEST(ListedTargets, NothingOfNothing) {
  EXPECT_THAT(Read("[]").targets, IsEmpty());
  EXPECT_THAT(Read("[]").problems, IsEmpty());
}

}  // namespace
}  // namespace limpet::listed_targets_test
