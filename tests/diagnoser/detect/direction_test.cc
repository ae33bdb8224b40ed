#include "diagnoser/detect/direction.h"

#include <gmock/gmock.h>

namespace limpet::direction_test {
namespace {

TEST(Direction, OfNearMeansIsNone) {
  EXPECT_EQ(FindDirection(1, 1 + 1e-12), Direction::kNone);
  EXPECT_EQ(FindDirection(2, 1), Direction::kHigh);
  EXPECT_EQ(FindDirection(1, 2), Direction::kLow);
}

}  // namespace
}  // namespace limpet::direction_test
