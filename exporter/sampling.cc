#include <condition_variable>
#include <mutex>
#include <utility>

#include "exporter/commands.h"
#include "exporter/sampler/ticker.h"

namespace limpet {

Result<std::unique_ptr<Sampler>> StartSampling(const Settings& settings, const World& world,
                                               Sampler::Publish publish, Sampler::Extra extra) {
  auto options = settings.collectors;
  options.started = world.started;
  auto collectors = MakeCollectors(options, world.log);
  if (!collectors) {
    auto error = collectors.error();
    error.where = "collectors." + error.where;
    return error;
  }
  auto ticker = OpenRealTicker(world.clock, settings.interval);
  if (!ticker) {
    return ticker.error();
  }
  SamplerOptions how{.interval = settings.interval, .patience = settings.interval / 2, .pages = {}};
  if (settings.node_exporter_names) {
    how.pages.prefix = "node_";
    how.pages.node_exporter_names = true;
  }
  return Sampler::Start(how, *std::move(collectors), *std::move(ticker), world.clock, world.log,
                        std::move(publish), std::move(extra));
}

int RunOnce(const Settings& settings, const World& world) {
  std::mutex mutex;
  std::condition_variable arrived;
  int samples = 0;
  SnapshotPtr second;
  auto sampler = StartSampling(settings, world, [&](SnapshotPtr snapshot) {
    const std::lock_guard lock(mutex);
    if (++samples == 2) {
      second = std::move(snapshot);
      arrived.notify_all();
    }
  });
  if (!sampler) {
    world.log(LogLevel::kError, sampler.error().Text());
    return sampler.error().code == ErrorCode::kInvalid ? kExitUsage : kExitFailed;
  }
  {
    std::unique_lock lock(mutex);
    arrived.wait(lock, [&] { return second != nullptr; });
  }
  (*sampler)->Stop();
  world.print(*second->Page(Format::kText, false));
  return kExitOk;
}

}  // namespace limpet
