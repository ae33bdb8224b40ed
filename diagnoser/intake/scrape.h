// scrape.h: what a pipeline is fed with, and what it says of each piece.
//
// Threads: values; the views of a Scrape need to live only during Ingest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/metrics/bounds.h"
#include "exporter/common/columns/chunk.h"
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
  const columns::ChunkRows* rows = nullptr;  // of a recording in columns, in the place of text
};

// Why a page is known to come from another exporter or machine than the one before.
enum class IdentityChange : std::uint8_t { kStartTime, kBootTime, kHostname, kDisk };
inline constexpr std::size_t kIdentityChanges = 4;
[[nodiscard]] constexpr std::string_view Name(IdentityChange change) {
  constexpr std::array<std::string_view, kIdentityChanges> kNames = {"start_time", "boot_time",
                                                                     "hostname", "disk"};
  return kNames[static_cast<std::size_t>(change)];
}
struct ReplacedNode {
  std::string node;
  IdentityChange change = IdentityChange::kStartTime;
};

// A disk that another one's name now stands for, or that nobody can say is the same.
struct RenewedDisk {
  std::string node;
  std::string device;
  bool is_new = false;  // the node had no such disk before under any name
};

// An increase that no machine makes (metrics/bounds.h), so that it was refused.
struct ImpossibleIncrease {
  std::string node;
  std::string device;        // empty: of the node
  std::string_view counter;  // the series' name without its prefix
  double increase = 0;       // in the unit of the series
  double most = 0;
  Duration over{};
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
  std::vector<ReplacedNode> replaced;  // their counters start anew
  std::vector<RenewedDisk> renewed;    // nothing is known of them any more
  // Increases that were refused, by Quantity, and the first few of them.
  std::array<std::size_t, kQuantities> impossible{};
  std::vector<ImpossibleIncrease> examples;
};

}  // namespace limpet
