// Peer groups as wholes: storms, recent components, masks, labels of disks, the bimodality check;
// and the evidence that verdicts carry.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/events.h"

namespace limpet::groups_test {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::int64_t kStart = 1'699'920'000;  // 00:00 UTC

UnixTime At(std::int64_t second) { return UnixFromSeconds(kStart + second); }

// Windows of 20 s every 10, flagged after two.
PresetSettings Quick() {
  auto preset = DefaultPreset();
  preset.name = "quick";
  preset.smoothing = 1;
  preset.window = 20;
  preset.shift = 10;
  preset.k = 2;
  return preset;
}

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = {Quick()};
  config.groups = {{.name = "disks"}};
  return config;
}

// 60 requests in every `step` of as many milliseconds as the test says.
class Disks {
 public:
  explicit Disks(PipelineConfig config, int step = 1)
      : pipeline(std::make_unique<Pipeline>(std::move(config))), step_(step) {}

  using Await = std::function<double(const std::string& node, std::int64_t second)>;  // < 0: silent
  void Run(const std::vector<std::string>& nodes, std::int64_t from, std::int64_t to,
           const Await& await) {
    for (auto second = from; second < to; second += step_) {
      for (const auto& node : nodes) {
        const double ms = await(node, second);
        if (ms < 0) {
          continue;
        }
        auto& [requests, waited] = totals_[node];
        requests += 60;
        waited += 60 * ms / 1000 * (1 + 0.01 * static_cast<double>(node.back() % 3));
        const auto page = fmt::format(
                              "limpet_disk_reads_completed_total{{device=\"sda\"}} {0}\n"
                              "limpet_disk_writes_completed_total{{device=\"sda\"}} 0\n"
                              "limpet_disk_read_bytes_total{{device=\"sda\"}} {0}\n"
                              "limpet_disk_written_bytes_total{{device=\"sda\"}} 0\n"
                              "limpet_disk_read_time_seconds_total{{device=\"sda\"}} {1}\n"
                              "limpet_disk_write_time_seconds_total{{device=\"sda\"}} 0\n"
                              "limpet_disk_io_time_seconds_total{{device=\"sda\"}} {1}\n"
                              "limpet_disk_io_time_weighted_seconds_total{{device=\"sda\"}} {1}\n",
                              requests, waited) +
                          info[node];
        ASSERT_TRUE(pipeline->Ingest(
            {.source = node, .node = node, .role = "io", .at = At(second), .text = page}));
      }
      for (auto& event : pipeline->Advance(At(second))) {
        if (auto* window = std::get_if<WindowEvent>(&event); window && window->metric == "await") {
          windows.push_back(std::move(*window));
        } else if (auto* verdict = std::get_if<VerdictEvent>(&event)) {
          verdicts.push_back(std::move(*verdict));
        } else if (auto* storm = std::get_if<StormEvent>(&event);
                   storm && storm->metric == "await") {
          storms.push_back(std::move(*storm));
        } else if (auto* found = std::get_if<BimodalityEvent>(&event)) {
          bimodality.push_back(std::move(*found));
        }
      }
    }
  }
  // Of await, in the view.
  std::uint32_t Accumulator(const std::string& node, const std::string& group = "disks") const {
    for (const auto& component : pipeline->View().components) {
      if (component.node == node && component.metric == "await" && component.group == group) {
        return component.accumulator;
      }
    }
    return 0;
  }
  std::vector<std::string> LastMembers(const std::string& group) const {
    std::vector<std::string> names;
    for (const auto& window : windows) {
      if (window.group == group) {
        names.clear();
        for (const auto& component : window.components) {
          names.push_back(component.component);
        }
      }
    }
    return names;
  }

  std::unique_ptr<Pipeline> pipeline;
  std::map<std::string, std::string> info;  // further lines of a node's page
  std::vector<WindowEvent> windows;
  std::vector<VerdictEvent> verdicts;
  std::vector<StormEvent> storms;
  std::vector<BimodalityEvent> bimodality;

 private:
  int step_;
  std::map<std::string, std::pair<double, double>> totals_;
};

std::vector<std::string> Nodes(int count) {
  std::vector<std::string> nodes;
  for (int i = 0; i < count; ++i) {
    nodes.push_back(fmt::format("n{:02}", i));
  }
  return nodes;
}

TEST(Storm, ManyAtOnceAreOneEventBesideTheVerdicts) {
  Disks disks(Config());
  disks.Run(Nodes(20), 0, 100, [](const auto& node, auto) { return node < "n04" ? 90 : 10; });
  ASSERT_THAT(disks.storms, Not(IsEmpty()));
  const auto& storm = disks.storms.back();
  EXPECT_EQ(storm.group, "disks");
  EXPECT_EQ(storm.n, 20U);
  EXPECT_EQ(storm.flagged, 4U);
  EXPECT_THAT(storm.components, SizeIs(4));
  EXPECT_THAT(disks.verdicts, SizeIs(Ge(4U)));
  EXPECT_THAT(ToJsonLine(storm), HasSubstr("{\"type\":\"storm\",\"end\":1699920"));
  const auto view = disks.pipeline->View();
  for (const auto& metric : view.metrics) {
    if (metric.metric == "await" || metric.metric == "rd_sec") {
      EXPECT_EQ(metric.storm, metric.metric == "await") << metric.metric;
    }
  }
  disks.Run(Nodes(20), 100, 200, [](const auto&, auto) { return 10; });
  EXPECT_THAT(disks.pipeline->View().storms, IsEmpty());
}

TEST(Storm, OneCulpritIsNone) {
  Disks disks(Config());
  disks.Run(Nodes(5), 0, 200, [](const auto& node, auto) { return node == "n03" ? 90 : 10; });
  EXPECT_THAT(disks.storms, IsEmpty());
  EXPECT_THAT(disks.verdicts, Not(IsEmpty()));
}

TEST(Evidence, SaysHowMuchFromWhomSinceWhenAndHowOften) {
  Disks disks(Config());
  disks.Run(Nodes(6), 0, 400, [](const auto& node, auto second) {
    return node == "n03" && (second < 100 || second > 300) ? 90 : 10;
  });
  ASSERT_THAT(disks.verdicts, Not(IsEmpty()));
  const auto& verdict = disks.verdicts.back();
  EXPECT_EQ(verdict.node, "n03");
  ASSERT_THAT(verdict.evidence, SizeIs(1));
  const auto& evidence = verdict.evidence[0];
  EXPECT_EQ(evidence.component, "n03/sda");
  EXPECT_EQ(evidence.metric, "await");
  EXPECT_EQ(evidence.direction, Direction::kHigh);
  EXPECT_GT(*evidence.effect, 7);
  EXPECT_NEAR(*evidence.mean / *evidence.peer_median, 9, 0.2);
  EXPECT_EQ(evidence.threshold_origin, ThresholdOrigin::kDefault);
  EXPECT_EQ(evidence.peers, 5U);
  EXPECT_EQ(evidence.far, 5U);
  EXPECT_THAT(evidence.far_peers,
              ElementsAre("n00/sda", "n01/sda", "n02/sda", "n04/sda", "n05/sda"));
  EXPECT_THAT(evidence.near_peers, IsEmpty());
  EXPECT_THAT(evidence.windows, ElementsAre(At(370), At(380), At(390)));
  EXPECT_EQ(evidence.episodes, 2U);
  EXPECT_GT(evidence.accumulator, 3U);
  const auto line = ToJsonLine(verdict);
  EXPECT_THAT(line, HasSubstr("\"threshold_origin\":\"default\",\"effect\":"));
  EXPECT_THAT(line, HasSubstr("\"peers\":5,\"far\":5,\"far_peers\":[\"n00/sda\","));
  EXPECT_THAT(line, HasSubstr("\"windows\":[1699920370,1699920380,1699920390],\"accumulator\":"));
}

TEST(Evidence, TellsFarPeersFromNearOnes) {
  Disks disks(Config());
  disks.Run(Nodes(7), 0, 100,
            [](const auto& node, auto) { return node == "n03" || node == "n05" ? 90 : 10; });
  ASSERT_THAT(disks.verdicts, Not(IsEmpty()));
  const auto& evidence = disks.verdicts.back().evidence.at(0);
  EXPECT_EQ(evidence.peers, 6U);
  EXPECT_EQ(evidence.far, 5U);
  EXPECT_THAT(evidence.near_peers, SizeIs(1));
}

TEST(Evidence, NamesTheOriginOfTheThreshold) {
  auto config = Config();
  Thresholds thresholds{.preset = "quick"};
  thresholds.components["disks"]["await"]["n03/sda"] = 1.5;
  config.thresholds = {thresholds};
  for (const auto& [limping, origin] :
       {std::pair("n03", ThresholdOrigin::kTrained), std::pair("n04", ThresholdOrigin::kGroup)}) {
    Disks disks(config);
    disks.Run(Nodes(6), 0, 100,
              [&, slow = limping](const auto& node, auto) { return node == slow ? 90 : 10; });
    ASSERT_THAT(disks.verdicts, Not(IsEmpty()));
    EXPECT_EQ(disks.verdicts.back().evidence.at(0).threshold_origin, origin);
    EXPECT_EQ(disks.verdicts.back().evidence.at(0).threshold, 1.5);
  }
}

TEST(Masks, AMaskedComponentIsNeitherJudgedNorAPeerAndKeepsItsAccumulator) {
  Disks disks(Config());
  const auto await = [](const auto& node, auto) { return node == "n03" ? 90 : 10; };
  disks.Run(Nodes(6), 0, 100, await);
  const auto before = disks.Accumulator("n03");
  EXPECT_GT(before, 3U);
  disks.pipeline->SetMasked({"n03", "n04/sda"});
  disks.verdicts.clear();
  disks.Run(Nodes(6), 100, 200, await);
  EXPECT_THAT(disks.verdicts, IsEmpty());
  EXPECT_EQ(disks.Accumulator("n03"), before);
  EXPECT_THAT(disks.LastMembers("disks"), ElementsAre("n00/sda", "n01/sda", "n02/sda", "n05/sda"));
  EXPECT_EQ(disks.pipeline->View().groups.at(0).masked, 2U);
  disks.pipeline->SetMasked({});
  disks.Run(Nodes(6), 200, 260, await);
  EXPECT_THAT(disks.verdicts, Not(IsEmpty()));
  EXPECT_GT(disks.Accumulator("n03"), before);
}

TEST(Labels, OfADiskMakeGroupsByWorldWideNameModelOrController) {
  auto config = Config();
  config.groups = {{.name = "array", .labels = {{.name = "wwn", .regex = "naa\\.60.*"}}},
                   {.name = "old", .labels = {{.name = "generation", .regex = "g1"}}}};
  Disks disks(config);
  for (const auto& node : Nodes(8)) {
    const bool array = node < "n04";
    disks.info[node] = fmt::format(
        "limpet_disk_info{{device=\"sda\",wwn=\"{}\",model=\"m\",generation=\"{}\"}} 1\n",
        array ? "naa.60" + node : "naa.50" + node, node < "n06" ? "g1" : "g2");
  }
  disks.Run(Nodes(8), 0, 60, [](const auto&, auto) { return 10; });
  EXPECT_THAT(disks.LastMembers("array"), ElementsAre("n00/sda", "n01/sda", "n02/sda", "n03/sda"));
  EXPECT_THAT(disks.LastMembers("old"), SizeIs(6));
}

// Ten minutes are a day here.
PipelineConfig Recent() {
  auto config = Config();
  config.groups[0].recent = seconds(600);
  config.groups.push_back(RecentRule(config.groups[0]));
  return config;
}
// n06 to n09 come after five minutes and are slow for a while.
double Newcomers(const std::string& node, std::int64_t second) {
  return node < "n06" ? 10 : second < 300 ? -1 : second < 700 ? 40 : 10;
}

TEST(Recent, ComponentsAreAGroupOfTheirOwnUntilTheyAreOldEnough) {
  Disks disks(Recent());
  disks.Run(Nodes(10), 0, 600, Newcomers);
  EXPECT_THAT(disks.LastMembers("disks"), SizeIs(6));
  EXPECT_THAT(disks.LastMembers("disks-recent"),
              ElementsAre("n06/sda", "n07/sda", "n08/sda", "n09/sda"));
  EXPECT_THAT(disks.verdicts, IsEmpty());
  disks.Run(Nodes(10), 600, 1000, Newcomers);
  EXPECT_THAT(disks.LastMembers("disks"), SizeIs(10));
  EXPECT_THAT(disks.verdicts, IsEmpty());
  for (const auto& group : disks.pipeline->View().groups) {
    EXPECT_EQ(group.taking_part, group.group == "disks" ? 10U : 0U) << group.group;
  }
}

TEST(Recent, NobodyIsNewAtTheFirstStart) {
  Disks disks(Recent());
  disks.Run(Nodes(6), 0, 60,
            [](const auto& node, auto second) { return node == "n05" && second < 12 ? -1 : 10; });
  EXPECT_THAT(disks.LastMembers("disks"), SizeIs(6));
  EXPECT_THAT(disks.LastMembers("disks-recent"), IsEmpty());
}

TEST(Recent, ARestartChangesNothing) {
  Disks whole(Recent());
  whole.Run(Nodes(10), 0, 1000, Newcomers);
  for (const std::int64_t cut : {305, 500, 899, 905}) {
    Disks disks(Recent());
    disks.Run(Nodes(10), 0, cut, Newcomers);
    const auto state = disks.pipeline->ExportState();
    disks.pipeline = std::make_unique<Pipeline>(Recent());
    EXPECT_EQ(disks.pipeline->ImportState(state), 0U);
    disks.Run(Nodes(10), cut, 1000, Newcomers);
    ASSERT_EQ(disks.windows.size(), whole.windows.size()) << cut;
    for (std::size_t i = 0; i < whole.windows.size(); ++i) {
      ASSERT_EQ(ToJsonLine(disks.windows[i]), ToJsonLine(whole.windows[i])) << cut;
    }
  }
}

TEST(Recent, ARuleThatIsNewFindsNobodyNew) {
  Disks disks(Config());
  disks.Run(Nodes(10), 0, 500, Newcomers);
  const auto state = disks.pipeline->ExportState();
  disks.pipeline = std::make_unique<Pipeline>(Recent());
  (void)disks.pipeline->ImportState(state);
  disks.windows.clear();
  disks.Run(Nodes(10), 500, 600, Newcomers);
  EXPECT_THAT(disks.LastMembers("disks"), SizeIs(10));
  EXPECT_THAT(disks.LastMembers("disks-recent"), IsEmpty());
}

// A reading every 30 s for a day and a bit.
PipelineConfig Slow() {
  auto preset = SlowDefaultPreset();
  PipelineConfig config;
  config.presets = {preset};
  config.groups = {{.name = "disks"}};
  return config;
}
constexpr std::int64_t kDay = 86'400;

TEST(BimodalityCheck, TwoKindsInOneGroupAreSaidOnceADayWithTheLabel) {
  Disks disks(Slow(), 30);
  for (const auto& node : Nodes(8)) {
    disks.info[node] =
        fmt::format("limpet_disk_info{{device=\"sda\",rotational=\"1\",model=\"{}\"}} 1\n",
                    node < "n04" ? "fast" : "slow");
  }
  disks.Run(Nodes(8), 0, 2 * kDay + 3600,
            [](const auto& node, auto) { return node < "n04" ? 10 : 40; });
  std::vector<BimodalityEvent> await;
  for (const auto& found : disks.bimodality) {
    if (found.metric == "await") {
      await.push_back(found);
    }
  }
  ASSERT_THAT(await, SizeIs(2));
  EXPECT_EQ(await[0].end, At(kDay + 900));
  EXPECT_EQ(await[1].end, At(2 * kDay + 900));
  EXPECT_EQ(await[0].label, "model");
  EXPECT_THAT(await[0].low.values, ElementsAre("fast"));
  EXPECT_THAT(await[0].high.values, ElementsAre("slow"));
  EXPECT_EQ(await[0].low.n, 4U);
  EXPECT_NEAR(await[0].high.median, 40, 1);
  EXPECT_THAT(ToJsonLine(await[0]),
              HasSubstr("\"label\":\"model\",\"agreement\":1,\"low\":{\"n\":4"));
  EXPECT_FALSE(disks.pipeline->View().bimodality.empty());
}

TEST(BimodalityCheck, ALimpingServerIsNoKind) {
  Disks disks(Slow(), 30);
  disks.Run(Nodes(8), 0, kDay + 3600,
            [](const auto& node, auto) { return node == "n03" ? 90 : 10; });
  EXPECT_THAT(disks.bimodality, IsEmpty());
  EXPECT_THAT(disks.verdicts, Not(IsEmpty()));
}

}  // namespace
}  // namespace limpet::groups_test
