#include "diagnoser/series/disk_places.h"

#include <gmock/gmock.h>

namespace limpet::disk_places_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

MemberSamples Member(std::vector<DiskRates> disks) {
  MemberSamples member;
  member.disks = std::move(disks);
  return member;
}

// 256 kB at 5 ms.
DiskRates Working(double requests, double busy, double await = 5) {
  return {.read = requests * 262144,
          .requests = requests,
          .taken = requests * await / 1000,
          .busy = busy};
}

// Of a server with one disk, beside three with another.
std::optional<DiskWork> WorkOf(const DiskRates& own, const DiskRates& peer) {
  const auto other = Member({peer});
  return DisksByPlace(std::vector{Member({own}), other, other, other}, false).FindWork(0, 0);
}

TEST(DiskPlaces, TheLargestIsHeldAgainstTheLargest) {
  const auto large = Working(80, 0.8);
  const auto small = Working(10, 0.1);
  const DisksByPlace disks(
      std::vector{Member({Working(20, 0.2), Working(40, 0.4)}), Member({large, small}),
                  Member({small, large}), Member({large}), Member({})},
      false);
  ASSERT_THAT(disks.Of(0), SizeIs(2));
  EXPECT_EQ(disks.Of(0)[0].requests, 40);
  EXPECT_EQ(disks.Of(0)[0].taken, 0.2) << "times are those of the same disk";
  EXPECT_NEAR(disks.FindWork(0, 0)->usual, 0.8, 1e-9);
  EXPECT_NEAR(disks.FindWork(0, 1)->usual, 0.1, 1e-9)
      << "of 0.1, 0.1 and 0.8, the only one of a server";
  EXPECT_THAT(disks.Of(4), IsEmpty());
  const DisksByPlace two(std::vector(2, Member({large})), false);
  EXPECT_FALSE(two.FindWork(0, 0)) << "one peer is none";
}

TEST(DiskWork, IsTimedByThePaceOfThePeers) {
  const auto work = [&](const DiskRates& own) { return WorkOf(own, Working(40, 0.2)); };
  EXPECT_NEAR(work(Working(80, 0.4))->time, 0.4, 1e-9);
  EXPECT_NEAR(work(Working(80, 0.4))->usual, 0.2, 1e-9);
  EXPECT_FALSE(work(Working(80, 0.4))->slower);
  EXPECT_FALSE(work(Working(80, 0.4))->waits);
  // Small requests take as long as large ones, and large ones no longer than it is busy.
  auto small = Working(80, 0.4);
  small.read /= 64;
  EXPECT_NEAR(work(small)->time, 0.4, 1e-9);
  auto large = Working(40, 0.25);
  large.read *= 4;
  EXPECT_NEAR(work(large)->time, 0.25, 1e-9);
}

TEST(DiskWork, WaitsForOthersOrForTheDiskItself) {
  const auto work = [&](const DiskRates& own) { return *WorkOf(own, Working(40, 0.2)); };
  EXPECT_TRUE(work(Working(80, 0.4, 7)).waits);
  EXPECT_FALSE(work(Working(80, 0.4, 7)).slower);
  EXPECT_TRUE(work(Working(190, 0.95)).waits) << "it can do no more";
  const auto slow = work(Working(40, 0.6, 30));
  EXPECT_TRUE(slow.waits);
  EXPECT_TRUE(slow.slower);
  EXPECT_NEAR(slow.time, 0.2, 1e-9);
  EXPECT_FALSE(WorkOf(Working(40, 0.2, 0.9), Working(40, 0.2, 0.2))->waits)
      << "of flash nobody notices it";
}

TEST(DiskWork, IsUnknownWhereNobodyTellsWhatIsBusy) {
  EXPECT_FALSE(WorkOf(Working(40, 0.2), Working(0, 0)));
  EXPECT_FALSE(WorkOf(Working(40, 0.2), Working(40, 0)));
  EXPECT_FALSE(WorkOf(Working(40, 0), Working(40, 0.2)));
}

}  // namespace
}  // namespace limpet::disk_places_test
