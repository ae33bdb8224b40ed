#include "exporter/common/service.h"

#include <pthread.h>
#include <sys/resource.h>
#include <systemd/sd-daemon.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
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
    if (errno != EINTR) {
      return std::nullopt;
    }
  }
}

void NotifySystemd(const std::string& state) { sd_notify(0, state.c_str()); }

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
