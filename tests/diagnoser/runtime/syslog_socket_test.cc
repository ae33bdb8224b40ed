#include "diagnoser/runtime/syslog_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstring>
#include <filesystem>

#include "exporter/common/descriptor.h"

namespace limpet::syslog_socket_test {
namespace {

TEST(SyslogSocket, ALineArrivesAsItIs) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "limpet-syslog-test";
  std::filesystem::remove(path);
  const Descriptor reader(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(reader.Get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(SendToSyslog(path, "<28>limpet-diagnoser: io03"), "");
  std::array<char, 100> line{};
  const auto got = ::recv(reader.Get(), line.data(), line.size(), MSG_DONTWAIT);
  ASSERT_GT(got, 0);
  EXPECT_EQ(std::string(line.data(), static_cast<std::size_t>(got)), "<28>limpet-diagnoser: io03");
  std::filesystem::remove(path);
}

TEST(SyslogSocket, NoReaderAndNoRoomForItsNameAreSaid) {
  EXPECT_EQ(SendToSyslog("/nowhere", "x"), "/nowhere: No such file or directory");
  EXPECT_EQ(SendToSyslog("/" + std::string(200, 'a'), "x").substr(203), "expected a shorter path");
}

}  // namespace
}  // namespace limpet::syslog_socket_test
