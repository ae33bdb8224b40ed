// ticking_collector.h: a collector of one /proc file, read once a second, as a test fixture.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/device_filter.h"
#include "exporter/collectors/device_reader.h"
#include "exporter/common/log.h"
#include "tests/support/map_files.h"

namespace limpet::testing {

// What reads files of /proc and /sys that stand in a test.
inline CollectorInputs InputsOf(std::shared_ptr<FileTree> proc, std::shared_ptr<FileTree> sys,
                                LogSink log) {
  CollectorInputs inputs;
  inputs.open = [proc = std::move(proc), sys = std::move(sys)](const std::string& root) {
    return std::make_unique<MapFiles>(root == "/proc" ? proc : sys);
  };
  inputs.log = std::move(log);
  return inputs;
}

// As patient as a test is in which nothing hangs: each page has all answers.
inline constexpr DeviceReaderOptions kPatientReader{.first_wait = std::chrono::seconds(5),
                                                    .later_wait = std::chrono::seconds(5)};
// For a test in which something does.
inline constexpr DeviceReaderOptions kHastyReader{.first_wait = std::chrono::milliseconds(200),
                                                  .later_wait = std::chrono::milliseconds(200)};

// `Kind` is made by MakeWithFilter of options and inputs.
template <class Kind, class Options>
class TickingCollector : public ::testing::Test {
 protected:
  TickingCollector(std::string file, std::string_view default_exclude)
      : file_(std::move(file)), default_exclude_(default_exclude) {}

  ~TickingCollector() override { sys_->Release(); }

  void Start(Options options = {}) {
    options.reader = reader_;
    auto made = MakeWithFilter<Kind>(
        options, default_exclude_,
        InputsOf(proc_, sys_, [log = log_lines_](LogLevel, std::string_view text) {
          *log += std::string(text) + "\n";
        }));
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
  DeviceReaderOptions reader_ = kPatientReader;
  std::unique_ptr<Collector> collector_;
  SteadyTime now_{std::chrono::hours(1)};

 private:
  // Whoever is left behind may outlive the test.
  std::shared_ptr<std::string> log_lines_ = std::make_shared<std::string>();

 protected:
  std::string& log_ = *log_lines_;

 private:
  std::string file_;
  std::string_view default_exclude_;
};

}  // namespace limpet::testing
