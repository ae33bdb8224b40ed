#include "diagnoser/publish/incidents.h"

#include <gtest/gtest.h>

#include "tests/diagnoser/publish/incident_events.h"

namespace limpet::incidents_test {
namespace {

using testing::DiskBusy;
using testing::kReportBegin;
using namespace std::chrono_literals;

TEST(IncidentList, JoinsWindowsAndKeepsTheWorst) {
  IncidentList list({DefaultPreset()});
  list.Add(DiskBusy(64, "io04", 2));
  list.Add(DiskBusy(96, "io04", 5));
  auto secondary = DiskBusy(96, "io01", 1);
  secondary.secondary = true;
  list.Add(secondary);
  list.Add(DiskBusy(128, "io04", 3));
  const auto incidents = list.Sorted();
  ASSERT_EQ(incidents.size(), 2U);
  EXPECT_EQ(incidents[0].worst.node, "io04");
  EXPECT_EQ(incidents[0].begin, kReportBegin + 64s);
  EXPECT_EQ(incidents[0].last, kReportBegin + 128s);
  EXPECT_EQ(incidents[0].windows, 3U);
  EXPECT_EQ(incidents[0].worst.degree, 5);
  EXPECT_TRUE(incidents[0].indicted);
  EXPECT_FALSE(incidents[1].indicted);
}

TEST(IncidentList, BeginsAnotherWhenTheFilterHasForgotten) {
  const auto silence = FilterLengths({DefaultPreset()}).at("default");
  IncidentList list({DefaultPreset()});
  list.Add(DiskBusy(0, "io04", 2));
  list.Add(DiskBusy(silence / 1s, "io04", 2));
  list.Add(DiskBusy(2 * (silence / 1s) + 1, "io04", 2));
  EXPECT_EQ(list.Sorted().size(), 2U);
}

TEST(IncidentList, IsBounded) {
  IncidentList list({DefaultPreset()});
  for (std::size_t i = 0; i < IncidentList::kMaxIncidents + 3; ++i) {
    list.Add(DiskBusy(0, "n" + std::to_string(i), 2));
  }
  EXPECT_EQ(list.Sorted().size(), IncidentList::kMaxIncidents);
  EXPECT_EQ(list.LeftOut(), 3U);
}

}  // namespace
}  // namespace limpet::incidents_test
