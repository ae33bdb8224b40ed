#include "exporter/common/columns/series_table.h"

#include <gtest/gtest.h>

namespace limpet::columns::series_table_test {
namespace {

TEST(SeriesIndex, NumbersSeriesInTheOrderInWhichTheyCome) {
  SeriesIndex index;
  EXPECT_EQ(index.FindOrAdd("a"), 0U);
  EXPECT_EQ(index.FindOrAdd("b"), 1U);
  EXPECT_EQ(index.FindOrAdd("a"), 0U);
  EXPECT_EQ(index.FindOrAdd("b", 1), 1U);
  EXPECT_EQ(index.FindOrAdd("b", 0), 1U) << "a wrong guess costs time only";
  EXPECT_EQ(index.FindOrAdd("c", 7), 2U);
  EXPECT_EQ(index.Table().Size(), 3U);
  EXPECT_EQ(index.Table().At(2), "c");
}

TEST(SeriesTable, IsBounded) {
  SeriesTable table;
  EXPECT_FALSE(table.Add(std::string(kMaxSeriesBytes + 1, 'x')));
  const std::string longest(kMaxSeriesBytes, 'x');
  for (std::size_t i = 0; i < kMaxTableBytes / kMaxSeriesBytes; ++i) {
    ASSERT_TRUE(table.Add(longest));
  }
  EXPECT_FALSE(table.Add("x"));
}

}  // namespace
}  // namespace limpet::columns::series_table_test
