#include "diagnoser/detect/profile/train.h"

#include <gmock/gmock.h>

#include <random>

#include "diagnoser/detect/profile/classify.h"

namespace limpet::train_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// Five hosts that do the same entity: idle and busy in turns of 30 s.
HostRun MakeRun(unsigned seed, int odd = -1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(1, 0.05);
  HostRun run{.hosts = {"a", "b", "c", "d", "e"}, .seconds = {}};
  for (int host = 0; host < 5; ++host) {
    std::vector<HostSample> seconds;
    for (int t = 0; t < 400; ++t) {
      const bool busy = (t / 30) % 2 == 1 || host == odd;
      HostSample sample = MissingHostSample();
      sample[Index(HostMetric::kUser)] = (busy ? 60 : 5) * noise(random);
      sample[Index(HostMetric::kSystem)] = (busy ? 20 : 3) * noise(random);
      sample[Index(HostMetric::kContextSwitches)] = (busy ? 9000 : 400) * noise(random);
      sample[Index(HostMetric::kThreads)] = 140;
      seconds.push_back(sample);
    }
    run.seconds.push_back(std::move(seconds));
  }
  return run;
}

TEST(TrainProfiles, LearnsTheTwoThingsHostsDo) {
  const auto trained = TrainProfiles({MakeRun(1), MakeRun(2)}, {.profiles = 2});
  ASSERT_TRUE(trained) << trained.error().Text();
  const Classifier classifier(trained->model);
  const auto run = MakeRun(3);
  std::size_t unknown = 0;
  for (std::size_t t = 0; t < 400; ++t) {
    const auto a = classifier.Classify(run.seconds[0][t])->label;
    const auto b = classifier.Classify(run.seconds[1][t])->label;
    unknown += a == 3 || b == 3 ? 1U : 0U;
    if (a != 3 && b != 3) {
      EXPECT_EQ(a, b);
    }
  }
  EXPECT_LT(unknown, 12U);
}

TEST(TrainProfiles, DropsWhatNeverChangesAndWhatIsNotThere) {
  const auto trained = TrainProfiles({MakeRun(1)}, {.profiles = 2});
  ASSERT_TRUE(trained);
  EXPECT_EQ(trained->model.metrics,
            (std::vector{HostMetric::kUser, HostMetric::kSystem, HostMetric::kContextSwitches}));
  EXPECT_THAT(trained->notes, Contains(HasSubstr("dropped plist-sz: it never changed")));
  EXPECT_THAT(trained->notes, Contains(HasSubstr("dropped bread: only 0 of 2000 seconds")));
}

TEST(TrainProfiles, LearnsFromTheMetricsThatAreWanted) {
  const auto trained = TrainProfiles(
      {MakeRun(1)}, {.profiles = 2, .metrics = {HostMetric::kSystem, HostMetric::kUser}});
  ASSERT_TRUE(trained);
  EXPECT_EQ(trained->model.metrics, (std::vector{HostMetric::kUser, HostMetric::kSystem}));
  for (const auto& note : trained->notes) {
    EXPECT_THAT(note, Not(HasSubstr("dropped")));  // that was asked for
  }
}

TEST(TrainProfiles, TheThresholdIsTheLeastThatIndictsNobodyAndAMargin) {
  const auto trained = TrainProfiles({MakeRun(1)}, {.profiles = 2});
  ASSERT_TRUE(trained);
  auto model = trained->model;
  EXPECT_TRUE(model.trained);
  EXPECT_LT(model.threshold, 0.3);
  // A host that is always busy stands out by far more.
  EXPECT_GT(TrainThreshold(model, {MakeRun(4, 2)}, AlarmRule::kConsecutive), model.threshold + 0.2);
}

TEST(TrainProfiles, TheSameSeedGivesTheSameModel) {
  const auto one = TrainProfiles({MakeRun(1)}, {.profiles = 3, .seed = 5});
  const auto two = TrainProfiles({MakeRun(1)}, {.profiles = 3, .seed = 5});
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->model, two->model);
}

TEST(TrainProfiles, TooLittleToLearnFromIsSaidSo) {
  HostRun run = MakeRun(1);
  run.hosts.resize(1);
  run.seconds.resize(1);
  run.seconds[0].resize(15);
  const auto trained = TrainProfiles({run}, {.profiles = 2});
  ASSERT_FALSE(trained);
  EXPECT_THAT(trained.error().Text(), HasSubstr("at least 20 seconds"));
}

}  // namespace
}  // namespace limpet::train_test
