#include "exporter/common/service.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/support/temp_folder.h"

namespace limpet::service_test {
namespace {

using namespace std::chrono_literals;

TEST(Service, SignalsAreWaitedFor) {
  Signals signals;
  ::kill(::getpid(), SIGHUP);
  EXPECT_EQ(signals.Wait(10s), Wake::kReload);
  ::kill(::getpid(), SIGTERM);
  EXPECT_EQ(signals.Wait(10s), Wake::kStop);
  ::kill(::getpid(), SIGINT);
  EXPECT_EQ(signals.Wait(10s), Wake::kStop);
  EXPECT_EQ(signals.Wait(0s), std::nullopt);
}

TEST(Service, SystemdHearsOfIt) {
  const testing::TempFolder folder;
  const auto path = folder.Path("notify");
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
  NotifySystemd("READY=1");
  ::unsetenv("NOTIFY_SOCKET");
  char text[32] = {};
  EXPECT_EQ(::recv(fd, text, sizeof text - 1, 0), 7);
  EXPECT_STREQ(text, "READY=1");
  ::close(fd);
  NotifySystemd("READY=1");  // nobody listens: nothing happens
}

TEST(Service, TheWatchdogIsOursOnly) {
  EXPECT_EQ(WatchdogInterval(), std::nullopt);
  ::setenv("WATCHDOG_USEC", "30000000", 1);
  EXPECT_EQ(WatchdogInterval(), 30s);
  ::setenv("WATCHDOG_PID", "1", 1);  // meant for another process
  EXPECT_EQ(WatchdogInterval(), std::nullopt);
  ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
  EXPECT_EQ(WatchdogInterval(), 30s);
  ::setenv("WATCHDOG_USEC", "often", 1);
  EXPECT_EQ(WatchdogInterval(), std::nullopt);
  ::unsetenv("WATCHDOG_USEC");
  ::unsetenv("WATCHDOG_PID");
}

TEST(Service, TheFileLimitIsTheHardOne) { EXPECT_GE(RaiseFileLimit(), 1024U); }

}  // namespace
}  // namespace limpet::service_test
