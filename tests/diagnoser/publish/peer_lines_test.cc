#include "diagnoser/publish/peer_lines.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/diagnoser/publish/incident_events.h"

namespace limpet::peer_lines_test {
namespace {

using testing::AwaitWindow;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsNan;
using testing::kReportBegin;
using ::testing::SizeIs;
using namespace std::chrono_literals;

TEST(PeerLines, IsALineAComponentAndAPointAWindow) {
  PeerLines lines("default");
  lines.Add(AwaitWindow(32, 10, 50));
  lines.Add(AwaitWindow(64, 12, 60));
  const auto series = lines.Finish();
  ASSERT_THAT(series, SizeIs(1));
  EXPECT_EQ(series[0].group, "disks");
  EXPECT_EQ(series[0].metric, "await");
  EXPECT_THAT(series[0].times, ElementsAre(kReportBegin + 32s, kReportBegin + 64s));
  ASSERT_THAT(series[0].lines, SizeIs(3));
  EXPECT_EQ(series[0].lines[2].component, "io04/sdb");
  EXPECT_THAT(series[0].lines[2].means, ElementsAre(50, 60));
}

TEST(PeerLines, WhatWasNotComparedIsAHole) {
  PeerLines lines("default");
  lines.Add(AwaitWindow(32, 10, 10));
  auto few = AwaitWindow(64, 10, 10);
  few.undetermined = true;
  lines.Add(few);
  auto gone = AwaitWindow(96, 10, 10);
  gone.components.pop_back();
  lines.Add(gone);
  lines.Add(AwaitWindow(128, 10, 10));
  const auto series = lines.Finish();
  ASSERT_THAT(series, SizeIs(1));
  EXPECT_THAT(series[0].times, SizeIs(4));
  EXPECT_THAT(series[0].lines[0].means, ElementsAre(10, IsNan(), 10, 10));
  EXPECT_THAT(series[0].lines[2].means, ElementsAre(10, IsNan(), IsNan(), 10));
}

TEST(PeerLines, OtherPresetsAndTimeScalesAreNotDrawn) {
  PeerLines lines("testbench");
  lines.Add(AwaitWindow(32, 10, 10));
  EXPECT_THAT(lines.Finish(), IsEmpty());
}

TEST(PeerLines, ALongRecordingHasWindowsPutTogether) {
  PeerLines lines("default");
  const auto windows = 3 * PeerLines::kMaxPoints;
  for (std::size_t i = 0; i < windows; ++i) {
    lines.Add(AwaitWindow(32 * static_cast<std::int64_t>(i), 10, static_cast<double>(i)));
  }
  const auto series = lines.Finish();
  ASSERT_THAT(series, SizeIs(1));
  const auto points = windows / 4;
  ASSERT_THAT(series[0].times, SizeIs(points));
  EXPECT_EQ(series[0].times[1], kReportBegin + 128s);
  for (std::size_t i = 0; i < points; ++i) {
    EXPECT_FLOAT_EQ(series[0].lines[0].means[i], 10);
    EXPECT_FLOAT_EQ(series[0].lines[2].means[i], 4 * static_cast<float>(i) + 1.5F);
  }
}

TEST(PeerLines, CountsWhatItHasNoRoomFor) {
  PeerLines lines("default");
  WindowEvent window{.end = kReportBegin, .preset = "default", .group = "disks", .metric = "await"};
  window.components.resize(PeerLines::kMaxLines + 2);
  for (std::size_t i = 0; i < window.components.size(); ++i) {
    window.components[i].component = std::to_string(i);
    window.components[i].mean = 1;
  }
  lines.Add(window);
  EXPECT_EQ(lines.LeftOut(), 2U);
  EXPECT_THAT(lines.Finish().front().lines, SizeIs(PeerLines::kMaxLines));
}

}  // namespace
}  // namespace limpet::peer_lines_test
