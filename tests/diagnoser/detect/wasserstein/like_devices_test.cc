// The devices of other servers that take the same place among their server's.
#include "diagnoser/detect/wasserstein/like_devices.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "diagnoser/series/stats.h"

namespace limpet::like_devices_test {
namespace {

class Window {
 public:
  // By server, the value of each of its devices.
  explicit Window(const std::vector<std::vector<double>>& servers) {
    for (std::size_t server = 0; server < servers.size(); ++server) {
      for (const double one : servers[server]) {
        Member member;
        member.node = fmt::format("io{:02}", server);
        member.name = fmt::format("{}/sd{}", member.node, values_.size());
        members_.push_back(member);
        values_.push_back(one);
      }
    }
  }
  [[nodiscard]] ServersOfDevices Servers() const {
    GroupSamples group;
    group.members = members_;
    std::vector<std::size_t> who(members_.size());
    std::iota(who.begin(), who.end(), std::size_t{0});
    return {group, who};
  }
  [[nodiscard]] double Like(std::size_t component, bool high = true) const {
    const auto servers = Servers();
    return Median(LikeDevices(servers, values_).FindLike(component, high));
  }

 private:
  std::vector<Member> members_;
  std::vector<double> values_;
};

TEST(LikeDevices, TheBusiestIsLikeTheOthersBusiest) {
  const Window window({{30, 1}, {8, 2}, {3, 11}, {9, 4}});
  EXPECT_EQ(window.Like(0), 9);
  EXPECT_EQ(window.Like(1), 3);
  EXPECT_EQ(window.Like(4), 2);  // 3 is the lesser one of its server
}

// What has become as slow as the busiest takes the second place, whichever of the two asks.
TEST(LikeDevices, OfEqualOnesBothTakeTheLastPlace) {
  const Window window({{10, 10}, {10, 0}, {10, 0}, {10, 0}});
  EXPECT_EQ(window.Like(0), 0);
  EXPECT_EQ(window.Like(1), 0);
}

TEST(LikeDevices, LowOnesAreCountedFromBelow) {
  const Window window({{5, 6, 1}, {5, 6}, {7, 4}, {5, 8, 9}});
  EXPECT_EQ(window.Like(2, false), 5);
  EXPECT_EQ(window.Like(0, false), 7);  // the second smallest: 6, 7, 8
}

TEST(LikeDevices, AServerWithFewerDevicesIsThereWithItsLast) {
  const Window window({{9, 8, 7}, {6}, {5, 4}, {3, 2, 1}});
  EXPECT_EQ(window.Like(2), 4);
}

TEST(LikeDevices, OneDeviceAServerOrTwoServersAreNotSeveral) {
  EXPECT_FALSE(Window({{1}, {2}, {3}}).Servers().HaveSeveral());
  EXPECT_FALSE(Window({{1, 2}, {3, 4}}).Servers().HaveSeveral());
  EXPECT_TRUE(Window({{1, 2}, {3}, {4}}).Servers().HaveSeveral());
}

}  // namespace
}  // namespace limpet::like_devices_test
