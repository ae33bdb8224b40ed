#include "exporter/common/service.h"

#include <pthread.h>
#include <sys/resource.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace limpet {
namespace {

sigset_t Waited() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    sigaddset(&set, number);
  }
  return set;
}

}  // namespace

Signals::Signals() {
  // A client that hangs up while we write is an error of that write, not our end.
  std::signal(SIGPIPE, SIG_IGN);
  const auto set = Waited();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Signals::~Signals() {
  const auto set = Waited();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

std::optional<Wake> Signals::Wait(Duration longest) {
  const auto set = Waited();
  const auto end = std::chrono::steady_clock::now() + longest;
  for (;;) {
    const auto left = std::max(Duration::zero(), Duration(end - std::chrono::steady_clock::now()));
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec wait{.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
    const int number = sigtimedwait(&set, nullptr, &wait);
    if (number == SIGHUP) {
      return Wake::kReload;
    }
    if (number > 0) {
      return Wake::kStop;
    }
    // A debugger that attaches, or SIGCONT: wait for what is left of the time.
    if (errno != EINTR) {
      return std::nullopt;
    }
  }
}

void NotifySystemd(const std::string& state) { sd_notify(0, state.c_str()); }

std::optional<Duration> WatchdogInterval() {
  std::uint64_t microseconds = 0;
  // 0: not wanted, or meant for another process; negative: systemd's variables are broken. Either
  // way nobody waits for us. The variables stay (the first argument), for a later caller.
  if (sd_watchdog_enabled(0, &microseconds) <= 0) {
    return std::nullopt;
  }
  return std::chrono::microseconds(microseconds);
}

std::size_t RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return 0;
  }
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace limpet
