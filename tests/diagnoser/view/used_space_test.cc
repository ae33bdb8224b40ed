#include "diagnoser/view/used_space.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/live_cluster.h"

namespace limpet::used_space_test {
namespace {

using testing::LiveCluster;

std::string Filesystem(const std::string& device, const std::string& where, int size, int left) {
  return fmt::format(
      "limpet_filesystem_size_bytes{{device=\"{0}\",mountpoint=\"{1}\",fstype=\"xfs\"}} {2}\n"
      "limpet_filesystem_avail_bytes{{device=\"{0}\",mountpoint=\"{1}\",fstype=\"xfs\"}} {3}\n",
      device, where, size, left);
}

// By node after it has told this as well.
std::map<std::string, double> UsedAfter(const std::string& page) {
  LiveCluster cluster;
  cluster.Step(10);
  (void)testing::IngestPage(cluster.Data(), "io03", cluster.Now(), page);
  return cluster.Data().UsedSpace(cluster.Now());
}

TEST(UsedSpace, IsThatOfTheDisksThatAreCompared) {
  const auto used = UsedAfter(Filesystem("/dev/sda1", "/data", 1000, 250) +
                              Filesystem("/dev/sdb1", "/", 1000, 1000));
  ASSERT_EQ(used.size(), 1U);
  EXPECT_DOUBLE_EQ(used.at("io03"), 0.75);
}

TEST(UsedSpace, OfAllDisksWhereNoneIsKnown) {
  const auto used = UsedAfter(Filesystem("/dev/mapper/vg-data", "/data", 1000, 500) +
                              Filesystem("/dev/sdab", "/", 1000, 1000));
  EXPECT_DOUBLE_EQ(used.at("io03"), 0.25);
}

TEST(UsedSpace, CountsADeviceOnceAndNoMoreThanItsSize) {
  EXPECT_DOUBLE_EQ(
      UsedAfter(Filesystem("/dev/sda", "/a", 1000, 400) + Filesystem("/dev/sda", "/b", 1000, 400))
          .at("io03"),
      0.6);
  EXPECT_DOUBLE_EQ(UsedAfter(Filesystem("/dev/sda", "/a", 1000, 5000)).at("io03"), 0);
  EXPECT_TRUE(UsedAfter("limpet_load1 1\n").empty());
}

}  // namespace
}  // namespace limpet::used_space_test
