#include "diagnoser/series/disk_places.h"

#include <gmock/gmock.h>

namespace limpet {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

MemberSamples Member(std::vector<DiskRates> disks) {
  MemberSamples member;
  member.disks = std::move(disks);
  return member;
}

std::vector<PlacedDisk> Place(const std::vector<MemberSamples>& servers, std::size_t server,
                              bool writes = false) {
  return PlaceDisks(SortDisks(servers, writes), server);
}

TEST(DiskPlaces, TheLargestIsHeldAgainstTheLargest) {
  const std::vector<MemberSamples> servers = {Member({{.read = 1}, {.read = 5}}),
                                              Member({{.read = 7}, {.read = 2}}),
                                              Member({{.read = 9}}), Member({})};
  const auto placed = Place(servers, 0);
  ASSERT_THAT(placed, SizeIs(2));
  EXPECT_EQ(placed[0].own.read, 5);
  ASSERT_THAT(placed[0].peers, SizeIs(2)) << "the last has none";
  EXPECT_EQ(placed[0].peers[0].read, 7);
  EXPECT_EQ(placed[1].own.read, 1);
  EXPECT_EQ(placed[1].peers[0].read, 2);
  EXPECT_EQ(placed[1].peers[1].read, 9) << "its only one";
  EXPECT_THAT(Place(servers, 3), IsEmpty());
  EXPECT_THAT(Place({servers[0], servers[1]}, 0), IsEmpty()) << "one peer is none";
}

// 256 kB at 5 ms.
DiskMeans Working(double requests, double busy, double await = 5) {
  return {.read = requests * 262144,
          .requests = requests,
          .taken = requests * await / 1000,
          .busy = busy};
}

TEST(DiskPlaces, TimesAreThoseOfTheSameDisk) {
  auto server = Member({{.read = 1}, {.read = 5}});
  server.device = {.at_device = {0.1, 0.5}, .busy = {0.2, 0.4}, .requests = {10, 50}, .bytes = {}};
  const auto placed = Place(std::vector(3, server), 0);
  EXPECT_EQ(placed[0].own.taken, 0.5);
  EXPECT_EQ(placed[0].own.busy, 0.4);
  EXPECT_EQ(placed[1].own.requests, 10);
}

TEST(DiskWork, IsTimedByThePaceOfThePeers) {
  const std::vector peers(3, Working(40, 0.2));
  const auto work = [&](const DiskMeans& own) { return FindWork({.own = own, .peers = peers}); };
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
  const std::vector peers(3, Working(40, 0.2));
  const auto work = [&](const DiskMeans& own) { return *FindWork({.own = own, .peers = peers}); };
  EXPECT_TRUE(work(Working(80, 0.4, 7)).waits);
  EXPECT_FALSE(work(Working(80, 0.4, 7)).slower);
  EXPECT_TRUE(work(Working(190, 0.95)).waits) << "it can do no more";
  const auto slow = work(Working(40, 0.6, 30));
  EXPECT_TRUE(slow.waits);
  EXPECT_TRUE(slow.slower);
  EXPECT_NEAR(slow.time, 0.2, 1e-9);
  EXPECT_FALSE(
      FindWork({.own = Working(40, 0.2, 0.9), .peers = std::vector(3, Working(40, 0.2, 0.2))})
          ->waits)
      << "of flash nobody notices it";
}

TEST(DiskWork, IsUnknownWhereNobodyTellsWhatIsBusy) {
  const std::vector idle(3, Working(0, 0));
  const std::vector silent(3, Working(40, 0));
  EXPECT_FALSE(FindWork({.own = Working(40, 0.2), .peers = idle}));
  EXPECT_FALSE(FindWork({.own = Working(40, 0.2), .peers = silent}));
  EXPECT_FALSE(FindWork({.own = Working(40, 0), .peers = std::vector(3, Working(40, 0.2))}));
}

}  // namespace
}  // namespace limpet
