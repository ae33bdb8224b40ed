#include "exporter/collectors/all.h"

#include <array>
#include <utility>

// CMakeLists.txt compiles X.cc for each X.h that is included here.
#include "exporter/collectors/block.h"
#include "exporter/collectors/bpf.h"
#include "exporter/collectors/cgroup.h"
#include "exporter/collectors/disk.h"
#include "exporter/collectors/disk_errors.h"
#include "exporter/collectors/facts.h"
#include "exporter/collectors/host.h"
#include "exporter/collectors/infiniband.h"
#include "exporter/collectors/net.h"
#include "exporter/collectors/netstat.h"
#include "exporter/collectors/self.h"
#include "exporter/collectors/syscall.h"
#include "exporter/collectors/tcp.h"

namespace limpet {
namespace {

constexpr std::array kCollectors = {
    &kDiskCollector,       &kDiskErrorsCollector, &kBlockCollector,   &kNetCollector,
    &kInfinibandCollector, &kNetstatCollector,    &kTcpCollector,     &kHostCollector,
    &kFactsCollector,      &kCgroupCollector,     &kSyscallCollector, &kBpfCollector,
    &kSelfCollector,
};

}  // namespace

std::span<const CollectorModule* const> AllCollectors() { return kCollectors; }

std::vector<ChosenCollector> ReadCollectors(yaml::MapReader map) {
  std::vector<ChosenCollector> chosen;
  for (const auto* module : kCollectors) {
    auto settings = map.Map(module->name);
    const bool enabled = settings.Bool("enabled").value_or(module->enabled_by_default);
    // Settings of a collector that is switched off are checked all the same.
    auto make = module->configure(settings);
    settings.RefuseUnknown();
    if (enabled) {
      chosen.push_back({module, std::move(make)});
    }
  }
  map.RefuseUnknown();
  return chosen;
}

Result<std::vector<std::unique_ptr<Collector>>> MakeCollectors(
    const std::vector<ChosenCollector>& chosen, const CollectorInputs& inputs) {
  std::vector<std::unique_ptr<Collector>> collectors;
  for (const auto& [module, make] : chosen) {
    auto made = make(inputs);
    if (!made) {
      auto error = made.error();
      error.where = std::string(module->name) + "." + error.where;
      return error;
    }
    collectors.push_back(*std::move(made));
  }
  return collectors;
}

}  // namespace limpet
