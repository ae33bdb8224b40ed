// netstat.h: /proc/net/{snmp,netstat,snmp6,sockstat,sockstat6} as metrics, node_exporter's default
// fields of them (catalog/netstat.h).
//
// Missing: a file or field the kernel does not have (IPv6 off) is left out; an error only when none
//          of the files can be read.
// Cost:    the kernel sums every number over all processors: netstat alone takes 35 µs of a 2-core
//          machine, more than diskstats and net/dev together.
// Threads: as collector.h says.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/module.h"
#include "exporter/common/files.h"
#include "exporter/kernel/keyed_lines.h"
#include "exporter/kernel/net_stat.h"

namespace limpet {

class NetstatCollector final : public Collector {
 public:
  // `proc` is rooted at /proc; page_size in bytes, sysconf(_SC_PAGESIZE).
  NetstatCollector(std::unique_ptr<FileReader> proc, double page_size);

  [[nodiscard]] std::string_view Name() const override { return "netstat"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;
  // A file that is there and cannot be read.
  [[nodiscard]] std::optional<Error> Incomplete() const override { return incomplete_; }

 private:
  static constexpr std::size_t kFiles = 5;

  std::unique_ptr<FileReader> proc_;
  double page_size_;
  std::optional<Error> incomplete_;
  // Per file, the fields to look for and the rows of the catalogue they are.
  std::array<std::vector<NetStatField>, kFiles> fields_;
  std::array<std::vector<std::size_t>, kFiles> rows_;
  PairedLines snmp_;
  PairedLines netstat_;
  KeyedLines snmp6_;
};

extern const CollectorModule kNetstatCollector;

}  // namespace limpet
