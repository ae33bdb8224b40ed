#include "diagnoser/sources/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::store_test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;
using namespace std::chrono_literals;

constexpr UnixTime kFirst = UnixFromSeconds(1'700'000'000);

TEST(Store, AsksForWhatTheGroupsWantOnly) {
  StoreSettings settings;
  settings.selector = "job=\"node\"";
  const auto all = StoreQueries(settings, {.kinds = {EntityKind::kDisk, EntityKind::kInterface,
                                                     EntityKind::kSocket, EntityKind::kPeer}});
  EXPECT_THAT(all, SizeIs(24));
  EXPECT_EQ(all[0].text, "{__name__=\"limpet_sample_timestamp_seconds\",job=\"node\"}");
  EXPECT_THAT(all[1].text,
              HasSubstr("max by (job,instance) (timestamp({__name__=\"limpet_disk_reads_completed_"
                        "total\",job=\"node\"})) or max by (job,instance) (timestamp("));
  EXPECT_EQ(all[4].text, "{__name__=~\"(limpet|node)_disk_reads_completed_total\",job=\"node\"}");
  const auto network = StoreQueries(settings, {.kinds = {EntityKind::kInterface}});
  EXPECT_THAT(network, SizeIs(6));
  EXPECT_EQ(network[2].text,
            "{__name__=~\"(limpet|node)_network_receive_bytes_total|(limpet|node)_"
            "(infiniband_port_data_received_bytes_total)\",job=\"node\"}");
  EXPECT_THAT(network[3].text, HasSubstr("|network_stack_info|"));
}

TEST(Store, BucketsAreAskedForWithTheirNativeHistogram) {
  const auto queries = StoreQueries({}, {.kinds = {}, .series = {"h_bucket", "counter_total"}});
  ASSERT_THAT(queries, SizeIs(4));
  EXPECT_EQ(queries[2].text, "{__name__=\"counter_total\"}");
  EXPECT_EQ(queries[3].text, "{__name__=~\"h|h_bucket\"}");
}

TEST(Store, ThePathOfAQuery) {
  StoreSettings settings;
  settings.endpoint.path = "/prometheus";
  const auto path = RangePath(settings, {.kind = StoreQuery::Kind::kReadings, .text = "{a=\"b\"}"},
                              kFirst, kFirst + 15s);
  EXPECT_THAT(
      path,
      StartsWith("/prometheus/api/v1/query_range?query=%7Ba%3D%22b%22%7D&start=1700000000.000&"
                 "end=1700000015.000&step=15.000&timeout=30.000&"));
}

}  // namespace
}  // namespace limpet::store_test
