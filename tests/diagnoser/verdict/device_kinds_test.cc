#include "diagnoser/verdict/device_kinds.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace limpet::device_kinds_test {
namespace {

// A server's devices, a letter each: h stands out as a kind for being high, l for being low, . does
// not; H is flagged.
DeviceKinds Judge(const std::vector<std::string>& servers) {
  WindowEvent window;
  std::vector<std::string> nodes;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    for (const char letter : servers[i]) {
      ComponentWindow component;
      component.flagged = letter == 'H';
      component.of_kind = letter == 'h' || letter == 'l';
      component.direction = letter == 'l'   ? Direction::kLow
                            : letter == '.' ? Direction::kNone
                                            : Direction::kHigh;
      window.components.push_back(component);
      nodes.push_back("io" + std::to_string(i));
    }
  }
  return {window, [&](std::size_t place) -> const std::string& { return nodes[place]; }};
}

TEST(DeviceKinds, ASystemDiskBesideADataDiskIsAKind) {
  const auto kinds = Judge({"lh", "lh", "lh", "lh"});
  EXPECT_TRUE(kinds.Explains(Direction::kHigh));
  EXPECT_TRUE(kinds.Explains(Direction::kLow));
}

TEST(DeviceKinds, TwoIdleDisksBesideTheBusyOne) {
  const auto kinds = Judge({"..h", "..h", "..H", "..."});
  EXPECT_TRUE(kinds.Explains(Direction::kHigh));
  EXPECT_FALSE(kinds.Explains(Direction::kLow));
}

TEST(DeviceKinds, OneSickServerIsNone) {
  EXPECT_FALSE(Judge({"hh", "..", "..", ".."}).Any());
  EXPECT_FALSE(Judge({".h", "..", "..", ".."}).Any());
}

TEST(DeviceKinds, TwoOfThreeServersAreNotMost) {
  EXPECT_FALSE(Judge({".h", ".h", ".."}).Any());
  EXPECT_FALSE(Judge({".h", ".h", ".h", "..", ".."}).Any());
}

TEST(DeviceKinds, AServerThatIsSlowWithAllItsDevicesIsNoKind) {
  EXPECT_FALSE(Judge({"hh", "hh", "hh", ".."}).Any());
}

TEST(DeviceKinds, ServersWithOneDeviceEachAreHeldAgainstEachOther) {
  EXPECT_FALSE(Judge({"h", "h", "h", "."}).Any());
}

TEST(DeviceKinds, TwoServersSayNothing) { EXPECT_FALSE(Judge({".h", ".h"}).Any()); }

}  // namespace
}  // namespace limpet::device_kinds_test
