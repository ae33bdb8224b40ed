#include "exporter/common/closest.h"

#include <gtest/gtest.h>

namespace limpet::closest_test {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(EditDistance("server", "server"), 0U);
  EXPECT_EQ(EditDistance("servr", "server"), 1U);
  EXPECT_EQ(EditDistance("serverr", "server"), 1U);
  EXPECT_EQ(EditDistance("sarver", "server"), 1U);
  EXPECT_EQ(EditDistance("sevrer", "server"), 1U);
  EXPECT_EQ(EditDistance("", "abc"), 3U);
}

TEST(Closest, IsWhatWasMostLikelyMeant) {
  EXPECT_EQ(Closest("servr", {"client", "server"}), "server");
  EXPECT_EQ(Closest("io7", {"io07", "io17"}), "io07");
  EXPECT_EQ(Closest("metadata", {"client", "server"}), std::nullopt);
  EXPECT_EQ(Closest("server", {"server"}), std::nullopt);
  EXPECT_EQ(Closest("x", {}), std::nullopt);
  EXPECT_EQ(DidYouMean("servr", {"server"}), "; did you mean server?");
  EXPECT_EQ(DidYouMean("abc", {"server"}), "");
}

}  // namespace
}  // namespace limpet::closest_test
