// exporter_starts.h: which exporters have been restarted since the page before.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "diagnoser/pipeline/page_reader.h"

namespace limpet {

class ExporterStarts {
 public:
  // When the exporter of each node started (Unix seconds), as far as they say so.
  using Starts = std::map<std::string, double, std::less<>>;
  using Nodes = std::set<std::string, std::less<>>;

  // Remembers at most `max_nodes`; an exporter beyond them never counts as restarted.
  explicit ExporterStarts(std::size_t max_nodes) : max_nodes_(max_nodes) {}

  // The nodes whose exporter says another instant than before.
  [[nodiscard]] Nodes Update(std::span<const PageReader::Start> starts);

  // Kept over a restart of our own.
  [[nodiscard]] const Starts& All() const { return starts_; }
  void Resume(Starts starts) { starts_ = std::move(starts); }

 private:
  std::size_t max_nodes_;
  Starts starts_;
};

}  // namespace limpet
