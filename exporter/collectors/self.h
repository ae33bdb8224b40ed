// self.h: what the exporter says about itself, kept in a prometheus-cpp registry.
//
// Threads: as collector.h says.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/module.h"
#include "exporter/common/files.h"

namespace limpet {

// The sources of the numbers.
struct SelfSources {
  std::unique_ptr<FileReader> process;  // rooted at our own /proc/self, whatever --path.procfs says
  std::function<Duration()> cpu_time;   // of the whole process, CLOCK_PROCESS_CPUTIME_ID
  double page_size;                     // bytes
  UnixTime started;
  // Returns how many files are open; nullopt where that has to be listed. None: the same.
  std::function<std::optional<double>()> open_files = {};
};

class SelfCollector final : public Collector {
 public:
  explicit SelfCollector(SelfSources sources);
  ~SelfCollector() override;

  [[nodiscard]] std::string_view Name() const override { return "self"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;

 private:
  // Returns nullopt when they can be neither counted nor listed.
  [[nodiscard]] std::optional<double> CountOpen();

  struct Metrics;  // keeps prometheus-cpp's headers out of ours

  SelfSources sources_;
  std::unique_ptr<Metrics> metrics_;
};

extern const CollectorModule kSelfCollector;

}  // namespace limpet
