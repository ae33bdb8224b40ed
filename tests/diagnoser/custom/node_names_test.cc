#include "diagnoser/custom/node_names.h"

#include <gtest/gtest.h>

namespace limpet::node_names_test {
namespace {

TEST(NodeNamesTest, FindsTheNodeWhateverTheDomainAndPort) {
  NodeNames names;
  names.Add("io04.cluster");
  names.Add("io05:9100");
  EXPECT_EQ(names.Find("io04"), "io04.cluster");
  EXPECT_EQ(names.Find("io04.other.domain"), "io04.cluster");
  EXPECT_EQ(names.Find("io05"), "io05:9100");
  EXPECT_EQ(names.Find("io05:9100"), "io05:9100");
}

TEST(NodeNamesTest, NameOfTwoNodesIsNeither) {
  NodeNames names;
  names.Add("io04.east");
  names.Add("io04.west");
  EXPECT_EQ(names.Find("io04"), "io04");
  EXPECT_EQ(names.Find("io04.west"), "io04.west");
}

TEST(NodeNamesTest, AddressesAreNotCutAtDots) {
  NodeNames names;
  names.Add("10.0.0.1:9100");
  names.Add("fd00::1");
  EXPECT_EQ(names.Find("10.0.0.1"), "10.0.0.1:9100");
  EXPECT_EQ(names.Find("10.0.0.2:9100"), "10.0.0.2");
  EXPECT_EQ(names.Find("fd00::1"), "fd00::1");
}

TEST(NodeNamesTest, AddressesMayStandForNodes) {
  NodeNames names;
  names.AddAlias("192.0.2.10", "nfs1");
  EXPECT_EQ(names.Find("192.0.2.10:2049"), "nfs1");
}

}  // namespace
}  // namespace limpet::node_names_test
