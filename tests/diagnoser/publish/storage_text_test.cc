#include "diagnoser/publish/storage_text.h"

#include <gtest/gtest.h>

namespace limpet::storage_text_test {
namespace {

TEST(StorageTextTest, QuantilesAreNamedAgainstThePeers) {
  Evidence evidence{.component = "io04/osd.7", .metric = "osd_commit_latency"};
  evidence.storage = {.text = "time to commit a write",
                      .unit = "s",
                      .quantile = "p99",
                      .own = 0.12,
                      .peers_low = 0.014,
                      .peers_high = 0.018,
                      .requests = 4000,
                      .disk = "sdb"};
  EXPECT_EQ(
      ExplainStorage(evidence),
      "time to commit a write of osd.7 on io04 (sdb): p99 120 ms, its peers' 14.0 to 18.0 ms");
}

TEST(StorageTextTest, MeansOfNodesHaveNoQuantile) {
  Evidence evidence{.component = "etcd3", .metric = "queue"};
  evidence.storage = {.text = "requests in the queue",
                      .unit = "requests",
                      .own = 40,
                      .peers_low = 2,
                      .peers_high = 3};
  EXPECT_EQ(ExplainStorage(evidence),
            "requests in the queue of etcd3: 40.0 requests, its peers' 2.00 to 3.00 requests");
}

TEST(StorageTextTest, UnitsFitTheSize) {
  EXPECT_EQ(StorageDisplay("s", 2).factor, 1);
  EXPECT_EQ(StorageDisplay("s", 0.002).unit, "ms");
  EXPECT_EQ(StorageDisplay("s", 0.00002).unit, "\u00b5s");
  EXPECT_EQ(StorageDisplay("B/s", 1e9).unit, "MB/s");
  EXPECT_EQ(StorageDisplay("ms", 5).factor, 1);
}

}  // namespace
}  // namespace limpet::storage_text_test
