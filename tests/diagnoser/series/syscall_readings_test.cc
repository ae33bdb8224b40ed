#include "diagnoser/series/syscall_readings.h"

#include <gmock/gmock.h>

namespace limpet::syscall_readings_test {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr UnixTime At(int second) { return UnixFromSeconds(1'700'000'000) + seconds(second); }

constexpr Field kErrors{Whose(SyscallField::kErrors), FieldNumber(SyscallField::kErrors)};

class SyscallReadingsTest : public ::testing::Test {
 protected:
  std::optional<std::uint32_t> Series(SyscallField field, const LabelPairs& more,
                                      const std::string& node = "io01",
                                      const std::string& target = {}) {
    LabelPairs labels = {{"process", "fsd"}, {"process_role", "server"}};
    labels.insert(labels.end(), more.begin(), more.end());
    return readings_.Resolve({.field = {Whose(field), FieldNumber(field)},
                              .labels = labels,
                              .source = {.node = node, .role = "io", .labels = {}},
                              .target = target});
  }
  std::uint32_t Errors(const std::string& error) {
    return *Series(SyscallField::kErrors, {{"errno", error}, {"class", "storage"}});
  }

  SyscallReadings readings_{seconds(40)};
};

TEST_F(SyscallReadingsTest, TheSameLabelsAreTheSameSeries) {
  EXPECT_EQ(Errors("EIO"), Errors("EIO"));
  EXPECT_NE(Errors("EIO"), Errors("EROFS"));
}

TEST_F(SyscallReadingsTest, WithoutAProcessRoleASeriesIsOfNoUse) {
  EXPECT_FALSE(readings_.Resolve({.field = kErrors,
                                  .labels = {{"process", "fsd"}, {"role", "server"}},
                                  .source = {.node = "io01", .role = "io", .labels = {}}}));
}

TEST_F(SyscallReadingsTest, ARecordingsNodeAndRoleAreLabels) {
  const auto number = readings_.Resolve({.field = kErrors,
                                         .labels = {{"process", "fsd"},
                                                    {"process_role", "client"},
                                                    {"instance", "c1"},
                                                    {"role", "client"}}});
  ASSERT_TRUE(number);
  readings_.Add(*number, At(1), 1);
  readings_.Add(*number, At(2), 2);
  const auto rises = readings_.TakeRises(At(2));
  ASSERT_THAT(rises, SizeIs(1));
  EXPECT_EQ(rises[0].subject->node, "c1");
  EXPECT_TRUE(rises[0].subject->client);
}

TEST_F(SyscallReadingsTest, TheFirstPageSaysNothingOfErrors) {
  readings_.Add(Errors("EIO"), At(1), 7);
  EXPECT_THAT(readings_.TakeRises(At(1)), IsEmpty());
}

TEST_F(SyscallReadingsTest, ASeriesThatBeginsLaterCountsFromZero) {
  readings_.Add(Errors("ENOENT"), At(1), 7);
  readings_.Add(Errors("ENOENT"), At(2), 7);
  readings_.Add(Errors("EIO"), At(2), 3);
  const auto rises = readings_.TakeRises(At(2));
  ASSERT_THAT(rises, SizeIs(1));
  EXPECT_EQ(rises[0].subject->error, "EIO");
  EXPECT_EQ(rises[0].count, 3U);
  EXPECT_EQ(rises[0].from, At(1));
  EXPECT_EQ(rises[0].to, At(2));
}

TEST_F(SyscallReadingsTest, ACounterThatFallsAddsNoErrors) {
  const auto number = Errors("EIO");
  readings_.Add(number, At(1), 7);
  readings_.Add(number, At(2), 2);
  readings_.Add(number, At(3), 8);
  const auto rises = readings_.TakeRises(At(3));
  ASSERT_THAT(rises, SizeIs(1));
  EXPECT_EQ(rises[0].count, 1U);
}

TEST_F(SyscallReadingsTest, RisesAreToldOnceAndNotBeforeTheirTime) {
  const auto number = Errors("EIO");
  readings_.Add(number, At(1), 1);
  readings_.Add(number, At(2), 2);
  readings_.Add(number, At(3), 3);
  EXPECT_THAT(readings_.TakeRises(At(2)), SizeIs(1));
  EXPECT_THAT(readings_.TakeRises(At(3)), SizeIs(1));
  EXPECT_THAT(readings_.TakeRises(At(3)), IsEmpty());
}

TEST_F(SyscallReadingsTest, CountersGiveTheIncreaseOfTheSecondAndGaugesTheirLatest) {
  const auto calls = *Series(SyscallField::kCalls, {{"class", "dread"}});
  const auto open = *Series(SyscallField::kOpenSeconds, {{"class", "storage"}});
  for (int second = 0; second <= 3; ++second) {
    readings_.Add(calls, At(second), 10.0 * second * second);
    readings_.Add(open, At(second), second);
  }
  std::map<SyscallField, double> values;
  readings_.ForEach(At(2),
                    [&](const auto& subject, double value) { values[subject.field] = value; });
  EXPECT_DOUBLE_EQ(values.at(SyscallField::kCalls), 30);
  EXPECT_DOUBLE_EQ(values.at(SyscallField::kOpenSeconds), 2);
}

TEST_F(SyscallReadingsTest, ASecondIsSettledWhenEveryNodeHasBeenReadOrIsGivenUp) {
  const auto one = *Series(SyscallField::kCalls, {{"class", "dread"}}, "io01");
  const auto other = *Series(SyscallField::kCalls, {{"class", "dread"}}, "io02");
  readings_.Add(one, At(5), 1);
  readings_.Add(other, At(3), 1);
  EXPECT_TRUE(readings_.Settled(At(3), At(5)));
  EXPECT_FALSE(readings_.Settled(At(4), At(5)));
  EXPECT_TRUE(readings_.Settled(At(4), At(8)));
}

TEST_F(SyscallReadingsTest, OneNodeCannotTakeTheRoomOfAll) {
  for (std::size_t i = 0; i < SyscallReadings::kMaxPerNode; ++i) {
    EXPECT_TRUE(Series(SyscallField::kErrors, {{"errno", std::to_string(i)}}));
  }
  EXPECT_FALSE(Series(SyscallField::kErrors, {{"errno", "one more"}}));
  EXPECT_TRUE(Series(SyscallField::kErrors, {{"errno", "one more"}}, "io02"));
}

TEST_F(SyscallReadingsTest, WhatIsForgottenIsGone) {
  const auto number = Errors("EIO");
  readings_.Add(number, At(1), 1);
  readings_.Forget("io01");
  EXPECT_TRUE(readings_.Empty());
  readings_.Add(number, At(2), 5);
  EXPECT_THAT(readings_.TakeRises(At(2)), IsEmpty());
}

TEST_F(SyscallReadingsTest, WhatHasBeenSilentForLongIsTidiedAway) {
  readings_.Add(Errors("EIO"), At(1), 1);
  readings_.Tidy(At(1) + hours(1));
  EXPECT_TRUE(readings_.Empty());
  EXPECT_EQ(Errors("EROFS"), 0U);
}

TEST_F(SyscallReadingsTest, AnAddressInATargetsUrlIsItsNodes) {
  const LabelPairs storage = {{"errno", "EIO"}, {"class", "storage"}};
  (void)Series(SyscallField::kErrors, storage, "io01", "http://10.0.0.1:9836/metrics");
  (void)Series(SyscallField::kErrors, storage, "io01", "http://[fd00::1]:9836/metrics");
  (void)Series(SyscallField::kErrors, storage, "io01", "http://storage1.example:9836/metrics");
  (void)Series(SyscallField::kErrors, storage, "io01", "http://127.0.0.1:9836/metrics");
  (void)Series(SyscallField::kErrors, storage, "io01", "/recordings/io01");
  using Addresses = std::map<std::string, std::string>;
  EXPECT_EQ(readings_.Addresses(), (Addresses{{"10.0.0.1", "io01"}, {"fd00::1", "io01"}}));
}

}  // namespace
}  // namespace limpet::syscall_readings_test
