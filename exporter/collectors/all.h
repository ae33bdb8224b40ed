// all.h: the collectors of the exporter, and what can be set about them.
//
// Each collector gets file readers of its own, so that one that hangs holds up nobody else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/disk.h"
#include "exporter/collectors/host.h"
#include "exporter/collectors/net.h"
#include "exporter/collectors/netstat.h"
#include "exporter/collectors/self.h"
#include "exporter/collectors/tcp.h"
#include "exporter/common/log.h"

namespace limpet {

struct CollectorOptions {
  std::string procfs = "/proc";
  std::string sysfs = "/sys";
  UnixTime started{};  // of the program
  DiskOptions disk;
  NetOptions net;
  NetstatOptions netstat;
  TcpOptions tcp;
  HostOptions host;
  SelfOptions self;
};

// Those that are enabled, in the order of the page. kInvalid, with "disk.exclude" and the like as
// `where`, when an option cannot be used.
[[nodiscard]] Result<std::vector<std::unique_ptr<Collector>>> MakeCollectors(
    const CollectorOptions& options, const LogSink& log);

}  // namespace limpet
