// matrix.h: behaviour profiles tried as [Pan08 §5] tried them: trained on fault-free runs of five
// nodes, used on five and on fifteen, on workloads they were trained on and on the one that was
// left out.
//
// Threads: pure; the whole matrix takes minutes.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulator/host.h"

namespace limpet::simulator {

struct ProfileMatrixOptions {
  std::size_t runs = 10;  // a fault, workload and cluster, and a workload of the training
  AlarmRule rule = AlarmRule::kConsecutive;
  std::vector<std::size_t> clusters = {5, 15};
  std::vector<HostFault> faults = {HostFault::kNone, HostFault::kCpuHog, HostFault::kDiskHog,
                                   HostFault::kPacketLoss, HostFault::kHang};
};

// One cell: nodes counted over its runs.
struct ProfileScore {
  std::size_t faulty = 0;
  std::size_t found = 0;    // faulty nodes indicted after the onset
  std::size_t healthy = 0;  // nodes without the fault
  std::size_t accused = 0;  // of those, indicted at any time
  double delay = 0;         // median seconds from onset to indictment of those found

  [[nodiscard]] double TruePositives() const;   // [Pan08]: TP
  [[nodiscard]] double FalsePositives() const;  // [Pan08]: FP; without a fault the false-alarm rate
};

struct ProfileCell {
  HostFault fault = HostFault::kNone;
  HostWorkload workload = HostWorkload::kSort;
  std::size_t nodes = 5;
  bool cross_validated = false;  // the model has never seen the workload
  ProfileScore score;
};

struct ProfileMatrix {
  std::vector<ProfileCell> cells;
  std::vector<double> thresholds;  // of the models: all workloads, then without each
};

[[nodiscard]] ProfileMatrix RunProfileMatrix(const ProfileMatrixOptions& options);

// As 001's Tables 3 and 4, in Markdown.
[[nodiscard]] std::string ProfileTables(const ProfileMatrix& matrix);

}  // namespace limpet::simulator
