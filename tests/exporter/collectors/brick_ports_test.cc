#include "exporter/collectors/brick_ports.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/support/map_files.h"

namespace limpet::brick_ports_test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::FileTree;
using testing::MapFiles;

// As glusterd starts a brick.
std::string CommandLine(const std::string& port) {
  std::string text;
  for (const std::string word :
       {"/usr/sbin/glusterfsd", "-s", "io01", "--volfile-id", "gv0.io01.data-brick",
        "--xlator-option", "*-posix.glusterd-uuid=1", "--process-name", "brick", "--brick-port"}) {
    text += word + std::string(1, '\0');
  }
  return text + port + std::string(1, '\0') + "--xlator-option" + std::string(1, '\0') +
         "gv0-server.listen-port=" + port + std::string(1, '\0');
}

TEST(ParseBrickPort, TakesOnlyAPort) {
  EXPECT_EQ(ParseBrickPort(CommandLine("55123")), 55123);
  EXPECT_EQ(ParseBrickPort(CommandLine("70000")), std::nullopt);
  EXPECT_EQ(ParseBrickPort(CommandLine("1-2")), std::nullopt);
  EXPECT_EQ(ParseBrickPort(std::string("--brick-port\0", 13)), std::nullopt);
  EXPECT_EQ(ParseBrickPort(""), std::nullopt);
}

TEST(BrickPorts, AreThoseThatAreHeardInGlusterdsControlGroup) {
  const auto listener = [](std::uint16_t port, std::uint64_t group) {
    return TcpSocket{.local_port = port, .state = kTcpListen, .cgroup = group};
  };
  TcpSockets sockets;
  sockets.sockets = {listener(55123, 70), listener(24007, 70), listener(58004, 70),
                     listener(50000, 71), listener(22, 70),    listener(61000, 70)};
  EXPECT_EQ(PortsOfGlustersGroup(sockets),
            (std::vector<PortRange>{{55123, 55123}, {58004, 58004}}));
  sockets.sockets[1].cgroup = 1;
  sockets.sockets[3].cgroup = 1;
  EXPECT_TRUE(PortsOfGlustersGroup(sockets).empty()) << "in the root's group is everybody";
  sockets.sockets[1].cgroup = 0;
  sockets.sockets[3].cgroup = 0;
  EXPECT_TRUE(PortsOfGlustersGroup(sockets).empty()) << "the kernel does not tell";
}

TEST(BrickPorts, AreThoseOfTheBricksProcesses) {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"100/comm", "glusterfsd\n"},  {"100/cmdline", CommandLine("55123")},
                 {"101/comm", "glusterfsd\n"},  {"101/cmdline", CommandLine("58004")},
                 {"102/comm", "glusterfs\n"},   {"102/cmdline", CommandLine("50000")},
                 {"103/comm", "nginx\n"},       {"net/tcp", ""},
                 {"self/comm", "glusterfsd\n"}, {"self/cmdline", CommandLine("50001")}};
  BrickPorts bricks(std::make_unique<MapFiles>(tree));
  SteadyTime now{std::chrono::hours(1)};
  EXPECT_TRUE(bricks.Refresh(now));
  EXPECT_EQ(bricks.Ports(), (std::vector<PortRange>{{55123, 55123}, {58004, 58004}}));
  tree->files.erase("101/comm");
  EXPECT_FALSE(bricks.Refresh(now + seconds(59)));
  // A stuck process is not asked again.
  tree->errors["100/cmdline"] = ErrorCode::kUnavailable;
  EXPECT_TRUE(bricks.Refresh(now + minutes(1)));
  EXPECT_EQ(bricks.Ports(), (std::vector<PortRange>{{55123, 55123}}));
  EXPECT_FALSE(bricks.Refresh(now + minutes(2)));
}

}  // namespace
}  // namespace limpet::brick_ports_test
