// fake_disk.h: a disk for probes whose reads take as long as a test says, fail, or hang until told.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "exporter/probe/probed_disk.h"

namespace limpet::testing {

class FakeDisk final : public ProbedDisk {
 public:
  using OnRead = std::function<Result<void>(std::uint64_t offset)>;
  explicit FakeDisk(OnRead on_read, std::uint64_t blocks = 1000)
      : on_read_(std::move(on_read)), blocks_(blocks) {}

  [[nodiscard]] std::uint64_t Bytes() const override { return blocks_ * kProbeBlock + 512; }
  Result<void> Read(std::uint64_t offset) override { return on_read_(offset); }

 private:
  OnRead on_read_;
  std::uint64_t blocks_;
};

// Opens the same kind of disk under every name.
inline OpenProbedDisk OpenFakes(FakeDisk::OnRead on_read) {
  return [on_read = std::move(on_read)](const std::string&) -> Result<std::unique_ptr<ProbedDisk>> {
    return std::unique_ptr<ProbedDisk>(std::make_unique<FakeDisk>(on_read));
  };
}

// What a hanging read waits for.
class Gate {
 public:
  void Wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void WaitUntilSomebodyWaits() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int waiting_ = 0;
};

}  // namespace limpet::testing
