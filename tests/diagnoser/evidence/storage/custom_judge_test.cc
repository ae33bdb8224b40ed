#include "diagnoser/evidence/storage/custom_judge.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "diagnoser/detect/default_presets.h"

namespace limpet::custom_judge_test {
namespace {

using std::chrono::seconds;
const UnixTime kStart = UnixTime(std::chrono::seconds(1'800'000'000));

// Gauges of components, one page of all a second.
class CustomJudgeTest : public ::testing::Test {
 protected:
  CustomJudgeTest() {
    CustomMetric metric;
    metric.name = "queue";
    metric.unit = "requests";
    metric.shape = CustomShape::kGauge;
    metric.series = "queue";
    metric.component = {"disk"};
    metric.node = {.join = {}, .label = "server"};
    metric.cause = Cause::kDiskBusy;
    metrics_.push_back(metric);
    preset_.window = 10;
    preset_.shift = 5;
    preset_.smoothing = 1;
    Begin();
  }
  void Begin() {
    readings_.emplace(metrics_,
                      std::vector<GridSpec>{{.step = preset_.step, .max_gap = preset_.MaxGap()}},
                      preset_.Shift(), 32);
    judge_.emplace(preset_, 0, metrics_);
  }
  // The queue of disk `sick` of server `sick` is `value`, those of the others about 2.
  std::vector<Event> Watch(int duration, int servers, double value, int sick = 1) {
    std::vector<Event> events;
    for (int i = 0; i < duration; ++i) {
      at_ += seconds(1);
      for (int server = 0; server < servers; ++server) {
        const auto series =
            readings_->Resolve({.field = {EntityKind::kCustom},
                                .name = "queue",
                                .labels = {{"disk", "d1"}, {"server", fmt::format("io{}", server)}},
                                .source = {.node = "page", .role = "", .labels = {}},
                                .target = "http://page"});
        readings_->Add(series.value(), at_, server == sick ? value : 2 + 0.01 * server);
      }
      if ((at_ - kStart) % preset_.Shift() == Duration::zero()) {
        auto more = judge_->JudgeWindow(at_, *readings_, {}, masked_, OneAfterTheOther);
        events.insert(events.end(), more.begin(), more.end());
      }
    }
    return events;
  }

  std::vector<CustomMetric> metrics_;
  PresetSettings preset_ = DefaultPreset();
  std::optional<CustomReadings> readings_;
  std::optional<CustomJudge> judge_;
  std::vector<std::string> masked_;
  UnixTime at_ = kStart;
};

TEST_F(CustomJudgeTest, FlagTakesKWindows) {
  (void)Watch(15, 5, 20);
  EXPECT_TRUE(judge_->Findings().flags.empty());
  (void)Watch(15, 5, 20);
  ASSERT_EQ(judge_->Findings().flags.size(), 1U);
  const auto& flag = judge_->Findings().flags.at("io1").front();
  EXPECT_EQ(flag.cause, Cause::kDiskBusy);
  EXPECT_EQ(flag.evidence.component, "io1/d1");
  EXPECT_EQ(flag.evidence.peers, 4U);
  EXPECT_GE(flag.evidence.windows.size(), 3U);
  EXPECT_EQ(judge_->Findings().peers.size(), 5U);
}

TEST_F(CustomJudgeTest, FlagEndsWithTheFault) {
  (void)Watch(40, 5, 20);
  EXPECT_FALSE(judge_->Findings().flags.empty());
  (void)Watch(40, 5, 2);
  EXPECT_TRUE(judge_->Findings().flags.empty());
}

TEST_F(CustomJudgeTest, TwoServersDecideNothing) {
  for (const auto& event : Watch(40, 2, 20)) {
    EXPECT_TRUE(std::get<WindowEvent>(event).undetermined);
  }
}

TEST_F(CustomJudgeTest, MaskedComponentsTakeNoPart) {
  masked_ = {"io1/d1"};
  (void)Watch(40, 5, 20);
  EXPECT_TRUE(judge_->Findings().flags.empty());
  EXPECT_EQ(judge_->All().at("queue").masked, 1U);
  EXPECT_EQ(judge_->All().at("queue").taking_part, 4U);
}

TEST_F(CustomJudgeTest, ManyAtOnceAreAStorm) {
  metrics_[0].direction = Direction::kNone;
  Begin();
  (void)Watch(40, 4, 20);
  EXPECT_FALSE(judge_->All().at("queue").storm);
}

TEST_F(CustomJudgeTest, ComponentThatMovedBeginsAnew) {
  (void)Watch(40, 5, 20);
  judge_->ForgetNode("io1");
  EXPECT_EQ(judge_->All().at("queue").records.All().size(), 4U);
  judge_->ForgetGone(at_ + seconds(1));
  EXPECT_TRUE(judge_->All().empty());
}

TEST_F(CustomJudgeTest, RemembersWhatAnEarlierRunKnew) {
  (void)Watch(40, 5, 20);
  const auto& record = judge_->All().at("queue").records.All().find("io1/d1")->second;
  const ComponentState state{.preset = preset_.name,
                             .group = "queue",
                             .metric = "queue",
                             .component = "io1/d1",
                             .accumulator = 7,
                             .recent = record.metrics.at("queue").recent};
  CustomJudge other(preset_, 0, metrics_);
  EXPECT_TRUE(other.Restore(state));
  EXPECT_EQ(other.All().at("queue").records.All().find("io1/d1")->second.node, "io1");
  auto unknown = state;
  unknown.metric = "gone";
  EXPECT_FALSE(other.Restore(unknown));
}

}  // namespace
}  // namespace limpet::custom_judge_test
