// record_command.cc: the command that writes recordings.

#include <chrono>
#include <string>
#include <utility>

#include "exporter/commands.h"
#include "exporter/common/service.h"
#include "exporter/process.h"
#include "exporter/record/background_recorder.h"

namespace limpet {
namespace {

void WaitForStop(Signals& signals) {
  const auto watchdog = WatchdogInterval();
  for (;;) {
    const auto wake = signals.Wait(watchdog ? *watchdog / 2 : Duration(std::chrono::hours(1)));
    if (wake == Wake::kStop) {
      return;
    }
    if (watchdog) {
      NotifySystemd("WATCHDOG=1");
    }
  }
}

}  // namespace

int RunRecord(const Settings& settings, const World& world) {
  const auto fail = [&](const Error& error, int code) {
    world.log(LogLevel::kError, error.Text());
    return code;
  };
  auto options = settings.record;
  const auto& dir = options.output_dir.empty() ? options.dir : options.output_dir;
  if (dir.empty()) {
    return fail({ErrorCode::kInvalid, "expected a folder for the recordings", "--output-dir"},
                kExitUsage);
  }
  if (options.instance.empty()) {
    options.instance = HostName();
  }
  Signals signals;  // before the first thread, which inherits what is blocked
  // Unlike `serve` there is nothing else to do: a folder that cannot be used is the end.
  auto folder = OpenRecordingFolder(dir, options.fsync);
  if (!folder) {
    return fail(folder.error(), kExitFailed);
  }
  BackgroundRecorder recorder(options, *std::move(folder), world.clock, world.log);
  auto sampler =
      MakeSampler(settings, world, [&](const SnapshotPtr& snapshot) { recorder.Push(*snapshot); });
  if (!sampler) {
    return fail(sampler.error(),
                sampler.error().code == ErrorCode::kInvalid ? kExitUsage : kExitFailed);
  }
  (*sampler)->Start();
  world.log(LogLevel::kInfo, "recording into " + dir);
  NotifySystemd("READY=1");
  WaitForStop(signals);
  NotifySystemd("STOPPING=1");
  // In the order of the data's way, so that the last sample still reaches the file.
  (*sampler)->Stop();
  recorder.Stop();
  const auto total = recorder.Total();
  const auto lost = recorder.LostFrames();
  world.log(lost + recorder.Dropped() == 0 ? LogLevel::kInfo : LogLevel::kError,
            "stopped: " + std::to_string(total.samples) + " samples in " +
                std::to_string(total.files) + " files; " + std::to_string(lost) + " pieces and " +
                std::to_string(recorder.Dropped()) + " samples lost");
  return lost == 0 ? kExitOk : kExitFailed;
}

}  // namespace limpet
