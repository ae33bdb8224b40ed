// ticking_collector.h: a collector of one /proc file, read once a second, as a test fixture.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/device_filter.h"
#include "exporter/common/log.h"
#include "tests/support/map_files.h"

namespace limpet::testing {

// `Kind` is made by MakeWithFilter of options, proc files, sys files and log.
template <class Kind, class Options>
class TickingCollector : public ::testing::Test {
 protected:
  TickingCollector(std::string file, std::string_view default_exclude)
      : file_(std::move(file)), default_exclude_(default_exclude) {}

  void Start(const Options& options = {}) {
    auto made = MakeWithFilter<Kind>(
        options, default_exclude_, std::unique_ptr<FileReader>(std::make_unique<MapFiles>(proc_)),
        std::unique_ptr<FileReader>(std::make_unique<MapFiles>(sys_)),
        LogSink([this](LogLevel, std::string_view text) { log_ += std::string(text) + "\n"; }));
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
  std::string_view default_exclude_;
};

}  // namespace limpet::testing
