#include "diagnoser/detect/degree.h"

#include <gmock/gmock.h>

namespace limpet {
namespace {

TEST(Direction, OfNearMeansIsNone) {
  EXPECT_EQ(DirectionOf(1, 1 + 1e-12), Direction::kNone);
  EXPECT_EQ(DirectionOf(2, 1), Direction::kHigh);
  EXPECT_EQ(DirectionOf(1, 2), Direction::kLow);
}

}  // namespace
}  // namespace limpet
