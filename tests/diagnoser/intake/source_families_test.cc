#include "diagnoser/intake/source_families.h"

#include <gtest/gtest.h>

namespace limpet::source_families_test {
namespace {

constexpr auto kDisk = EntityKind::kDisk;

TEST(SourceFamilies, EachSourceIsItsOwnUntilTwoTellOfOneEntity) {
  SourceFamilies families;
  const auto a = families.Add();
  const auto b = families.Add();
  families.Tell(a, kDisk, 0);
  families.Tell(b, kDisk, 7);
  families.Tell(b, EntityKind::kInterface, 0);  // the same number of another kind
  EXPECT_NE(families.Of(a), families.Of(b));
  families.Tell(b, kDisk, 0);
  EXPECT_EQ(families.Of(a), families.Of(b));
}

TEST(SourceFamilies, RelatedThroughAThirdIsRelated) {
  SourceFamilies families;
  const auto a = families.Add();
  const auto b = families.Add();
  const auto c = families.Add();
  const auto d = families.Add();
  families.Tell(a, kDisk, 1);
  families.Tell(b, kDisk, 2);
  families.Tell(d, kDisk, 3);
  families.Tell(c, kDisk, 2);
  families.Tell(c, kDisk, 1);
  families.Tell(c, kDisk, 1);
  EXPECT_EQ(families.Of(a), families.Of(b));
  EXPECT_EQ(families.Of(a), families.Of(c));
  EXPECT_NE(families.Of(a), families.Of(d));
}

TEST(SourceFamilies, AfterClearNobodyIsRelated) {
  SourceFamilies families;
  const auto a = families.Add();
  families.Tell(a, kDisk, 1);
  families.Clear();
  const auto b = families.Add();
  const auto c = families.Add();
  families.Tell(b, kDisk, 1);
  families.Tell(c, kDisk, 2);
  EXPECT_NE(families.Of(b), families.Of(c));
}

}  // namespace
}  // namespace limpet::source_families_test
