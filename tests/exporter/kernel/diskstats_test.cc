#include "exporter/kernel/diskstats.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace limpet::diskstats_test {
namespace {

TEST(Diskstats, ReadsTheFieldsOfKernel55) {
  const auto stats = ParseDiskstats(
      " 254       0 vda 38584 10665 3585938 13034 32051 10997 2502320 6086 3 8532 19587 6426 56 "
      "365240 381 2711 84\n");
  ASSERT_EQ(stats.lines.size(), 1U);
  const auto& disk = stats.lines[0];
  EXPECT_EQ(disk.major, 254U);
  EXPECT_EQ(disk.minor, 0U);
  EXPECT_EQ(disk.name, "vda");
  EXPECT_EQ(disk.counters.reads, 38584U);
  EXPECT_EQ(disk.counters.reads_merged, 10665U);
  EXPECT_EQ(disk.counters.sectors_read, 3585938U);
  EXPECT_EQ(disk.counters.read_ms, 13034U);
  EXPECT_EQ(disk.counters.writes, 32051U);
  EXPECT_EQ(disk.counters.writes_merged, 10997U);
  EXPECT_EQ(disk.counters.sectors_written, 2502320U);
  EXPECT_EQ(disk.counters.write_ms, 6086U);
  EXPECT_EQ(disk.counters.in_flight, 3U);
  EXPECT_EQ(disk.counters.io_ms, 8532U);
  EXPECT_EQ(disk.counters.weighted_ms, 19587U);
  EXPECT_EQ(disk.counters.discards, 6426U);
  EXPECT_EQ(disk.counters.discards_merged, 56U);
  EXPECT_EQ(disk.counters.sectors_discarded, 365240U);
  EXPECT_EQ(disk.counters.discard_ms, 381U);
  EXPECT_EQ(disk.counters.flushes, 2711U);
  EXPECT_EQ(disk.counters.flush_ms, 84U);
  EXPECT_TRUE(disk.has_discards);
  EXPECT_TRUE(disk.has_flushes);
  EXPECT_EQ(stats.skipped, 0U);
}

TEST(Diskstats, KnowsHowManyFieldsTheKernelPrints) {
  const auto stats = ParseDiskstats(
      "8 0 old 1 2 3 4 5 6 7 8 9 10 11\n"
      "8 1 discards 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"
      "8 2 flushes 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"
      "8 3 future 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\n");
  ASSERT_EQ(stats.lines.size(), 4U);
  EXPECT_FALSE(stats.lines[0].has_discards);
  EXPECT_TRUE(stats.lines[1].has_discards);
  EXPECT_FALSE(stats.lines[1].has_flushes);
  EXPECT_TRUE(stats.lines[2].has_flushes);
  EXPECT_TRUE(stats.lines[3].has_flushes);
  for (const auto& disk : stats.lines) {
    EXPECT_EQ(disk.counters.weighted_ms, 11U) << disk.name;
  }
}

TEST(Diskstats, TakesNamesAsTheyCome) {
  const auto stats = ParseDiskstats(
      "104 0 cciss/c0d0 1 2 3 4 5 6 7 8 9 10 11\n"
      "8 0 my disk 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"
      "8 1 b\xff\xfe 1 2 3 4 5 6 7 8 9 10 11\n"
      "8 2 7 1 2 3 4 5 6 7 8 9 10 11\n");
  ASSERT_EQ(stats.lines.size(), 4U);
  EXPECT_EQ(stats.lines[0].name, "cciss/c0d0");
  EXPECT_EQ(stats.lines[1].name, "my disk");
  EXPECT_EQ(stats.lines[1].counters.reads, 1U);
  EXPECT_EQ(stats.lines[2].name, "b\xff\xfe");
  EXPECT_EQ(stats.lines[3].name, "7");
}

TEST(Diskstats, NegativeRequestsInFlightAreNoneAndSaidSo) {
  const auto stats = ParseDiskstats(
      "8 0 a 1 2 3 4 5 6 7 8 4294967295 10 11\n"
      "8 1 b 1 2 3 4 5 6 7 8 18446744073709551615 10 11\n"
      "8 2 c 1 2 3 4 5 6 7 8 -1 10 11\n"
      "8 3 d 1 2 3 4 5 6 7 8 9 10 11\n"
      "8 4 e 1 -2 3 4 5 6 7 8 9 10 11\n");
  ASSERT_EQ(stats.lines.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(stats.lines[i].in_flight_negative) << i;
    EXPECT_EQ(stats.lines[i].counters.in_flight, 0U) << i;
    EXPECT_EQ(stats.lines[i].counters.io_ms, 10U) << i;
  }
  EXPECT_FALSE(stats.lines[3].in_flight_negative);
  EXPECT_EQ(stats.skipped, 1U) << "a sign anywhere else is damage";
}

TEST(Diskstats, ReadsWhatIsWholeAndNamesTheFirstLineThatIsNot) {
  const auto stats = ParseDiskstats(
      "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n"
      "8 1 sdb 1 2 3 4 5\n"
      "8 x sdc 1 2 3 4 5 6 7 8 9 10 11\n"
      "8 3 sdd 1 2 3 4 99999999999999999999 6 7 8 9 10 11\n"
      "8 4 sde 1 2 3 4 5 6 7 8 9 10 11\n"
      "8 5 sdf 1 2 3 4 5 6 7 8 9 10 1");
  ASSERT_EQ(stats.lines.size(), 2U);
  EXPECT_EQ(stats.lines[1].name, "sde");
  EXPECT_EQ(stats.skipped, 4U) << "the last line has no newline: its last number may be cut";
  EXPECT_EQ(stats.problem, "line 2: expected major, minor, name and at least 11 numbers");
}

TEST(Diskstats, EmptyAndBinaryFilesHoldNoDisks) {
  EXPECT_TRUE(ParseDiskstats("").lines.empty());
  EXPECT_EQ(ParseDiskstats("").skipped, 0U);
  const std::string binary("\0\x01\xff\n\n\0 \0 \0\n", 10);
  EXPECT_TRUE(ParseDiskstats(binary).lines.empty());
  EXPECT_GT(ParseDiskstats(binary).skipped, 0U);
  EXPECT_TRUE(ParseDiskstats(std::string(100'000, '7')).lines.empty());
  std::string blanks(100'000, ' ');
  blanks.back() = '\n';
  EXPECT_TRUE(ParseDiskstats(blanks).lines.empty());
}

// Cut anywhere, a page gives a prefix of its disks, each as it was.
TEST(Diskstats, ACutPageGivesOnlyWholeDisks) {
  const std::string page =
      "8 0 sda 100 200 300 400 500 600 700 800 900 1000 1100\n"
      "8 16 sdb 101 201 301 401 501 601 701 801 901 1001 1101 12 13 14 15 16 17\n";
  for (std::size_t length = 0; length <= page.size(); ++length) {
    const auto stats = ParseDiskstats(std::string_view(page).substr(0, length));
    for (const auto& disk : stats.lines) {
      EXPECT_EQ(disk.counters.weighted_ms, disk.name == "sda" ? 1100U : 1101U) << length;
    }
  }
}

}  // namespace
}  // namespace limpet::diskstats_test
