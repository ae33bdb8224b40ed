#include "diagnoser/federation/qualified_names.h"

#include <gtest/gtest.h>

namespace limpet::qualified_names_test {
namespace {

TEST(QualifiedNames, NodesComponentsGroupsAndIds) {
  auto json =
      ApiJson::parse(R"({"id":"00aa","node":"io01","secondary_to":null,"text":"io01 is slow",
    "labels":{"node":"x"},"components":[{"component":"io01/sda","peer_group":"disks"}],"far_peers":["io02"]})");
  Qualify(json, "north");
  EXPECT_EQ(json,
            ApiJson::parse(
                R"({"id":"north.00aa","node":"north/io01","secondary_to":null,"text":"io01 is slow",
    "labels":{"node":"x"},"components":[{"component":"north/io01/sda","peer_group":"north/disks"}],"far_peers":["north/io02"]})"));
}

TEST(QualifiedNames, AreTakenApartAgain) {
  EXPECT_EQ(SplitName("north/io01/sda")->member, "north");
  EXPECT_EQ(SplitName("north/io01/sda")->name, "io01/sda");
  EXPECT_EQ(SplitId("site.north.00aa")->member, "site.north");
  EXPECT_EQ(SplitId("site.north.00aa")->name, "00aa");
  for (const auto* text : {"", "io01", "/io01", "north/"}) {
    EXPECT_FALSE(SplitName(text)) << text;
  }
  EXPECT_FALSE(SplitId("00aa"));
}

}  // namespace
}  // namespace limpet::qualified_names_test
