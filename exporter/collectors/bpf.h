// bpf.h: whether the eBPF collectors' programs run, what they cost and what they missed.
//
// Reads /proc/self/fdinfo, a file a program; nothing when no eBPF collector is switched on. The
// time of programs is counted only while the sysctl kernel.bpf_stats_enabled is 1, since counting
// takes time at each run.
//
// Threads: as collector.h says.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "exporter/bpf/loader.h"
#include "exporter/collectors/collector.h"
#include "exporter/collectors/module.h"
#include "exporter/common/files.h"

namespace limpet {

class BpfCollector final : public Collector {
 public:
  // `self` is /proc/self.
  BpfCollector(std::shared_ptr<bpf::Loader> loader, std::unique_ptr<FileReader> self)
      : loader_(std::move(loader)), self_(std::move(self)) {}

  [[nodiscard]] std::string_view Name() const override { return "bpf"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;

 private:
  [[nodiscard]] const LabelsPtr& Label(const std::string& programs, const std::string& program);

  std::shared_ptr<bpf::Loader> loader_;
  std::unique_ptr<FileReader> self_;
  std::map<std::string, LabelsPtr> labels_;
};

// Returns what the page calls the programs of a request: "block", "syscall".
[[nodiscard]] std::string ProgramsName(const bpf::Request& request);

extern const CollectorModule kBpfCollector;

}  // namespace limpet
