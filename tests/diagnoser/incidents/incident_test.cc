#include "diagnoser/incidents/incident.h"

#include <gtest/gtest.h>

namespace limpet::incident_test {
namespace {

using namespace std::chrono_literals;

constexpr auto kHour = UnixFromSeconds(1'795'312'800);  // 2026-11-22T02:00:00Z

TEST(Incident, TwoWhoSeeTheSameFaultAWindowApartMakeTheSameId) {
  const auto id = IncidentId("site", "io03", "disk", kHour + 10min);
  EXPECT_TRUE(IsIncidentId(id));
  EXPECT_EQ(id, IncidentId("site", "io03", "disk", kHour + 10min + 32s));
  EXPECT_NE(id, IncidentId("site", "io03", "disk", kHour + 60min));
}

TEST(Incident, AnotherClusterNodeOrFamilyIsAnotherIncident) {
  const auto id = IncidentId("site", "io03", "disk", kHour);
  EXPECT_NE(id, IncidentId("other", "io03", "disk", kHour));
  EXPECT_NE(id, IncidentId("site", "io04", "disk", kHour));
  EXPECT_NE(id, IncidentId("site", "io03", "network", kHour));
  EXPECT_NE(IncidentId("a", "bc", "disk", kHour), IncidentId("ab", "c", "disk", kHour));
}

TEST(Incident, EveryCauseHasAFamily) {
  for (const auto& row : CauseRows()) {
    EXPECT_EQ(IncidentFamily(row.cause).empty(), row.cause == Cause::kNone) << row.name;
  }
  EXPECT_EQ(IncidentFamily(Cause::kServerHang), "server");
  EXPECT_TRUE(IncidentFamily(Cause::kNone).empty());
  EXPECT_EQ(IncidentFamily(Cause::kDiskHog), IncidentFamily(Cause::kDiskBusy));
}

TEST(Incident, AnIdIsSixteenDigits) {
  EXPECT_FALSE(IsIncidentId(""));
  EXPECT_FALSE(IsIncidentId("0123456789ABCDEF"));
  EXPECT_FALSE(IsIncidentId("0123456789abcdef0"));
  EXPECT_FALSE(IsIncidentId("0123456789abcde\n"));
  EXPECT_FALSE(IsIncidentId("../../etc/passwd"));
}

TEST(Incident, AnAnswersKindIsReadAsItIsWritten) {
  for (const auto kind : kAnswerKinds) {
    EXPECT_EQ(ParseAnswerKind(Name(kind)), kind);
  }
  EXPECT_FALSE(ParseAnswerKind("Fixed"));
}

TEST(Incident, TextsOfPeopleAreClippedAndPrintable) {
  EXPECT_EQ(CleanText("replaced sda", 100), "replaced sda");
  EXPECT_EQ(CleanText("replaced sda", 8), "replaced");
  EXPECT_EQ(CleanText("a\x1b[31m", 100).find('\x1b'), std::string::npos);
  EXPECT_LE(CleanText(std::string(50, '\xff'), 50).size(), 50U);
}

}  // namespace
}  // namespace limpet::incident_test
