#include "tests/accuracy/drive_pages.h"

#include <fmt/format.h>

#include <stdexcept>

namespace limpet::accuracy {

void IngestHost(const simulator::Drives& drives, std::size_t host, UnixTime at,
                Pipeline& pipeline) {
  const auto node = fmt::format("h{}", host);
  const auto page = drives.Page(host);
  if (const auto stats = pipeline.Ingest(
          {.source = node, .node = node, .role = "io", .labels = {}, .at = at, .text = page});
      !stats) {
    throw std::runtime_error(stats.error().Text());
  }
}

}  // namespace limpet::accuracy
