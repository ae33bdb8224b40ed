#include "diagnoser/history/frame.h"

#include <gmock/gmock.h>

#include <limits>

namespace limpet::frame_test {
namespace {

const ColumnRow& Of(Column column) { return ColumnRows()[static_cast<std::size_t>(column)]; }

std::shared_ptr<const Cluster> TwoNodes() {
  auto cluster = std::make_shared<Cluster>();
  cluster->nodes = {{.node = "a"}, {.node = "b"}};
  return cluster;
}

TEST(Quantised, ComesBackAsWhatItStandsFor) {
  for (const auto& column : ColumnRows()) {
    for (std::int16_t byte = 0; byte <= (column.scale == ScaleKind::kIndex ? 1 : 255); ++byte) {
      EXPECT_EQ(Quantised(column, Dequantised(column, byte)), byte) << column.name;
    }
  }
}

TEST(Quantised, LinearLogAndIndex) {
  EXPECT_EQ(Quantised(Of(Column::kUtil), 0), 0);
  EXPECT_EQ(Quantised(Of(Column::kUtil), 100), 255);
  EXPECT_EQ(Quantised(Of(Column::kUtil), 250), 255);
  EXPECT_EQ(Quantised(Of(Column::kDegree), 0), 0);
  EXPECT_EQ(Quantised(Of(Column::kDegree), 0.01), 1);
  EXPECT_EQ(Quantised(Of(Column::kDegree), 1000), 255);
  EXPECT_EQ(Quantised(Of(Column::kDegree), 1e300), 255);
  EXPECT_EQ(Quantised(Of(Column::kCause), 3), 3);
  EXPECT_EQ(Quantised(Of(Column::kUtil), kMissing), kUnknown);
  EXPECT_EQ(Quantised(Of(Column::kUtil), std::numeric_limits<double>::infinity()), kUnknown);
}

TEST(MakeFrame, HasARowForEveryNodeAndNullsForWhatIsNotKnown) {
  const std::vector<NodeRates> rates = {{.node = "b", .busy = 0.5, .cpu = 0.25, .load1 = 3},
                                        {.node = "stranger"}};
  const auto frame = MakeFrame(TwoNodes(), rates, {{"a", {.degree = 1, .cause = Cause::kDiskBusy}}},
                               {{"a", {.up = true}}, {"b", {.up = false}}});
  ASSERT_EQ(frame.values.size(), 2 * kColumns);
  const auto at = [&](std::size_t node, Column column) {
    return frame.Row(node)[static_cast<std::size_t>(column)];
  };
  EXPECT_EQ(at(0, Column::kUtil), kUnknown);
  EXPECT_EQ(at(1, Column::kUtil), 128);
  EXPECT_EQ(at(1, Column::kCpu), 64);
  EXPECT_EQ(at(1, Column::kSystemLoad), Quantised(Of(Column::kSystemLoad), 3));
  EXPECT_EQ(at(0, Column::kCpu), kUnknown);
  EXPECT_EQ(at(0, Column::kCause), 1);
  EXPECT_EQ(at(1, Column::kCause), kUnknown);
  EXPECT_EQ(at(0, Column::kUp), 1);
  EXPECT_EQ(at(1, Column::kUp), 0);
  EXPECT_EQ(at(1, Column::kSpace), kUnknown);
}

}  // namespace
}  // namespace limpet::frame_test
