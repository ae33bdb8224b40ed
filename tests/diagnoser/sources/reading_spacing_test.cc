#include "diagnoser/sources/reading_spacing.h"

#include <gmock/gmock.h>

#include <chrono>
#include <string>

namespace limpet::reading_spacing_test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Optional;

constexpr UnixTime kStart = UnixFromSeconds(1'700'000'000);

TEST(ReadingSpacing, IsKnownFromTwoReadingsOn) {
  ReadingSpacing spacing;
  EXPECT_EQ(spacing.Typical(), std::nullopt);
  spacing.Add("a", kStart);
  spacing.Add("a", kStart);
  EXPECT_EQ(spacing.Typical(), std::nullopt);
  spacing.Add("a", kStart + 60s);
  EXPECT_THAT(spacing.Typical(), Optional(Duration(60s)));
}

TEST(ReadingSpacing, ALostReadingAndASlowNodeDoNotDecide) {
  ReadingSpacing spacing;
  for (const auto at : {0s, 60s, 180s, 240s}) {
    spacing.Add("a", kStart + at);
    spacing.Add("b", kStart + at);
  }
  spacing.Add("c", kStart);
  spacing.Add("c", kStart + 3600s);
  EXPECT_THAT(spacing.Typical(), Optional(Duration(60s)));
}

TEST(ReadingSpacing, IsReadFromPagesWithSeveralReadings) {
  ReadingSpacing spacing;
  spacing.AddPage("a",
                  "node_disk_io_now{device=\"sda\"} 1 1700000000000\n"
                  "node_disk_io_now{device=\"sdb\"} 1 1700000000000\n"
                  "node_disk_io_now{device=\"sda\"} 1 1700000030000\n");
  EXPECT_THAT(spacing.Typical(), Optional(Duration(30s)));
}

TEST(ReadingSpacing, WhatIsNoInstantIsNoReading) {
  ReadingSpacing spacing;
  spacing.AddPage("a", "x 1 -9000000000000\nx 1 1700000000000\nx 1 4733510400000\n");
  EXPECT_EQ(spacing.Typical(), std::nullopt);
}

TEST(ReadingSpacing, NodesThatAreGoneMakeRoom) {
  ReadingSpacing spacing;
  for (std::size_t i = 0; i < ReadingSpacing::kMaxNodes; ++i) {
    spacing.Add("old" + std::to_string(i), kStart);
  }
  spacing.Add("new", kStart + 60s);  // no room
  spacing.Add("new", kStart + 120s);
  EXPECT_EQ(spacing.Typical(), std::nullopt);
  spacing.Add("new", kStart + 7200s);
  spacing.Add("new", kStart + 7215s);
  EXPECT_THAT(spacing.Typical(), Optional(Duration(15s)));
}

TEST(FindStepSlip, AStepMuchShorterThanTheReadingsIsOne) {
  StoreSettings settings;
  EXPECT_THAT(FindStepSlip(settings, 60s),
              Optional(HasSubstr("has a reading every 60 s and is read every 15 s; expected step: "
                                 "60s")));
  EXPECT_EQ(FindStepSlip(settings, 15s + 2ms), std::nullopt);
  EXPECT_EQ(FindStepSlip(settings, std::nullopt), std::nullopt);
}

TEST(DescribeEmptyStore, NamesTheSelector) {
  StoreSettings settings;
  settings.selector = "job=\"none\"";
  EXPECT_THAT(
      DescribeEmptyStore(settings, 60s),
      HasSubstr("have no series that a peer group compares with the selector job=\"none\""));
}

}  // namespace
}  // namespace limpet::reading_spacing_test
