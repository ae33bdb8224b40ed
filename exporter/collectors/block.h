// block.h: time of requests in the queue and at the device, by eBPF (bpf/block.bpf.c).
//
// Without the programs (no permission, kernel or build) it says so once in the log and reports
// nothing; the bpf collector has it as a metric.
// Cost: no system call; some 4 kB of mapped memory are added up a device, operation and CPU.
// Threads: as collector.h says.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/bpf/block_shared.h"
#include "exporter/bpf/programs.h"
#include "exporter/collectors/collector.h"
#include "exporter/collectors/device_filter.h"
#include "exporter/collectors/histograms.h"
#include "exporter/collectors/module.h"
#include "exporter/common/files.h"

namespace limpet {

struct BlockOptions {
  DeviceFilterOptions devices;
  std::uint32_t max_devices = 64;  // of the whole machine, filtered or not
};

class BlockCollector final : public Collector {
 public:
  // `programs` may be null.
  BlockCollector(const BlockOptions& options, DeviceFilter filter, bpf::ProgramsPtr programs,
                 std::unique_ptr<FileReader> proc);

  [[nodiscard]] std::string_view Name() const override { return "block"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;

 private:
  // Sums over CPUs of one operation.
  using Sums = BlockCell;
  struct Operation {
    HistogramLabels times;
    HistogramLabels sizes;
    std::array<LabelsPtr, kBlockSizes> by_size;
  };
  struct Device {
    std::uint32_t number = 0;
    std::uint32_t generation = 0;
    std::string name;  // empty: the kernel lists none of that number
    bool shown = false;
    std::array<Operation, kBlockOperations> operations;
    std::array<LabelsPtr, kDepthClasses> depths;
    // Counts that devices which had this place before left in its counters.
    std::array<Sums, kBlockOperations> before{};
    std::array<double, kDepthClasses> depth_before{};
    std::array<double, kDepthClasses> depth_seconds{};  // as last shown: it never falls
  };

  [[nodiscard]] Sums AddUp(std::size_t place, std::size_t operation) const;
  void Recognise(std::size_t place, const BlockDevice& kernel);
  void NameDevice(Device& device);
  void AddOperations(std::size_t place, std::array<Family, 7>& families) const;
  void AddDepths(Device& device, const BlockDevice& kernel, const Tick& tick, Family& family) const;

  DeviceFilter filter_;
  bpf::ProgramsPtr programs_;
  std::unique_ptr<FileReader> proc_;
  std::size_t rows_ = 0;    // of the array of cells
  std::size_t places_ = 0;  // devices in each
  std::vector<Device> devices_;
  std::array<LabelsPtr, kBlockDrops> drop_labels_;
};

extern const CollectorModule kBlockCollector;

}  // namespace limpet
