#include "exporter/sampler/ticker.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <system_error>
#include <utility>

#include "exporter/common/descriptor.h"
#include "exporter/sampler/schedule.h"

namespace limpet {
namespace {

class RealTicker final : public Ticker {
 public:
  RealTicker(const Clock& clock, Duration interval, std::shared_ptr<Demand> demand,
             Descriptor timer, Descriptor stop)
      : clock_(clock),
        interval_(interval),
        demand_(std::move(demand)),
        timer_(std::move(timer)),
        stop_(std::move(stop)) {}

  std::optional<Tick> Next() override {
    for (;;) {
      // Looked up anew at each turn: the clock may have been set while we slept.
      const auto now = clock_.Now();
      const auto first = NextTick(now, interval_);
      const auto due = demand_ ? demand_->Next(now) : first;
      Arm(due);
      std::array<pollfd, 2> waited{{{timer_.Get(), POLLIN, 0}, {stop_.Get(), POLLIN, 0}}};
      if (::poll(waited.data(), waited.size(), -1) < 0 && errno != EINTR) {
        return std::nullopt;
      }
      if (waited[1].revents != 0) {
        return std::nullopt;
      }
      std::uint64_t expired = 0;
      // ECANCELED: the clock was set; EAGAIN: woken for nothing. Either way look at it again.
      if (::read(timer_.Get(), &expired, sizeof expired) == sizeof expired) {
        left_out_ = due - first;
        // As recordings have it: a replay then sees the instants that a live page tells.
        return Tick{std::chrono::floor<std::chrono::milliseconds>(clock_.Now()), clock_.Steady()};
      }
    }
  }

  void Stop() override {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(stop_.Get(), &one, sizeof one);
  }

  Duration LeftOut() const override { return left_out_; }

 private:
  void Arm(UnixTime due) {
    const auto since = due.time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
    itimerspec when{};
    when.it_value.tv_sec = seconds.count();
    when.it_value.tv_nsec = (since - seconds).count();
    // CANCEL_ON_SET: without it a clock set back by an hour would be an hour without samples.
    ::timerfd_settime(timer_.Get(), TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, nullptr);
  }

  const Clock& clock_;
  Duration interval_;
  std::shared_ptr<Demand> demand_;  // null: each tick
  Duration left_out_{};
  Descriptor timer_;
  Descriptor stop_;
};

}  // namespace

Result<std::unique_ptr<Ticker>> OpenRealTicker(const Clock& clock, Duration interval,
                                               std::shared_ptr<Demand> demand) {
  Descriptor timer(::timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK));
  Descriptor stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!timer.IsOpen() || !stop.IsOpen()) {
    return Error{ErrorCode::kInternal, std::generic_category().message(errno), "timerfd"};
  }
  return std::unique_ptr<Ticker>(std::make_unique<RealTicker>(clock, interval, std::move(demand),
                                                              std::move(timer), std::move(stop)));
}

}  // namespace limpet
