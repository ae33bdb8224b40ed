#include <condition_variable>
#include <mutex>
#include <utility>

#include "exporter/commands.h"
#include "exporter/sampler/ticker.h"

namespace limpet {

Result<std::unique_ptr<Sampler>> MakeSampler(const Settings& settings, const World& world,
                                             Sampler::Publish publish, Sampler::Extra extra,
                                             std::shared_ptr<Demand> demand) {
  CollectorInputs inputs;
  inputs.procfs = settings.procfs;
  inputs.sysfs = settings.sysfs;
  inputs.started = world.started;
  inputs.log = world.log;
  inputs.bpf = world.bpf;
  auto collectors = MakeCollectors(settings.collectors, inputs);
  if (world.bpf) {
    world.bpf->Close();  // whatever is to be loaded is loaded
  }
  if (!collectors) {
    auto error = collectors.error();
    error.where = "collectors." + error.where;
    return error;
  }
  auto ticker = OpenRealTicker(world.clock, settings.interval, std::move(demand));
  if (!ticker) {
    return ticker.error();
  }
  // Half an interval: one collector that hangs leaves the others the rest of the same tick.
  SamplerOptions how{.interval = settings.interval, .patience = settings.interval / 2, .pages = {}};
  how.pages.kept_text = std::make_shared<KeptText>();
  // For hosts without a node_exporter: its dashboards and rules then work on this page.
  if (settings.node_exporter_names) {
    how.pages.prefix = "node_";
    how.pages.node_exporter_names = true;
  }
  return Sampler::Make(how, *std::move(collectors), *std::move(ticker), world.clock, world.log,
                       std::move(publish), std::move(extra));
}

int RunOnce(const Settings& settings, const World& world) {
  std::mutex mutex;
  std::condition_variable arrived;
  int samples = 0;  // gauges need two readings
  SnapshotPtr second;
  auto sampler = MakeSampler(settings, world, [&](SnapshotPtr snapshot) {
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
  (*sampler)->Start();
  {
    std::unique_lock lock(mutex);
    arrived.wait(lock, [&] { return second != nullptr; });
  }
  (*sampler)->Stop();
  world.print(*second->Page(Format::kText, false));
  return kExitOk;
}

}  // namespace limpet
