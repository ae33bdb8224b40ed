#include "diagnoser/publish/peer_picture.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/diagnoser/publish/incident_events.h"

namespace limpet::peer_picture_test {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::kReportBegin;
using ::testing::Not;
using ::testing::StartsWith;
using namespace std::chrono_literals;

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

PeerSeries Series(const std::vector<std::vector<float>>& lines) {
  PeerSeries series{.group = "disks", .metric = "await", .times = {}, .lines = {}};
  for (std::size_t i = 0; i < lines.front().size(); ++i) {
    series.times.push_back(kReportBegin + std::chrono::seconds(32 * static_cast<std::int64_t>(i)));
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    series.lines.push_back({fmt::format("io{:03}/sdb", i), lines[i]});
  }
  return series;
}

std::size_t Count(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

TEST(PeerPicture, NamesThosePeersThatLeaveTheMedian) {
  const auto picture =
      PeerPicture({Series({{10, 10, 10}, {10, 10, 10}, {10, 60, 10}, {10, 12, 10}, {9, 9, 9}})}, 0);
  EXPECT_THAT(picture,
              AllOf(StartsWith("<svg xmlns="), HasSubstr("disks: time per request, ms; 5 peers"),
                    HasSubstr(">io002/sdb: 50.0</text>"), HasSubstr(">io003/sdb: 2.00</text>"),
                    HasSubstr(">io004/sdb: 1.00</text>"), HasSubstr("11-15 00:00"),
                    HasSubstr("Metrics: 1, never moved: 0"), EndsWith("</svg>\n")));
  EXPECT_EQ(Count(picture, "<polyline"), 5U);
  EXPECT_EQ(Count(picture, "class=\"peer\""), 2U);
  // The furthest is drawn over all others.
  EXPECT_GT(picture.find("class=\"first\""), picture.find("class=\"peer\""));
}

TEST(PeerPicture, AlikePeersAreNotNamed) {
  const auto picture = PeerPicture({Series({{10, 11}, {10, 11}, {10, 11}})}, 0);
  EXPECT_EQ(Count(picture, "class=\"peer\""), 3U);
  EXPECT_THAT(picture, Not(HasSubstr("class=\"first\"")));
}

TEST(PeerPicture, MetricsThatNeverMovedAreCounted) {
  const auto picture = PeerPicture({Series({{0, 0}, {0, kNone}, {0, 0}})}, 7);
  EXPECT_THAT(picture, AllOf(HasSubstr("Metrics: 1, never moved: 1, means left out: 7"),
                             Not(HasSubstr("<polyline"))));
}

TEST(PeerPicture, LinesEndAtHolesAndPauses) {
  auto series = Series({{1, 2, kNone, 4, 5, 6}, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}});
  for (std::size_t i = 4; i < series.times.size(); ++i) {
    series.times[i] += 24h;
  }
  const auto picture = PeerPicture({series}, 0);
  // Of the first two parts and, of one point, a dot; of the others a part before and after the
  // pause.
  EXPECT_EQ(Count(picture, "<polyline"), 2U + 2 * 2);
  EXPECT_EQ(Count(picture, "<circle"), 1U);
  EXPECT_EQ(Count(picture, "class=\"pause\""), 1U);
}

TEST(PeerPicture, ManyPeersAreABandBehindTheFurthest) {
  std::vector<std::vector<float>> lines;
  for (std::size_t i = 0; i < kMaxDrawn + 60; ++i) {
    lines.push_back({100, 100 + static_cast<float>(i)});
  }
  const auto picture = PeerPicture({Series(lines)}, 0);
  EXPECT_EQ(Count(picture, "<polyline"), kMaxDrawn);
  EXPECT_EQ(Count(picture, "class=\"band\""), 1U);
}

TEST(PeerPicture, HasNoMoreChartsThanItMay) {
  std::vector<PeerSeries> all(kMaxCharts + 3, Series({{1, 2}, {1, 2}, {1, 2}}));
  const auto picture = PeerPicture(all, 0);
  EXPECT_THAT(picture, HasSubstr("not drawn: 3"));
  EXPECT_EQ(Count(picture, "class=\"name\""), kMaxCharts);
}

TEST(PeerPicture, NamesOfComponentsAreNoMarkup) {
  auto series = Series({{1, 2}, {1, 2}, {1, 9}});
  series.group = "<script>";
  series.lines[2].component = "\"><script>alert(1)</script>";
  EXPECT_THAT(PeerPicture({series}, 0), Not(HasSubstr("<script>")));
}

TEST(PeerPicture, OfNothingIsAHeading) { EXPECT_THAT(PeerPicture({}, 0), HasSubstr("Metrics: 0")); }

}  // namespace
}  // namespace limpet::peer_picture_test
