#include "exporter/common/hash.h"

namespace limpet::hash_test {
namespace {

// The vectors of the algorithm's authors (draft-eastlake-fnv, appendix C).
TEST(Fnv1a64, GivesThePublishedValues) {
  EXPECT_EQ(Fnv1a64(""), 0xCBF29CE484222325U);
  EXPECT_EQ(Fnv1a64("a"), 0xAF63DC4C8601EC8CU);
  EXPECT_EQ(Fnv1a64("foobar"), 0x85944171F73967E8U);
}

TEST(Fnv1a64, IsItsStepsInOrder) {
  EXPECT_EQ(Fnv1aStep(Fnv1aStep(kFnv1aBasis, 'a'), 'b'), Fnv1a64("ab"));
  EXPECT_NE(Fnv1a64("ab"), Fnv1a64("ba"));
}

}  // namespace
}  // namespace limpet::hash_test
