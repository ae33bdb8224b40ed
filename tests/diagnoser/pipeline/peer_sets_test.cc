#include "diagnoser/pipeline/peer_sets.h"

#include <gtest/gtest.h>

namespace limpet::peer_sets_test {
namespace {

TEST(PeerSets, ServersOfOneGroupAreOfOneSetAndAThirdOneJoinsTwo) {
  const PeerSets sets({{"a", "b", "b"}, {"c", "d"}, {}, {"e", "f"}, {"d", "f"}});
  EXPECT_EQ(sets.Of("a"), sets.Of("b"));
  EXPECT_EQ(sets.Of("c"), sets.Of("d"));
  EXPECT_EQ(sets.Of("c"), sets.Of("e"));
  EXPECT_NE(sets.Of("a"), sets.Of("c"));
}

TEST(PeerSets, AServerOfNoGroupIsAlone) {
  const PeerSets sets({{"a"}, {"b"}});
  EXPECT_NE(sets.Of("x"), sets.Of("a"));
  EXPECT_NE(sets.Of("x"), sets.Of("b"));
  EXPECT_NE(sets.Of("x"), sets.Of("y"));
}

}  // namespace
}  // namespace limpet::peer_sets_test
