#include "diagnoser/training/trainer.h"

#include <gmock/gmock.h>

#include "diagnoser/detect/default_presets.h"

namespace limpet::trainer_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// One window of metric await of group io, with these degrees; number * 32 s after some beginning.
WindowEvent Window(int number, const std::vector<std::pair<std::string, double>>& degrees) {
  WindowEvent window;
  window.end = UnixFromSeconds(1'700'000'000 / 32 * 32 + 32 * number);
  window.preset = "testbench";
  window.group = "io";
  window.metric = "await";
  window.n = degrees.size();
  window.lo = 1.0;
  window.hi = 50.0;
  window.bins = 7;
  for (const auto& [component, degree] : degrees) {
    ComponentWindow one;
    one.component = component;
    one.s = degree;
    window.components.push_back(std::move(one));
  }
  return window;
}

Trainer Testbench() { return Trainer({TestbenchPreset()}); }

TEST(Trainer, MakesThresholdsOfWhatThreeOfFiveWindowsReach) {
  auto trainer = Testbench();
  const double a[] = {0.9, 0.1, 0.5, 0.3, 0.2, 0.1};  // three of five: 0.3
  const double b[] = {0.1, 0.1, 1.2, 1.3, 0.1, 1.4};  // 1.2
  for (int i = 0; i < 6; ++i) {
    trainer.Learn(Window(i, {{"a", a[i]}, {"b", b[i]}, {"c", 0}}));
  }
  const auto trained = trainer.Finish();
  ASSERT_EQ(trained.size(), 1U);
  EXPECT_EQ(trained[0].windows, 6U);
  EXPECT_EQ(trained[0].thresholds.settings, SettingsForTraining(TestbenchPreset()));
  EXPECT_THAT(trained[0].thresholds.components.at("io").at("await"),
              ElementsAre(Pair("a", 0.6), Pair("b", 2.4), Pair("c", 0.2)));
  EXPECT_THAT(trained[0].degrees_seen.at("io").at("await"),
              ElementsAre(Pair("a", 0.3), Pair("b", 1.2), Pair("c", 0)));
  EXPECT_THAT(trained[0].notes, IsEmpty());
}

TEST(Trainer, AWindowTimeWithoutTheComponentCountsAsZero) {
  auto trainer = Testbench();
  for (int i = 0; i < 12; ++i) {
    if (i % 4 == 0) {  // the whole group is silent in between
      trainer.Learn(Window(i, {{"a", 2}, {"b", 0.1}, {"c", 0.1}}));
    }
  }
  for (int i = 20; i < 25; ++i) {
    trainer.Learn(Window(i, {{"a", 0.7}, {"b", 0.1}, {"c", 0.1}}));
  }
  EXPECT_DOUBLE_EQ(trainer.Finish()[0].thresholds.components.at("io").at("await").at("a"), 1.4);
}

TEST(Trainer, WindowsUnderTheNoiseFloorOrWithTooFewPeersTrainNothing) {
  auto preset = TestbenchPreset();
  preset.noise_floor["await"] = 5;
  Trainer trainer({preset});
  auto quiet = Window(0, {{"a", 0}, {"b", 0}, {"c", 0}});
  quiet.bins = 0;
  quiet.lo = 1;
  quiet.hi = 5.5;
  trainer.Learn(quiet);
  auto two = Window(1, {{"a", 0}, {"b", 0}});
  two.undetermined = true;
  two.components[0].s.reset();
  two.components[1].s.reset();
  trainer.Learn(two);
  const auto trained = trainer.Finish();
  EXPECT_THAT(trained[0].thresholds.components, IsEmpty());
  EXPECT_THAT(trained[0].notes,
              ElementsAre(HasSubstr("short: 2 window times, fewer than the 5"),
                          HasSubstr("untrained: io await: every window had too few peers or was "
                                    "under the noise floor")));
}

TEST(Trainer, EqualSamplesAreADegreeOfZeroAndNoNoise) {
  auto trainer = Testbench();
  for (int i = 0; i < 5; ++i) {
    auto window = Window(i, {{"a", 0}, {"b", 0}, {"c", 0}});
    window.bins = 0;
    window.lo = window.hi = 0;
    trainer.Learn(window);
  }
  EXPECT_DOUBLE_EQ(trainer.Finish()[0].thresholds.components.at("io").at("await").at("a"), 0.2);
}

TEST(Trainer, AComponentWithoutAWindowHasTheMedianAndANote) {
  auto trainer = Testbench();
  auto first = Window(0, {{"a", 1}, {"gone", 1}});
  first.undetermined = true;
  trainer.Learn(first);
  for (int i = 1; i < 7; ++i) {
    trainer.Learn(Window(i, {{"a", 0.3}, {"b", 0.4}, {"c", 1}}));
  }
  const auto trained = trainer.Finish();
  EXPECT_DOUBLE_EQ(trained[0].thresholds.components.at("io").at("await").at("gone"), 0.8);
  EXPECT_FALSE(trained[0].degrees_seen.at("io").at("await").contains("gone"));
  EXPECT_THAT(trained[0].notes,
              ElementsAre("no training window: io await of gone has its group's median"));
}

TEST(Trainer, TheExactDistanceTrainsOnWhatTheGatesLeave) {
  Trainer trainer({BarePreset()});
  for (int i = 0; i < 5; ++i) {
    auto window = Window(i, {{"a", 900}, {"b", 900}, {"c", 900}});
    window.preset = "bare";
    window.bins = 0;
    window.components[0].window_degree = 0;
    window.components[1].window_degree = 1.6;
    window.components[2].window_degree = 17;
    trainer.Learn(window);
  }
  const auto trained = trainer.Finish();
  EXPECT_THAT(trained[0].thresholds.components.at("io").at("await"),
              ElementsAre(Pair("a", 1), Pair("b", 2), Pair("c", 3)));
  EXPECT_THAT(trained[0].notes,
              ElementsAre("already deviant in training: io await of c reached 17: its threshold is "
                          "held at 3"));
  EXPECT_EQ(trained[0].largest_distance, std::nullopt);
}

TEST(Trainer, WhoIsSickInTrainingHasItsGroupsThresholdAndIsNamed) {
  Trainer trainer({DefaultPreset()});
  for (int i = 0; i < 5; ++i) {
    auto window = Window(i, {{"a", 9}, {"b", 9}, {"c", 9}});
    window.preset = "default";
    window.bins = 0;
    window.components[0].window_degree = 0.2;
    window.components[1].window_degree = 0.4;
    window.components[2].window_degree = 1.7;
    trainer.Learn(window);
  }
  const auto trained = trainer.Finish();
  EXPECT_THAT(trained[0].thresholds.components.at("io").at("await"),
              ElementsAre(Pair("a", 1), Pair("b", 1), Pair("c", 1)));
  EXPECT_THAT(trained[0].deviant.at("io").at("await"), ElementsAre(Pair("c", 1.7)));
  EXPECT_THAT(trained[0].notes,
              ElementsAre(HasSubstr("already deviant in training: io await of c "
                                    "reached 1.7: it has its group's threshold 1")));
}

TEST(Trainer, BlindThresholdsAreNamed) {
  auto trainer = Testbench();
  for (int i = 0; i < 5; ++i) {
    trainer.Learn(Window(i, {{"io01/sdb", 2.7}, {"b", 0.1}, {"c", 0.1}}));
  }
  EXPECT_THAT(trainer.Finish()[0].notes,
              ElementsAre(HasSubstr("blind: io await of io01/sdb: threshold 5.4, and no distance "
                                    "can be over 4.61")));
}

TEST(Trainer, PooledSpreadsOfFewPeersAreWarnedAbout) {
  Trainer trainer({ProductionPreset()});
  for (int i = 0; i < 5; ++i) {
    auto window = Window(i, {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}});
    window.preset = "production";
    window.end = UnixFromSeconds(450 * (3'000'000 + i));
    trainer.Learn(window);
  }
  EXPECT_THAT(trainer.Finish()[0].notes, ElementsAre(HasSubstr("few peers: io has 4 components")));
}

TEST(Trainer, CwndFactorsComeFromTheLeastLogarithm) {
  auto trainer = Trainer({TestbenchPreset(), DefaultPreset()});
  for (const double log : {3.9, 3.65, 3.8}) {
    trainer.Learn(
        CwndEvent{.end = UnixFromSeconds(1),
                  .group = "io-cwnd",
                  .metric = "cwnd_client",
                  .median = 4,
                  .components = {{.component = "a", .log = 4.1}, {.component = "b", .log = log}}});
  }
  trainer.Learn(CwndEvent{.end = UnixFromSeconds(2),
                          .group = "io-cwnd",
                          .metric = "cwnd_client",
                          .median = std::nullopt,
                          .components = {{.component = "b", .log = 0.1}}});
  trainer.Learn(CwndEvent{.end = UnixFromSeconds(3),
                          .group = "io-cwnd",
                          .metric = "cwnd_server",
                          .median = 0,
                          .components = {{.component = "b", .log = 0}}});
  for (const auto& preset : trainer.Finish()) {
    EXPECT_THAT(preset.thresholds.cwnd.at("io-cwnd"), ElementsAre(Pair("cwnd_client", 0.91)));
    EXPECT_DOUBLE_EQ(preset.cwnd_seen.at("io-cwnd").at("cwnd_client"), 3.65 / 4);
  }
}

TEST(Trainer, RecentComponentsTrainNothing) {
  PipelineConfig config;
  config.groups = {{.name = "main"}, {.name = "io", .recent_of = "main"}};
  Trainer trainer({TestbenchPreset()}, RecentGroups(config));
  trainer.Learn(Window(0, {{"a", 0.5}, {"b", 0.5}, {"c", 0.5}}));
  EXPECT_THAT(trainer.Finish()[0].thresholds.components, IsEmpty());
}

TEST(Trainer, EachPresetHasItsOwnWindows) {
  Trainer trainer({TestbenchPreset(), ProductionPreset()});
  for (int i = 0; i < 6; ++i) {
    trainer.Learn(Window(i, {{"a", 0.5}, {"b", 0.5}, {"c", 0.5}}));
  }
  auto stranger = Window(7, {{"a", 4}, {"b", 4}, {"c", 4}});
  stranger.preset = "of somebody else";
  trainer.Learn(stranger);
  const auto trained = trainer.Finish();
  EXPECT_DOUBLE_EQ(trained.at(0).thresholds.components.at("io").at("await").at("a"), 1);
  EXPECT_EQ(trained.at(1).windows, 0U);
  EXPECT_THAT(trained.at(1).thresholds.components, IsEmpty());
}

}  // namespace
}  // namespace limpet::trainer_test
