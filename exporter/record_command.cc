// record_command.cc: the command that writes recordings.

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "exporter/commands.h"
#include "exporter/common/service.h"
#include "exporter/record/recorder.h"
#include "exporter/record/snapshot_queue.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxQueued = 300;  // five minutes of a disk that does not answer

std::string HostName() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

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
  if (options.output_dir.empty()) {
    return fail({ErrorCode::kInvalid, "expected a folder for the recordings", "--output-dir"},
                kExitUsage);
  }
  if (options.instance.empty()) {
    options.instance = HostName();
  }
  Signals signals;  // before the first thread, which inherits what is blocked
  // What cannot be made says so when it is opened.
  std::error_code ignored;
  std::filesystem::create_directories(options.output_dir, ignored);
  auto folder = OpenRecordingFolder(options.output_dir);
  if (!folder) {
    return fail(folder.error(), kExitFailed);
  }
  Recorder recorder(options, *std::move(folder), world.clock, world.log);
  SnapshotQueue queue(kMaxQueued);
  auto sampler =
      MakeSampler(settings, world, [&](SnapshotPtr snapshot) { queue.Push(std::move(snapshot)); });
  if (!sampler) {
    return fail(sampler.error(),
                sampler.error().code == ErrorCode::kInvalid ? kExitUsage : kExitFailed);
  }
  (*sampler)->Start();
  // A thread of its own: the sampler must not wait for a disk that is slow just now.
  std::thread writer([&] {
    while (const auto snapshot = queue.Pop()) {
      recorder.Add(*snapshot);
    }
    recorder.Close();
  });
  world.log(LogLevel::kInfo, "recording into " + options.output_dir);
  NotifySystemd("READY=1");
  WaitForStop(signals);
  NotifySystemd("STOPPING=1");
  // In the order of the data's way, so that the last sample still reaches the file.
  (*sampler)->Stop();
  queue.Close();
  writer.join();
  const auto& total = recorder.Total();
  const auto lost = total.frames_lost + recorder.Waiting();
  world.log(lost + queue.Dropped() == 0 ? LogLevel::kInfo : LogLevel::kError,
            "stopped: " + std::to_string(total.samples) + " samples in " +
                std::to_string(total.files) + " files; " + std::to_string(lost) + " pieces and " +
                std::to_string(queue.Dropped()) + " samples lost");
  return lost == 0 ? kExitOk : kExitFailed;
}

}  // namespace limpet
