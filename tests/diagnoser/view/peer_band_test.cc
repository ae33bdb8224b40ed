#include "diagnoser/view/peer_band.h"

#include <gmock/gmock.h>

#include <numeric>

#include "tests/support/live_cluster.h"

namespace limpet::peer_band_test {
namespace {

using testing::LiveCluster;
using ::testing::SizeIs;

PeerBand Get(LiveCluster& cluster, std::vector<std::string> components) {
  const auto end = cluster.Now() - std::chrono::seconds(cluster.Now().time_since_epoch() /
                                                        std::chrono::seconds(1) % 5);
  return *cluster.Data().Band({.preset = "default",
                               .group = "disks",
                               .metric = "await",
                               .end = end,
                               .components = std::move(components)});
}

TEST(PeerBand, TellsTheComponentFromItsPeersStepByStep) {
  LiveCluster cluster;
  cluster.Steps(60, 80);
  const auto band = Get(cluster, {"io03/sda", "no/such"});
  ASSERT_THAT(band.own, SizeIs(1));
  ASSERT_THAT(band.median, SizeIs(10));
  ASSERT_THAT(band.own[0].samples, SizeIs(10));
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(static_cast<double>(band.own[0].samples[i]), 80, 0.01);
    EXPECT_NEAR(static_cast<double>(band.median[i]), 10.4, 0.2);
    EXPECT_LE(band.low[i], band.median[i]);
    EXPECT_LE(band.median[i], band.high[i]);
  }
  EXPECT_THAT(band.edges, SizeIs(PeerBand::kBins + 1));
  EXPECT_NEAR(std::accumulate(band.peer_shares.begin(), band.peer_shares.end(), 0.0), 1, 1e-5);
  EXPECT_NEAR(static_cast<double>(band.own[0].shares.back()), 1, 1e-5);
  EXPECT_GT(band.Bytes(), sizeof(PeerBand));
}

TEST(PeerBand, OfSamplesThatAreAllEqualHasBinsToo) {
  LiveCluster cluster;
  cluster.Steps(60, 10.3);
  const auto band = Get(cluster, {});
  EXPECT_THAT(band.own, SizeIs(0));
  EXPECT_GT(band.edges.back(), band.edges.front());
}

TEST(PeerBand, BeforeTheFirstWindowThereIsNone) {
  LiveCluster cluster;
  cluster.Steps(3, 10);
  EXPECT_FALSE(cluster.Data().Band(
      {.preset = "default", .group = "disks", .metric = "await", .end = cluster.Now()}));
}

}  // namespace
}  // namespace limpet::peer_band_test
