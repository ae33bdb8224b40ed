#include "diagnoser/publish/report_pictures.h"

#include <gmock/gmock.h>

#include "tests/diagnoser/publish/incident_events.h"

namespace limpet::report_pictures_test {
namespace {

using ::testing::AllOf;
using testing::AwaitWindow;
using testing::DiskBusy;
using ::testing::HasSubstr;
using testing::kReportBegin;
using ::testing::Not;
using namespace std::chrono_literals;

Incident OfDisk(const std::string& node = "io04") {
  return {.begin = kReportBegin + 96s,
          .last = kReportBegin + 160s,
          .windows = 3,
          .indicted = true,
          .worst = DiskBusy(128, node, 5)};
}

WindowHistory::Points Windows(int count) {
  WindowHistory history(1h, 1U << 20U);
  for (int i = 1; i <= count; ++i) {
    history.Add(AwaitWindow(32 * i, 10, i > 2 ? 50 : 10));
  }
  return history.Snapshot().begin()->second;
}

TEST(TimelinePicture, HasARowAServerAndABarAnIncident) {
  auto secondary = OfDisk("io01");
  secondary.indicted = false;
  const auto picture = TimelinePicture({OfDisk(), secondary}, kReportBegin, kReportBegin + 300s);
  EXPECT_THAT(picture, AllOf(HasSubstr(">io04</text>"), HasSubstr(">io01</text>"),
                             HasSubstr("class=\"storage\""),
                             HasSubstr("class=\"storage secondary\""), HasSubstr(">00:01</text>"),
                             HasSubstr("io04: disk-busy, 2023-11-15T00:01:36Z to ")));
  EXPECT_EQ(TimelinePicture({}, kReportBegin, kReportBegin + 1s), "");
}

TEST(TimelinePicture, ShowsTheServersWithTheLongestIncidents) {
  std::vector<Incident> incidents;
  for (std::size_t i = 0; i < kMaxServers + 5; ++i) {
    incidents.push_back(OfDisk("n" + std::to_string(100 + i)));
    incidents.back().last += std::chrono::seconds(i);
  }
  const auto picture = TimelinePicture(incidents, kReportBegin, kReportBegin + 1h);
  EXPECT_THAT(picture, AllOf(HasSubstr(">n144<"), Not(HasSubstr(">n104<"))));
}

TEST(EvidencePicture, ShowsTheComponentAgainstItsPeers) {
  const auto incident = OfDisk();
  const auto picture = EvidencePicture(Windows(8), incident.worst.evidence.front(), incident);
  EXPECT_THAT(
      picture,
      AllOf(HasSubstr("class=\"own\""), HasSubstr("class=\"band\""), HasSubstr("class=\"span\""),
            HasSubstr("time per request of disk sdb of io04, ms"), HasSubstr(">60</text>")));
}

TEST(EvidencePicture, IsNoneWithoutWindowsOfTheComponent) {
  auto incident = OfDisk();
  auto& evidence = incident.worst.evidence.front();
  EXPECT_EQ(EvidencePicture({}, evidence, incident), "");
  evidence.component = "io09/sdb";
  EXPECT_EQ(EvidencePicture(Windows(8), evidence, incident), "");
}

}  // namespace
}  // namespace limpet::report_pictures_test
