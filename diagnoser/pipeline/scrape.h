// scrape.h: what a pipeline is fed with, and what it says of each piece.
//
// Threads: values; the views of a Scrape need to live only during Ingest.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "exporter/common/exposition/format.h"
#include "exporter/common/time.h"

namespace limpet {

// One page of one source at one instant.
struct Scrape {
  std::string_view source;  // key of the series cache: target URL, file path
  std::string_view node;    // empty: the label `instance` of each series (recordings)
  std::string_view role;    // empty: the label `role` of each series
  std::span<const std::pair<std::string, std::string>> labels;  // of the target, for group rules
  UnixTime at;  // for samples without a timestamp of their own
  Format format = Format::kText;
  bool recording = false;  // lines that cannot be read are counted and skipped, not refused
  std::string_view text;
};

struct IngestStats {
  std::size_t samples = 0;        // on the page
  std::size_t mapped = 0;         // that a peer group wants
  std::size_t bad_lines = 0;      // recordings only
  std::size_t late = 0;           // not after the series' last reading: left out
  std::size_t refused = 0;        // beyond a limit, or not finite
  std::size_t over_limit = 0;     // series of the source that are left out for want of room
  std::optional<UnixTime> first;  // earliest and latest instant among the samples
  std::optional<UnixTime> last;
};

}  // namespace limpet
