// ticking_collector.h: a collector of one /proc file, read once a second, as a test fixture.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "exporter/collectors/collector.h"
#include "tests/support/map_files.h"

namespace limpet::testing {

// `Kind` has Make(Options, proc files, sys files, log).
template <class Kind, class Options>
class TickingCollector : public ::testing::Test {
 protected:
  explicit TickingCollector(std::string file) : file_(std::move(file)) {}

  void Start(const Options& options = {}) {
    auto made =
        Kind::Make(options, std::make_unique<MapFiles>(proc_), std::make_unique<MapFiles>(sys_),
                   [this](LogLevel, std::string_view text) { log_ += std::string(text) + "\n"; });
    collector_ = *std::move(made);
  }
  // As Start, after what has been collected so far: a reload.
  void Restart(const Options& options = {}) {
    const auto before = std::move(collector_);
    Start(options);
    collector_->Inherit(*before);
  }
  // One second later the kernel prints this.
  Families Second(std::string_view text) {
    proc_->files[file_] = text;
    now_ += std::chrono::seconds(1);
    return collector_->Collect(Now()).value();
  }
  Tick Now() const { return {UnixTime(now_.time_since_epoch()), now_}; }

  std::shared_ptr<FileTree> proc_ = std::make_shared<FileTree>();
  std::shared_ptr<FileTree> sys_ = std::make_shared<FileTree>();
  std::unique_ptr<Collector> collector_;
  SteadyTime now_{std::chrono::hours(1)};
  std::string log_;

 private:
  std::string file_;
};

}  // namespace limpet::testing
