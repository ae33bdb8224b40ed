#include "exporter/sampler/sampler.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "exporter/common/descriptor.h"
#include "exporter/sampler/pass.h"

namespace limpet {
namespace {

constexpr auto kLogInterval = std::chrono::minutes(1);

Result<Families> CollectSafely(Collector& collector, const Tick& tick) {
  try {
    return collector.Collect(tick);
  } catch (const std::exception& thrown) {
    return Error{ErrorCode::kInternal, thrown.what(), "exception"};
  } catch (...) {
    return Error{ErrorCode::kInternal, "an exception of an unknown kind", "exception"};
  }
}

// The timer that wakes the supervisor, and the event that ends it.
class Watch {
 public:
  Watch()
      : timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)),
        stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  [[nodiscard]] bool IsOpen() const { return timer_.IsOpen() && stop_.IsOpen(); }

  // Goes off once, `left` (positive) from now, unless it is set again before; zero: never.
  void Set(Duration left) {
    itimerspec when{};
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    when.it_value.tv_sec = seconds.count();
    when.it_value.tv_nsec = (left - seconds).count();
    ::timerfd_settime(timer_.Get(), 0, &when, nullptr);
  }

  // False when stopped.
  [[nodiscard]] bool Wait() {
    std::array<pollfd, 2> waited{{{timer_.Get(), POLLIN, 0}, {stop_.Get(), POLLIN, 0}}};
    while (::poll(waited.data(), waited.size(), -1) < 0 && errno == EINTR) {
    }
    std::uint64_t expired = 0;
    [[maybe_unused]] const auto got = ::read(timer_.Get(), &expired, sizeof expired);
    return waited[1].revents == 0;
  }

  void Stop() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(stop_.Get(), &one, sizeof one);
  }

 private:
  Descriptor timer_;
  Descriptor stop_;
};

// What the owner, the runners and the supervisor share. A runner that hangs keeps it alive.
struct Core {
  Core(const SamplerOptions& how, std::vector<std::unique_ptr<Collector>> collectors,
       std::unique_ptr<Ticker> when, const Clock& time, const LogSink& log_sink,
       Sampler::Publish to, Sampler::Extra more)
      : options(how),
        ticker(std::move(when)),
        clock(time),
        log(log_sink, time, kLogInterval),
        publish(std::move(to)),
        extra(std::move(more)),
        passes(std::move(collectors), how.interval) {}

  const SamplerOptions options;
  const std::unique_ptr<Ticker> ticker;
  const Clock& clock;
  RateLimitedLog log;
  const Sampler::Publish publish;
  const Sampler::Extra extra;
  Watch watch;

  std::mutex mutex;  // of what follows
  std::condition_variable ended;
  Passes passes;
  std::uint64_t generation = 0;
  bool stopping = false;
  bool runner_ended = false;
};

// `lock` is held, but not while the collectors work. False when this runner has no more to do.
bool RunCollectors(Core& core, std::uint64_t generation, std::unique_lock<std::mutex>& lock) {
  while (auto* collector = core.passes.StartNext(core.clock.Steady())) {
    const auto number = core.passes.Current();
    const auto tick = core.passes.Now();
    lock.unlock();
    auto families = CollectSafely(*collector, tick);
    const auto problem = families ? collector->Incomplete() : std::optional(families.error());
    lock.lock();
    if (generation != core.generation) {
      core.passes.Return(number);
      if (!core.stopping) {
        core.log.Write(LogLevel::kInfo, "back " + core.passes.Name(number),
                       "collector " + core.passes.Name(number) + ": came back");
      }
      return false;
    }
    core.passes.Finish(families ? std::optional(*std::move(families)) : std::nullopt,
                       core.clock.Steady(), !problem);
    if (problem) {
      core.log.Write(LogLevel::kWarning, core.passes.Name(number),
                     "collector " + core.passes.Name(number) + ": " + problem->Text());
    }
    if (core.stopping) {
      return true;
    }
  }
  return true;
}

// The life of a runner; it begins within a pass when it takes another runner's place.
void Run(const std::shared_ptr<Core>& shared, std::uint64_t generation) {
  Core& core = *shared;
  std::size_t page_size = 0;
  SnapshotPtr last;
  std::unique_lock lock(core.mutex);
  while (!core.stopping) {
    if (!core.passes.IsOpen()) {
      lock.unlock();
      const auto tick = core.ticker->Next();
      const auto left_out = core.ticker->LeftOut();
      lock.lock();
      if (!tick || core.stopping) {
        break;
      }
      core.passes.Begin(*tick, left_out);
      core.watch.Set(core.options.patience);
    }
    if (!RunCollectors(core, generation, lock)) {
      return;
    }
    if (core.stopping) {
      break;
    }
    // The page is made without the lock: the supervisor must be able to look in meanwhile.
    const auto at = core.passes.Now().at;
    auto families = core.passes.End();
    lock.unlock();
    core.watch.Set(Duration::zero());
    if (core.extra) {
      auto more = core.extra();
      std::move(more.begin(), more.end(), std::back_inserter(families));
    }
    page_size = last ? std::max(page_size, last->PageSize()) : page_size;
    auto how = core.options.pages;
    how.size_hint = page_size;
    last = std::make_shared<const Snapshot>(at, std::move(families), std::move(how));
    core.publish(last);
    lock.lock();
  }
  core.runner_ended = true;
  core.ended.notify_all();
}

class ThreadedSampler final : public Sampler {
 public:
  explicit ThreadedSampler(std::shared_ptr<Core> core) : core_(std::move(core)) {}

  ~ThreadedSampler() override { StopAll(); }

  void Start(Sampler* before) override {
    if (auto* old = dynamic_cast<ThreadedSampler*>(before)) {
      old->StopAll();
      // A runner that hangs may come back just now and say so.
      const std::lock_guard lock(old->core_->mutex);
      core_->passes.Inherit(old->core_->passes);
    }
    runner_ = std::thread(Run, core_, core_->generation);
    supervisor_ = std::thread([this] { Supervise(); });
  }

  void Stop() override { StopAll(); }

 private:
  void Supervise() {
    while (core_->watch.Wait()) {
      const std::lock_guard lock(core_->mutex);
      if (core_->stopping || !core_->passes.IsOpen()) {
        continue;
      }
      const auto now = core_->clock.Steady();
      const auto since = core_->passes.BusySince().value_or(now);
      const auto left = core_->options.patience - (now - since);
      if (left > Duration::zero()) {
        core_->watch.Set(left);
      } else {
        LeaveBehind(now);
      }
    }
  }

  // The lock is held.
  void LeaveBehind(SteadyTime now) {
    std::thread fresh;
    try {
      fresh = std::thread(Run, core_, core_->generation + 1);  // waits for the lock
    } catch (const std::system_error& failed) {
      core_->log.Write(LogLevel::kError, "thread", std::string("no new thread: ") + failed.what());
      core_->watch.Set(core_->options.patience);
      return;
    }
    ++core_->generation;
    const auto& name = core_->passes.Name(core_->passes.Abandon(now));
    core_->log.Write(LogLevel::kWarning, "hang " + name,
                     "collector " + name +
                         ": does not come back; the others go on, it is skipped until it does");
    runner_.detach();
    runner_ = std::move(fresh);
    core_->watch.Set(core_->options.patience);
  }

  void StopAll() {
    if (!supervisor_.joinable()) {
      return;
    }
    {
      const std::lock_guard lock(core_->mutex);
      core_->stopping = true;
    }
    core_->ticker->Stop();
    core_->watch.Stop();
    supervisor_.join();
    std::unique_lock lock(core_->mutex);
    if (core_->ended.wait_for(lock, core_->options.patience, [&] { return core_->runner_ended; })) {
      lock.unlock();
      runner_.join();
    } else {
      ++core_->generation;
      // Whoever takes this sampler's place must not touch a collector that is still at work.
      if (core_->passes.BusySince()) {
        core_->passes.Abandon(core_->clock.Steady());
      }
      runner_.detach();
    }
  }

  std::shared_ptr<Core> core_;
  std::thread runner_;
  std::thread supervisor_;
};

}  // namespace

Result<std::unique_ptr<Sampler>> Sampler::Make(const SamplerOptions& options,
                                               std::vector<std::unique_ptr<Collector>> collectors,
                                               std::unique_ptr<Ticker> ticker, const Clock& clock,
                                               const LogSink& log, Publish publish, Extra extra) {
  auto core = std::make_shared<Core>(options, std::move(collectors), std::move(ticker), clock, log,
                                     std::move(publish), std::move(extra));
  if (!core->watch.IsOpen()) {
    return Error{ErrorCode::kInternal, std::generic_category().message(errno), "timerfd"};
  }
  return std::unique_ptr<Sampler>(std::make_unique<ThreadedSampler>(std::move(core)));
}

}  // namespace limpet
