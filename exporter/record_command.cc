// record_command.cc: the command that writes recordings.

#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "exporter/commands.h"
#include "exporter/common/service.h"
#include "exporter/record/recorder.h"

namespace limpet {
namespace {

// Samples on their way to a disk that is slow just now; the oldest go when there are too many.
class Queue {
 public:
  void Push(SnapshotPtr snapshot) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(snapshot));
    if (waiting_.size() > kMaxWaiting) {
      waiting_.pop_front();
      ++dropped_;
    }
    arrived_.notify_one();
  }
  void Close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    arrived_.notify_one();
  }
  // Null: closed, and nothing is left.
  SnapshotPtr Pop() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) {
      return nullptr;
    }
    auto first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }
  [[nodiscard]] std::size_t Dropped() {
    const std::lock_guard lock(mutex_);
    return dropped_;
  }

 private:
  static constexpr std::size_t kMaxWaiting = 300;

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<SnapshotPtr> waiting_;
  std::size_t dropped_ = 0;
  bool closed_ = false;
};

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
  Signals signals;  // before the first thread
  auto folder = OpenRecordingFolder(options.output_dir);
  if (!folder) {
    return fail(folder.error(), kExitFailed);
  }
  Recorder recorder(options, *std::move(folder), world.clock, world.log);
  Queue queue;
  auto sampler = StartSampling(settings, world,
                               [&](SnapshotPtr snapshot) { queue.Push(std::move(snapshot)); });
  if (!sampler) {
    return fail(sampler.error(),
                sampler.error().code == ErrorCode::kInvalid ? kExitUsage : kExitFailed);
  }
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
