#include "diagnoser/runtime/probe_fact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::probe_fact_test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using State = ProbeReading::State;

ProbeReading Measured(const std::string& node, double median, std::size_t reads = 30) {
  return {
      .node = node, .device = "sdb", .state = State::kMeasured, .reads = reads, .median = median};
}

TEST(ProbeFact, HasTheThreeMedians) {
  const auto fact =
      MakeProbeFact({Measured("io04", 0.0412), Measured("io01", 0.0038), Measured("io02", 0.004)});
  ASSERT_TRUE(fact);
  EXPECT_EQ(fact->fact, "probe");
  EXPECT_EQ(fact->device, "sdb");
  EXPECT_EQ(fact->text,
            "30 reads of 4 KiB straight from the disk: io04/sdb 41 ms, io01/sdb 3.8 ms, io02/sdb "
            "4.0 ms");
  EXPECT_EQ(fact->detail, "41 ms, io01/sdb 3.8 ms, io02/sdb 4.0 ms");
  EXPECT_THAT(fact->next, StartsWith("The disk is slow for whoever asks"));
}

TEST(ProbeFact, SaysThatTheDiskIsAsItsPeersAre) {
  const auto fact =
      MakeProbeFact({Measured("a", 0.004), Measured("b", 0.0038), Measured("c", 0.003)});
  EXPECT_THAT(fact->next, StartsWith("The disk answers as its peers' do"));
}

TEST(ProbeFact, IsThatTheDiskDoesNotAnswerOrFails) {
  ProbeReading dead{.node = "a", .device = "sdb", .state = State::kNoAnswer, .waited = 10s};
  EXPECT_EQ(MakeProbeFact({dead, Measured("b", 0.004)})->text,
            "30 reads of 4 KiB straight from the disk: a/sdb did not answer in 10 s, b/sdb 4.0 ms");
  EXPECT_THAT(MakeProbeFact({dead})->next, StartsWith("Look for the disk in the kernel log"));
  ProbeReading broken{.node = "a", .device = "sdb", .state = State::kDiskError, .error = "EIO"};
  EXPECT_THAT(MakeProbeFact({broken})->text, HasSubstr("a/sdb failed (EIO)"));
}

TEST(ProbeFact, TellsWhichReadingsAreMissing) {
  ProbeReading none{.node = "b", .device = "sdb", .error = "denied"};
  const auto fact = MakeProbeFact({Measured("a", 1.24, 5), none});
  EXPECT_THAT(fact->text, HasSubstr("a/sdb 1.2 s (5 reads), b/sdb could not be asked (denied)"));
  EXPECT_THAT(fact->next, StartsWith("Compare with another disk"));
  EXPECT_FALSE(MakeProbeFact({none, Measured("a", 1)})) << "nothing about the suspect";
  EXPECT_FALSE(MakeProbeFact({}));
}

TEST(ReadTime, HasTwoDigits) {
  EXPECT_EQ(PrintReadTime(0.000123), "0.12 ms");
  EXPECT_EQ(PrintReadTime(0.00999), "10 ms");
  EXPECT_EQ(PrintReadTime(0.2), "200 ms");
  EXPECT_EQ(PrintReadTime(0), "0.00 ms");
}

}  // namespace
}  // namespace limpet::probe_fact_test
