// module.h: what the exporter must know of a collector to offer it: name, metrics, settings, maker.
//
// Each collector has one constant of this, and the list of them is in all.cc. Everything else
// follows from the list: the key below `collectors:` in the configuration with its `enabled`, the
// section of docs/metrics.md, the names a recording may ask for, the order of the page.
// Threads: constants and values.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "exporter/bpf/loader.h"
#include "exporter/collectors/collector.h"
#include "exporter/common/exposition/sample.h"
#include "exporter/common/files.h"
#include "exporter/common/log.h"
#include "exporter/common/read_errors.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"
#include "exporter/common/yaml.h"

namespace limpet {

// The world a collector sees. Readers are made for each collector alone, so that one that hangs
// holds nothing the others need.
struct CollectorInputs {
  std::function<std::unique_ptr<FileReader>(std::string root)> open = OpenRealFiles;
  std::string procfs = "/proc";
  std::string sysfs = "/sys";
  UnixTime started{};  // of the program
  LogSink log;
  // Loads programs into the kernel; null where there is none to do it (tests).
  std::shared_ptr<bpf::Loader> bpf;

  [[nodiscard]] std::unique_ptr<FileReader> Proc() const {
    return LogReadErrors(open(procfs), log);
  }
  [[nodiscard]] std::unique_ptr<FileReader> Sys() const { return LogReadErrors(open(sysfs), log); }
};

// Makes a collector with settings that were read before. kInvalid, with the key as `where`, when
// one of them cannot be used.
using CollectorFactory =
    std::function<Result<std::unique_ptr<Collector>>(const CollectorInputs& inputs)>;

struct CollectorModule {
  std::string_view name;   // the `collector` label, and the key in the configuration
  std::string_view title;  // of its section in docs/metrics.md
  std::span<const MetricInfo* const> metrics;
  // Reads the keys of its own; `enabled` is read for it, and unknown keys are refused for it.
  CollectorFactory (*configure)(yaml::MapReader& settings);
  bool enabled_by_default = true;
};

// A setting that is absent from the configuration, or wrong there, keeps its default.
template <class T>
void SetIfGiven(T& target, std::optional<T> value) {
  if (value) {
    target = *std::move(value);
  }
}

inline void SetIfGiven(std::size_t& target, std::optional<std::int64_t> value) {
  if (value) {
    target = static_cast<std::size_t>(*value);
  }
}

}  // namespace limpet
