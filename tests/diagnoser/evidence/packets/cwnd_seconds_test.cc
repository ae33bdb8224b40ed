#include "diagnoser/evidence/packets/cwnd_seconds.h"

#include <gmock/gmock.h>

#include <cmath>

#include "diagnoser/metrics/missing.h"

namespace limpet::cwnd_seconds_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t kClientSide = 0;
constexpr std::size_t kServerSide = 1;
constexpr Field kCwnd{.kind = EntityKind::kSocket, .index = 0};
constexpr Field kAcked{.kind = EntityKind::kSocket, .index = 1};

UnixTime At(std::int64_t second) { return UnixFromSeconds(1'700'000'000 + second); }

Directory Servers() {
  return Directory(
      {Rule::Compile({.name = "tcp", .kind = GroupKind::kCwnd, .ports = {3334}}).value()});
}

std::uint32_t AddSocket(Directory& directory, const std::string& node, const std::string& local,
                        const std::string& local_port, const std::string& remote,
                        const std::string& remote_port) {
  return directory
      .Restore(EntityKind::kSocket, {.node = node,
                                     .local_address = local,
                                     .remote_address = remote,
                                     .local_port = local_port,
                                     .remote_port = remote_port})
      .value();
}

// Three servers, each with a connection to one client; the windows of the last are half as large.
struct Group {
  Group() {
    for (int i = 1; i <= 3; ++i) {
      sockets.push_back(AddSocket(directory, "s" + std::to_string(i), "10.0.0." + std::to_string(i),
                                  "3334", "10.0.1.1", "50000"));
    }
  }
  std::array<CwndSeconds::Second, kCwndSides> Play(CwndSeconds& seconds, int from, int to) {
    std::array<CwndSeconds::Second, kCwndSides> last;
    for (int second = from; second <= to; ++second) {
      for (std::size_t i = 0; i < sockets.size(); ++i) {
        (void)readings.Add(kCwnd, sockets[i], At(second), i == 2 ? 10 : 20);
        (void)readings.Add(kAcked, sockets[i], At(second), 1000.0 * second);
      }
      last = seconds.Observe(At(second), directory, readings, {}, masked);
    }
    return last;
  }

  Directory directory = Servers();
  Readings readings{std::vector<GridSpec>(1)};
  std::vector<std::uint32_t> sockets;
  std::vector<std::string> masked;
};

TEST(CwndSeconds, AreAMeanOverMoreThanHalfOfThirtyOneSeconds) {
  Group group;
  CwndSeconds seconds(0, 64);
  EXPECT_THAT(group.Play(seconds, 1, 15)[kServerSide].servers, IsEmpty());
  const auto side = group.Play(seconds, 16, 16)[kServerSide];
  ASSERT_THAT(side.servers, SizeIs(3));
  EXPECT_EQ(side.servers[2].name, "s3");
  EXPECT_EQ(side.servers[2].average, 10);
  EXPECT_DOUBLE_EQ(side.servers[2].log, std::log(10));
  EXPECT_DOUBLE_EQ(*side.median, std::log(20));
}

TEST(CwndSeconds, AConnectionThatIsIdleDoesNotCount) {
  Group group;
  CwndSeconds seconds(0, 64);
  (void)group.Play(seconds, 1, 20);
  std::array<CwndSeconds::Second, kCwndSides> last;
  for (int second = 21; second <= 60; ++second) {  // windows are still read, nothing is sent
    for (const auto socket : group.sockets) {
      (void)group.readings.Add(kCwnd, socket, At(second), 1);
      (void)group.readings.Add(kAcked, socket, At(second), 20'000);
    }
    last = seconds.Observe(At(second), group.directory, group.readings, {}, {});
  }
  EXPECT_THAT(last[kServerSide].servers, IsEmpty());
}

TEST(CwndSeconds, AClientsConnectionTellsOfTheServerItLeadsTo) {
  Group group;
  const auto client = AddSocket(group.directory, "c", "10.0.1.1", "50000", "10.0.0.2", "3334");
  CwndSeconds seconds(0, 64);
  for (int second = 1; second <= 16; ++second) {
    (void)group.readings.Add(kCwnd, client, At(second), 7);
    (void)group.readings.Add(kAcked, client, At(second), 10.0 * second);
    const auto sides = seconds.Observe(At(second), group.directory, group.readings, {}, {});
    if (second == 16) {
      ASSERT_THAT(sides[kClientSide].servers, SizeIs(1));
      EXPECT_EQ(sides[kClientSide].servers[0].name, "s2");
      EXPECT_FALSE(sides[kClientSide].median) << "one server has no peers";
    }
  }
}

TEST(CwndSeconds, AMaskedServerIsNeitherJudgedNorAPeer) {
  Group group;
  group.masked = {"s3"};
  CwndSeconds seconds(0, 64);
  const auto side = group.Play(seconds, 1, 20)[kServerSide];
  EXPECT_THAT(side.servers, SizeIs(2));
  EXPECT_THAT(seconds.Servers(), ElementsAre("s1", "s2"));
}

TEST(CwndSeconds, APastHasHolesWhereNothingWasSeen) {
  Group group;
  CwndSeconds seconds(0, 64);
  (void)group.Play(seconds, 1, 17);
  const auto past = seconds.LookBack("s1", kServerSide, At(18), 4);
  ASSERT_THAT(past.logs, SizeIs(4));  // seconds 15 to 18
  EXPECT_TRUE(IsMissing(past.logs[0]));
  EXPECT_DOUBLE_EQ(past.logs[1], std::log(20));
  EXPECT_DOUBLE_EQ(past.medians[2], std::log(20));
  EXPECT_TRUE(IsMissing(past.logs[3]));
  EXPECT_THAT(seconds.LookBack("nobody", kServerSide, At(18), 4).logs, IsEmpty());
}

TEST(CwndSeconds, GoOnAfterARestartAsIfThereHadBeenNone) {
  Group group;
  CwndSeconds one(0, 64);
  (void)group.Play(one, 1, 20);
  CwndSeconds other(0, 64);
  other.Resume(one.Tail());
  const auto past = other.LookBack("s3", kServerSide, At(20), 5);
  EXPECT_EQ(past.logs, one.LookBack("s3", kServerSide, At(20), 5).logs);
  EXPECT_EQ(past.medians, one.LookBack("s3", kServerSide, At(20), 5).medians);
  other.Forget("s3");
  EXPECT_THAT(other.Servers(), ElementsAre("s1", "s2"));
}

}  // namespace
}  // namespace limpet::cwnd_seconds_test
