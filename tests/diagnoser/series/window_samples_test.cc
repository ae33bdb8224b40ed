#include "diagnoser/series/window_samples.h"

#include <gmock/gmock.h>

#include "diagnoser/metrics/samples.h"

namespace limpet::window_samples_test {
namespace {

using std::chrono::seconds;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

UnixTime At(int second) { return UnixTime(seconds(second)); }

constexpr WindowShape kShape{.step = seconds(1), .window = 4, .smoothing = 2};

template <class Counter>
void Count(Readings& readings, Counter counter, std::uint32_t entity, double each, int last = 10) {
  for (int second = 0; second <= last; ++second) {
    (void)readings.Add({Whose(counter), FieldNumber(counter)}, entity, At(second), each * second);
  }
}

Member Of(std::vector<std::uint32_t> entities) {
  return {.name = "io01", .node = "io01", .device = {}, .entities = std::move(entities)};
}

std::span<const double> Samples(const MemberSamples& window, DiskMetric metric) {
  return window.metrics.Of(Index(metric));
}

// All counters of one disk: 20 requests a second, each takes 10 ms and 8 sectors.
Readings OneDisk(int last = 10) {
  Readings readings({GridSpec{}});
  Count(readings, DiskCounter::kReads, 0, 5, last);
  Count(readings, DiskCounter::kWrites, 0, 15, last);
  Count(readings, DiskCounter::kReadBytes, 0, 5 * 4096, last);
  Count(readings, DiskCounter::kWrittenBytes, 0, 15 * 4096, last);
  Count(readings, DiskCounter::kReadSeconds, 0, 0.05, last);
  Count(readings, DiskCounter::kWriteSeconds, 0, 0.15, last);
  Count(readings, DiskCounter::kBusySeconds, 0, 0.1, last);
  Count(readings, DiskCounter::kWeightedSeconds, 0, 0.2, last);
  return readings;
}

TEST(WindowSamples, OfADiskAreMadeByTheRows) {
  const auto readings = OneDisk();
  const auto window = DiskWindow(readings, Of({0}), At(8), kShape, 0);
  ASSERT_EQ(window.metrics.size(), Metrics(GroupKind::kStorage).size());
  EXPECT_NEAR(Samples(window, DiskMetric::kAwait)[0], 10, 1e-9);
  EXPECT_NEAR(Samples(window, DiskMetric::kServiceTime)[0], 5, 1e-9);
  EXPECT_NEAR(Samples(window, DiskMetric::kRequestSize)[0], 8, 1e-9);
  EXPECT_THAT(Samples(window, DiskMetric::kRequests), ElementsAre(20, 20, 20, 20));
  EXPECT_DOUBLE_EQ(window.requests, 80);
}

TEST(WindowSamples, StepsAtTheDeviceAreThoseOfReadsAndWritesTogether) {
  auto readings = OneDisk();
  EXPECT_THAT(DiskWindow(readings, Of({0}), At(8), kShape, 0).device.at_device, IsEmpty());
  Count(readings, DiskCounter::kDeviceReadSeconds, 0, 1.5);
  const auto reads = DiskWindow(readings, Of({0}), At(8), kShape, 0).device;
  EXPECT_THAT(reads.at_device, ElementsAre(1.5, 1.5, 1.5, 1.5)) << "nothing has been written";
  Count(readings, DiskCounter::kDeviceWriteSeconds, 0, 2, 7);
  const auto both = DiskWindow(readings, Of({0}), At(8), kShape, 0).device;
  EXPECT_THAT(both.at_device, ElementsAre(3.5, 3.5, 3.5, 1.5));
  EXPECT_THAT(both.requests, Each(20));
  EXPECT_THAT(both.bytes, Each(20 * 4096));
  EXPECT_THAT(both.busy, Each(::testing::DoubleNear(0.1, 1e-9)));
}

TEST(WindowSamples, HolesAreTakenOut) {
  const auto readings = OneDisk(6);
  const auto window = DiskWindow(readings, Of({0}), At(8), kShape, 0);
  EXPECT_THAT(Samples(window, DiskMetric::kRequests), ElementsAre(20, 20)) << "of seconds 5 and 6";
  EXPECT_DOUBLE_EQ(window.requests, 40);
}

TEST(WindowSamples, ADiskWithoutReadingsHasNone) {
  const Readings readings({GridSpec{}});
  const auto window = DiskWindow(readings, Of({0}), At(8), kShape, 0);
  ASSERT_EQ(window.metrics.size(), Metrics(GroupKind::kStorage).size());
  EXPECT_THAT(Samples(window, DiskMetric::kAwait), IsEmpty());
}

TEST(WindowSamples, InterfacesOfAServerAreSummed) {
  Readings readings({GridSpec{}});
  Count(readings, NetCounter::kRxBytes, 0, 100);
  Count(readings, NetCounter::kRxBytes, 1, 11);
  Count(readings, NetCounter::kTxPackets, 1, 3);
  const auto window = NetWindow(readings, Of({0, 1, 2}), At(8), kShape, 0);
  ASSERT_EQ(window.metrics.size(), Metrics(GroupKind::kNetwork).size());
  EXPECT_THAT(window.metrics.Of(0), Each(111));
  EXPECT_THAT(window.metrics.Of(1), IsEmpty());
  EXPECT_THAT(window.metrics.Of(3), Each(3));
}

TEST(WindowSamples, BalancesBeginWithTheDisksOfTheServerAddedUp) {
  auto readings = OneDisk();
  Count(readings, DiskCounter::kReadBytes, 1, 1000);
  Count(readings, NetCounter::kTxBytes, 0, 100);
  auto server = Of({0});
  server.disks = {0, 1};
  constexpr std::size_t kUnsent = 5;
  ASSERT_EQ(Metrics(GroupKind::kNetwork)[kUnsent].name, "unsent");
  EXPECT_THAT(NetWindow(readings, server, At(8), kShape, 0, true).metrics.Of(kUnsent),
              Each(5 * 4096 + 1000));
  EXPECT_THAT(NetWindow(readings, server, At(8), kShape, 0).metrics.Of(kUnsent), IsEmpty());
  EXPECT_THAT(NetWindow(readings, Of({0}), At(8), kShape, 0, true).metrics.Of(kUnsent), IsEmpty());
}

TEST(WindowSamples, ServersKnowHowBusyTheirBusiestDiskIsForBalances) {
  auto readings = OneDisk();
  Count(readings, DiskCounter::kBusySeconds, 1, 0.4);
  auto server = Of({0});
  server.disks = {0, 1};
  EXPECT_NEAR(NetWindow(readings, server, At(8), kShape, 0, true).disk_busy, 0.4, 1e-9);
  EXPECT_EQ(NetWindow(readings, server, At(8), kShape, 0).disk_busy, 0);
  EXPECT_EQ(NetWindow(readings, Of({0}), At(8), kShape, 0, true).disk_busy, 0);
  Count(readings, DiskCounter::kReadSeconds, 1, 0.3);
  EXPECT_NEAR(NetWindow(readings, server, At(8), kShape, 0, true).disk_busy, 0.3, 1e-9)
      << "or as long as its requests take";
}

TEST(WindowSamples, ServersKnowHowLongTheirDisksRequestsTakeAndHowItWent) {
  auto readings = OneDisk();
  Count(readings, DiskCounter::kReads, 1, 30);
  Count(readings, DiskCounter::kReadSeconds, 1, 0.6);
  auto server = Of({0});
  server.disks = {1};
  const auto window = NetWindow(readings, server, At(8), kShape, 0, true);
  EXPECT_NEAR(window.disk_await, 20, 1e-9);
  ASSERT_EQ(window.disks.size(), 1U);
  EXPECT_NEAR(window.disks[0].requests, 30, 1e-9);
  EXPECT_NEAR(window.disks[0].taken, 0.6, 1e-9);
  ASSERT_EQ(window.course.size(), Metrics(GroupKind::kNetwork).size());
  EXPECT_TRUE(NetWindow(readings, server, At(8), kShape, 0).course.empty());
}

TEST(WindowSamples, TheKindOfGroupSaysWhich) {
  const auto readings = OneDisk();
  const auto window = MemberWindow(GroupKind::kStorage, readings, Of({0}), At(8), kShape, 0);
  EXPECT_EQ(window.metrics.size(), Metrics(GroupKind::kStorage).size());
  EXPECT_EQ(MemberWindow(GroupKind::kNetwork, readings, Of({0}), At(8), kShape, 0).metrics.size(),
            Metrics(GroupKind::kNetwork).size());
}

}  // namespace
}  // namespace limpet::window_samples_test
