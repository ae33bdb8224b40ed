#include "diagnoser/incidents/precision.h"

#include <gtest/gtest.h>

namespace limpet::precision_test {
namespace {

IncidentStore::Answered Answered(const std::string& id, AnswerKind kind,
                                 const std::string& metric = "await") {
  IncidentRecord incident;
  incident.id = id;
  incident.cause = "disk-busy";
  incident.metric = metric;
  return {.answer = {.incident = id, .at = {}, .kind = kind}, .incident = incident};
}

TEST(MeasurePrecision, CountsTheLatestAnswerToEachIncident) {
  const std::vector answers = {Answered("a", AnswerKind::kFalseAlarm),
                               Answered("a", AnswerKind::kFixed),
                               Answered("b", AnswerKind::kScrub),
                               Answered("c", AnswerKind::kKnown, "write_bytes"),
                               Answered("c", AnswerKind::kMaintenance, "write_bytes"),
                               Answered("d", AnswerKind::kMaintenance)};
  const auto rows = MeasurePrecision(answers);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].metric, "");
  EXPECT_EQ(rows[0].right, 2U);
  EXPECT_EQ(rows[0].wrong, 1U);
  EXPECT_DOUBLE_EQ(rows[0].Value(), 2.0 / 3);
  EXPECT_EQ(rows[1].metric, "await");
  EXPECT_DOUBLE_EQ(rows[1].Value(), 0.5);
  EXPECT_EQ(rows[2].metric, "write_bytes");
  EXPECT_DOUBLE_EQ(rows[2].Value(), 1);
}

TEST(MeasurePrecision, WithoutAnswersThereIsNoNumber) { EXPECT_TRUE(MeasurePrecision({}).empty()); }

}  // namespace
}  // namespace limpet::precision_test
