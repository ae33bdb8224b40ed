#include "diagnoser/publish/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "exporter/common/exposition/writer.h"

namespace limpet::metrics_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Page(const PipelineView& view, const DetailOptions& options = {}) {
  return Render(VerdictFamilies(view, options), Format::kText);
}

ComponentStatus Await(const std::string& node, double degree, bool flagged = false,
                      std::uint32_t accumulator = 0) {
  return {.preset = "default",
          .group = "disks",
          .node = node,
          .device = "sda",
          .metric = "await",
          .flagged = flagged,
          .degree = degree,
          .effect = 0.5,
          .accumulator = accumulator};
}

TEST(VerdictMetrics, ANodeHasASeriesForEveryCause) {
  PipelineView view;
  view.nodes = {{.preset = "default", .node = "a"},
                {.preset = "default",
                 .node = "b",
                 .cause = Cause::kDiskBusy,
                 .indicted = true,
                 .luns = {{"b/sda", LunKind::kComponent}}},
                {.preset = "default", .node = "c", .cause = Cause::kDiskHog}};
  view.nodes[1].luns["b/sdb"] = LunKind::kWorkload;
  view.wwns["b/sdb"] = "naa.5000";
  const auto page = Page(view);
  for (const auto* line : {"limpet_indicted{node=\"a\",cause=\"disk-hog\"} 0\n",
                           "limpet_indicted{node=\"a\",cause=\"packet-loss\"} 0\n",
                           "limpet_indicted{node=\"b\",cause=\"disk-busy\"} 1\n",
                           "limpet_indicted{node=\"b\",cause=\"network-hog\"} 0\n",
                           "limpet_indicted{node=\"c\",cause=\"disk-hog\"} 0\n",
                           "limpet_root_cause{node=\"c\",cause=\"disk-hog\"} 1\n",
                           "limpet_root_cause{node=\"b\",cause=\"disk-busy\"} 1\n",
                           "limpet_lun_indicted{lun=\"b/sda\",node=\"b\",device=\"sda\","
                           "kind=\"component\"} 1\n",
                           "limpet_lun_indicted{lun=\"naa.5000\",node=\"b\",device=\"sdb\","
                           "kind=\"workload\"} 1\n"}) {
    EXPECT_THAT(page, HasSubstr(line));
  }
}

TEST(VerdictMetrics, ProfilesHaveTheirNodesAndTheirCause) {
  PipelineView view;
  view.nodes = {{.preset = "default", .node = "a", .cause = Cause::kBehaviour, .indicted = true}};
  EXPECT_THAT(Page(view), Not(HasSubstr("behaviour")));
  view.profiles = ProfileStatus{
      .threshold = 0.25,
      .unknown_ratio = 0.125,
      .stale = true,
      .nodes = {{.node = "a", .label = 7, .distance = 0.5, .alarm = true, .indicted = true},
                {.node = "b", .label = std::nullopt}}};
  const auto page = Page(view);
  for (const auto* line :
       {"limpet_indicted{node=\"a\",cause=\"behaviour\"} 1\n",
        "limpet_profile_label{node=\"a\"} 7\n", "limpet_profile_distance{node=\"a\"} 0.5\n",
        "limpet_profile_alarm{node=\"a\"} 1\n", "limpet_profile_indicted{node=\"b\"} 0\n",
        "limpet_profile_threshold 0.25\n", "limpet_profile_unknown_ratio 0.125\n",
        "limpet_profile_model_stale 1\n"}) {
    EXPECT_THAT(page, HasSubstr(line));
  }
  EXPECT_THAT(page, Not(HasSubstr("limpet_profile_label{node=\"b\"}")));
}

TEST(VerdictMetrics, ANodeIsIndictedWhenAnyPresetSaysSo) {
  PipelineView view;
  view.nodes = {{.preset = "default", .node = "a", .cause = Cause::kDiskHog, .indicted = true},
                {.preset = "production", .node = "a"}};
  const auto page = Page(view);
  EXPECT_THAT(page, HasSubstr("limpet_indicted{node=\"a\",cause=\"disk-hog\"} 1\n"));
  EXPECT_THAT(page, Not(HasSubstr("limpet_indicted{node=\"a\",cause=\"disk-hog\"} 0\n")));
}

TEST(VerdictMetrics, ComponentsCarryTheirLabelsAndNoDeviceWhenTheyAreNodes) {
  PipelineView view;
  view.components = {Await("a", 4.5, true, 7),
                     {.preset = "default", .group = "net", .node = "a", .metric = "rxbyt"}};
  view.components[0].rank = 1;
  const auto page = Page(view);
  const std::string labels =
      "{peer_group=\"disks\",node=\"a\",device=\"sda\",metric=\"await\",preset=\"default\"} ";
  EXPECT_THAT(page, HasSubstr("limpet_anomaly" + labels + "1\n"));
  EXPECT_THAT(page, HasSubstr("limpet_anomaly_degree" + labels + "4.5\n"));
  EXPECT_THAT(page, HasSubstr("limpet_anomaly_effect_ratio" + labels + "0.5\n"));
  EXPECT_THAT(page, HasSubstr("limpet_anomaly_accumulator" + labels + "7\n"));
  EXPECT_THAT(page, HasSubstr("limpet_component_rank" + labels + "1\n"));
  EXPECT_THAT(page,
              HasSubstr("limpet_anomaly{peer_group=\"net\",node=\"a\",metric=\"receive_bytes\","
                        "preset=\"default\"} 0\n"));
}

TEST(VerdictMetrics, DetailBoundsThePage) {
  PipelineView view;
  view.components = {Await("a", 0.5), Await("b", 3, true), Await("c", 0.9, false, 2),
                     Await("d", 2, true)};
  EXPECT_THAT(Page(view), HasSubstr("node=\"a\""));
  const auto flagged = Page(view, {.detail = Detail::kFlagged});
  EXPECT_THAT(flagged, Not(HasSubstr("node=\"a\"")));
  EXPECT_THAT(flagged, HasSubstr("node=\"c\""));
  const auto top = Page(view, {.detail = Detail::kTop, .top = 2});
  EXPECT_THAT(top, HasSubstr("node=\"b\""));
  EXPECT_THAT(top, HasSubstr("node=\"d\""));
  EXPECT_THAT(top, Not(HasSubstr("node=\"c\"")));
}

TEST(VerdictMetrics, OfManyComponentsTheConspicuousAloneAreShown) {
  PipelineView view;
  view.components = {Await("a", 0.5), Await("b", 3, true)};
  EXPECT_THAT(Page(view), HasSubstr("limpet_components_left_out 0\n"));
  view.components.resize(kShownInFull + 1, Await("a", 0.5));
  const auto page = Page(view);
  EXPECT_THAT(page, Not(HasSubstr("node=\"a\"")));
  EXPECT_THAT(page, HasSubstr("node=\"b\""));
  EXPECT_THAT(page, HasSubstr("limpet_components_left_out 5000\n"));
  EXPECT_THAT(Page(view, {.detail = Detail::kAll}), HasSubstr("node=\"a\""));
}

TEST(VerdictMetrics, InAStormOfTheFleetTheWorstAreShown) {
  PipelineView view;
  view.components.assign(kShownInFull + 1, Await("a", 2, true));
  view.components.back().degree = 3;
  EXPECT_EQ(ChooseDetail(Detail::kAuto, view), Detail::kTop);
  const auto page = Page(view, {.top = 1});
  EXPECT_THAT(page, HasSubstr("preset=\"default\"} 3\n"));
  EXPECT_THAT(page, HasSubstr("limpet_components_left_out 5000\n"));
}

TEST(VerdictMetrics, NearTheLimitTheDetailStaysWhatItIs) {
  PipelineView view;
  view.components.assign(kShownInFull, Await("a", 0.5));
  EXPECT_EQ(ChooseDetail(Detail::kAuto, view, Detail::kAll), Detail::kAll);
  EXPECT_EQ(ChooseDetail(Detail::kAuto, view, Detail::kFlagged), Detail::kFlagged);
  view.components.resize(kShownInFull / 5 * 4);
  EXPECT_EQ(ChooseDetail(Detail::kAuto, view, Detail::kFlagged), Detail::kAll);
  EXPECT_EQ(ChooseDetail(Detail::kTop, view, Detail::kAll), Detail::kTop) << "what the file says";
}

TEST(VerdictMetrics, TopCountsEveryGroupAndMetricByItself) {
  PipelineView view;
  view.components = {Await("a", 2, true), Await("b", 3, true), Await("c", 4, true)};
  view.components.push_back(Await("d", 5, true));
  view.components[3].metric = "svctm";
  const auto page = Page(view, {.detail = Detail::kTop, .top = 1});
  EXPECT_THAT(page, HasSubstr("node=\"c\""));
  EXPECT_THAT(page, HasSubstr("node=\"d\""));
  EXPECT_THAT(page, Not(HasSubstr("node=\"b\"")));
}

TEST(VerdictMetrics, NothingThatIsNotANumberGetsOut) {
  PipelineView view;
  view.components = {Await("a", std::numeric_limits<double>::quiet_NaN()),
                     Await("b", std::numeric_limits<double>::infinity())};
  const auto page = Page(view);
  EXPECT_THAT(page, Not(HasSubstr("NaN")));
  EXPECT_THAT(page, Not(HasSubstr("Inf")));
}

TEST(VerdictMetrics, GroupsSayWhoTakesPart) {
  PipelineView view;
  view.groups = {{.preset = "default",
                  .group = "disks",
                  .window_end = UnixFromSeconds(1'700'000'032),
                  .taking_part = 5,
                  .missing = 1,
                  .masked = 2}};
  const auto page = Page(view);
  EXPECT_THAT(page, HasSubstr("limpet_group_components{peer_group=\"disks\",preset=\"default\","
                              "state=\"taking_part\"} 5\n"));
  EXPECT_THAT(page, HasSubstr("state=\"masked\"} 2\n"));
  EXPECT_THAT(page,
              HasSubstr("limpet_window_end_timestamp_seconds{preset=\"default\"} 1700000032\n"));
}

}  // namespace
}  // namespace limpet::metrics_test
