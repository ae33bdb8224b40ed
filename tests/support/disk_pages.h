// disk_pages.h: pages of nodes with disks, for tests of a whole pipeline.
#pragma once

#include <fmt/format.h>

#include <string>

#include "diagnoser/pipeline/pipeline.h"

namespace limpet::testing {

// A disk with `await` ms of waiting and as much service for each of 50 requests a second.
inline std::string DiskPage(double second, double await, const std::string& device = "sda") {
  const double requests = 50 * second;
  const double waited = requests * await / 1000;
  return fmt::format(
      "limpet_disk_reads_completed_total{{device=\"{0}\"}} {1}\n"
      "limpet_disk_writes_completed_total{{device=\"{0}\"}} 0\n"
      "limpet_disk_read_bytes_total{{device=\"{0}\"}} {2}\n"
      "limpet_disk_written_bytes_total{{device=\"{0}\"}} 0\n"
      "limpet_disk_read_time_seconds_total{{device=\"{0}\"}} {3}\n"
      "limpet_disk_write_time_seconds_total{{device=\"{0}\"}} 0\n"
      "limpet_disk_io_time_seconds_total{{device=\"{0}\"}} {3}\n"
      "limpet_disk_io_time_weighted_seconds_total{{device=\"{0}\"}} {3}\n",
      device, requests, 4096 * requests, waited);
}

// Of a node of the role "io", which is its own source.
inline Result<IngestStats> IngestPage(Pipeline& pipeline, const std::string& node, UnixTime at,
                                      const std::string& page) {
  return pipeline.Ingest(
      {.source = node, .node = node, .role = "io", .labels = {}, .at = at, .text = page});
}

}  // namespace limpet::testing
