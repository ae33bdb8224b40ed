#include "exporter/common/sandbox.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <thread>

namespace limpet::sandbox_test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMPET_SKIP_SANDBOX GTEST_SKIP() << "off under sanitizers"
#else
#define LIMPET_SKIP_SANDBOX static_cast<void>(0)
#endif

constexpr std::array<std::string_view, 8> kSome = {
    "exit_group", "exit",  "futex",       "socket",
    "close",      "prctl", "sched_yield", "no_such_system_call"};

// A filter is for good, so each test enters it in a child. What `work` returns, or minus the signal
// that ended it.
template <class Work>
int InChild(Work work) {
  const auto child = ::fork();
  if (child == 0) {
    ::_exit(work());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// 0 when it works, else errno.
int TryUname() {
  utsname ignored{};
  return ::uname(&ignored) == 0 ? 0 : errno;
}

TEST(Sandbox, WhatIsNotInTheListIsDenied) {
  LIMPET_SKIP_SANDBOX;
  EXPECT_EQ(InChild([] { return EnterSandbox(kSome, SandboxMode::kDeny) ? TryUname() : 99; }),
            EPERM);
}

TEST(Sandbox, OrKillsTheProcessForTests) {
  LIMPET_SKIP_SANDBOX;
  EXPECT_EQ(InChild([] { return EnterSandbox(kSome, SandboxMode::kKill) ? TryUname() : 99; }),
            -SIGSYS);
}

TEST(Sandbox, NoProcessGetsNamespacesOfItsOwn) {
  LIMPET_SKIP_SANDBOX;
  constexpr std::array<std::string_view, 4> kList = {"exit_group", "exit", "clone", "clone3"};
  const auto try_clone = [&](auto call, auto... arguments) {
    return InChild([&] {
      if (!EnterSandbox(kList, SandboxMode::kDeny)) {
        return 99;
      }
      const auto child = ::syscall(call, arguments...);
      if (child == 0) {
        ::_exit(0);
      }
      return child > 0 ? 0 : errno;
    });
  };
  EXPECT_EQ(try_clone(SYS_clone, SIGCHLD, 0, 0, 0, 0), 0);
  EXPECT_EQ(try_clone(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0), EPERM);
  EXPECT_EQ(try_clone(SYS_clone, CLONE_NEWNET | SIGCHLD, 0, 0, 0, 0), EPERM);
  EXPECT_EQ(try_clone(SYS_clone3, nullptr, 0), ENOSYS) << "so that clone is asked for";
}

TEST(Sandbox, WhatIsInTheListWorks) {
  EXPECT_EQ(InChild([] {
              if (!EnterSandbox(kSome, SandboxMode::kKill)) {
                return 99;
              }
              const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
              return socket >= 0 && ::close(socket) == 0 ? 0 : 1;
            }),
            0);
}

TEST(Sandbox, OtherFamiliesOfSocketsAreNotNeeded) {
  LIMPET_SKIP_SANDBOX;
  EXPECT_EQ(InChild([] {
              if (!EnterSandbox(kSome, SandboxMode::kDeny)) {
                return 99;
              }
              return ::socket(AF_PACKET, SOCK_RAW, 0) < 0 ? errno : 0;
            }),
            EPERM);
}

TEST(Sandbox, HoldsForThreadsThatRunAlready) {
  LIMPET_SKIP_SANDBOX;
  EXPECT_EQ(InChild([] {
              static std::atomic<bool> is_running = false;
              static std::atomic<bool> is_inside = false;
              static std::atomic<int> seen = -1;
              // It never ends: the end of a thread would need further calls.
              std::thread([] {
                is_running = true;
                while (!is_inside) {
                  std::this_thread::yield();
                }
                seen = TryUname();
                while (true) {
                  std::this_thread::yield();
                }
              }).detach();
              while (!is_running) {
                std::this_thread::yield();  // nor can it begin
              }
              if (!EnterSandbox(kSome, SandboxMode::kDeny)) {
                return 99;
              }
              is_inside = true;
              while (seen == -1) {
                std::this_thread::yield();
              }
              return seen.load();
            }),
            EPERM);
}

TEST(Sandbox, GivesUpNewPrivileges) {
  LIMPET_SKIP_SANDBOX;
  EXPECT_EQ(InChild([] {
              return EnterSandbox(kSome, SandboxMode::kDeny)
                         ? ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
                         : 99;
            }),
            1);
}

TEST(Sandbox, OffChangesNothing) {
  EXPECT_EQ(InChild([] { return EnterSandbox(kSome, SandboxMode::kOff) ? TryUname() : 99; }), 0);
}

TEST(Sandbox, ItsModesHaveNames) {
  EXPECT_EQ(ParseSandboxMode("off"), SandboxMode::kOff);
  EXPECT_EQ(ParseSandboxMode("kill"), SandboxMode::kKill);
  EXPECT_EQ(ParseSandboxMode("deny"), SandboxMode::kDeny);
}

}  // namespace
}  // namespace limpet::sandbox_test
