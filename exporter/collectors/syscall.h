// syscall.h: system calls of file-system servers and clients, by eBPF (bpf/syscall.bpf.c).
//
// The metrics of [Kasick09 §4]: time of reads and writes of storage and network, errors, calls that
// hang, the last call that each remote server completed. Without the programs (no permission,
// kernel or build) it says so once in the log and reports nothing; the bpf collector has it as a
// metric.
//
// What it cannot see: requests through io_uring, of which only io_uring_enter is a system call; how
// long requests of libaio take after io_submit; files mapped into memory; servers in the kernel.
// Cost: no system call; a few hundred kB of mapped memory are read a second.
// Threads: as collector.h says.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "exporter/bpf/programs.h"
#include "exporter/bpf/syscall_shared.h"
#include "exporter/collectors/collector.h"
#include "exporter/collectors/histograms.h"
#include "exporter/collectors/module.h"

namespace limpet {

struct SyscallOptions {
  std::vector<std::string> servers;  // names of processes, as /proc/PID/comm has them
  std::vector<std::string> clients;
  std::vector<std::string> cgroups;  // folders below /sys/fs/cgroup; empty: any
  std::string network_namespace;     // a file such as /run/netns/storage; empty: any
  std::uint32_t max_threads = 4096;
};

[[nodiscard]] SyscallOptions ReadSyscallOptions(yaml::MapReader& settings);

// kInvalid: a cgroup or namespace that is not there; `where` is its key.
[[nodiscard]] Result<bpf::SyscallRequest> MakeSyscallRequest(const SyscallOptions& options);

// "10.0.0.1:24007", "[fd00::1]:24007".
[[nodiscard]] std::string PeerName(const Peer& peer);

class SyscallCollector final : public Collector {
 public:
  // `programs` may be null.
  explicit SyscallCollector(bpf::ProgramsPtr programs);

  [[nodiscard]] std::string_view Name() const override { return "syscall"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;

 private:
  struct Target {
    LabelSet::Pairs pairs;  // process and role
    bool is_client = false;
    LabelsPtr plain;
    LabelsPtr storage;  // class="storage"
    std::vector<LabelsPtr> classes;
    std::vector<HistogramLabels> operations;  // made when first needed
  };
  struct PeerLabels {
    std::uint32_t generation = 0;  // of the peer's place
    std::vector<LabelsPtr> completed;
    std::vector<LabelsPtr> failures;
    LabelsPtr open;
  };

  void AddCounts(Families& families);
  void AddErrors(Families& families);
  void AddOpenCalls(Families& families, const Tick& tick);
  void AddPeers(Families& families, const Tick& tick);
  void AddTotals(Families& families) const;
  [[nodiscard]] const PeerLabels& LabelsOfPeer(std::size_t index, const Peer& peer);

  bpf::ProgramsPtr programs_;
  std::vector<Target> targets_;
  std::map<std::size_t, LabelsPtr> error_labels_;  // by place in the array of errors
  std::map<std::size_t, PeerLabels> peer_labels_;  // by place in the array of peers
  std::vector<LabelsPtr> drop_labels_;
};

extern const CollectorModule kSyscallCollector;

}  // namespace limpet
