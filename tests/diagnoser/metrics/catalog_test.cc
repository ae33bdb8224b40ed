#include "diagnoser/metrics/catalog.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace limpet::catalog_test {
namespace {

TEST(Catalog, FindsByThePapersNameAndByTheLabel) {
  ASSERT_NE(FindMetric("rd_sec"), nullptr);
  EXPECT_EQ(FindMetric("rd_sec")->label, "read_bytes");
  EXPECT_EQ(FindMetric("read_bytes"), FindMetric("rd_sec"));
  EXPECT_EQ(FindMetric("read_sec"), nullptr);
  EXPECT_EQ(FindMetric(""), nullptr);
}

TEST(Catalog, LabelsAreSnakeCase) {
  for (const auto some : MetricTable()) {
    for (const auto& row : some) {
      EXPECT_EQ(row.label.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
                std::string_view::npos)
          << row.label;
      EXPECT_FALSE(row.text.empty()) << row.name;
    }
  }
}

TEST(Catalog, AwaitIsJudgedByServiceTime) {
  const auto& await = RowFor(DiskMetric::kAwait);
  ASSERT_TRUE(await.judged_with);
  const auto& other = Metrics(GroupKind::kStorage)[*await.judged_with];
  EXPECT_EQ(other.name, "svctm");
  EXPECT_EQ(other.judges, Index(DiskMetric::kAwait));
}

TEST(Catalog, EveryPlaceOfTheChecklistIsTakenOnce) {
  std::set<int> places;
  for (const auto some : MetricTable()) {
    for (const auto& row : some) {
      EXPECT_EQ(row.checklist.place == 0, row.checklist.symptom == Symptom::kNone) << row.name;
      if (row.checklist.place != 0) {
        EXPECT_TRUE(places.insert(row.checklist.place).second) << row.name;
      }
    }
  }
  EXPECT_EQ(places, (std::set<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
}

TEST(Catalog, EveryGroupKindHasARow) {
  for (std::size_t i = 0; i < kGroupKindRows.size(); ++i) {
    EXPECT_EQ(Index(kGroupKindRows[i].kind), i);
    for (const auto& row : kGroupKindRows[i].metrics) {
      EXPECT_EQ(row.entity, kGroupKindRows[i].entity) << row.name;
    }
  }
}

TEST(Catalog, CountersOfAFormulaAreCountersOfTheirKind) {
  for (const auto some : MetricTable()) {
    for (const auto& row : some) {
      if (row.formula.per == Per::kNothing || row.formula.per == Per::kReading) {
        continue;
      }
      for (const auto counter : row.formula.counters) {
        EXPECT_TRUE(counter == Formula::kAbsent || counter < KindRow(row.formula.of).counters)
            << row.name;
      }
    }
  }
}

}  // namespace
}  // namespace limpet::catalog_test
