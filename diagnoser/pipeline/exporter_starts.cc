#include "diagnoser/pipeline/exporter_starts.h"

namespace limpet {

ExporterStarts::Nodes ExporterStarts::Update(std::span<const PageReader::Start> starts) {
  Nodes restarted;
  for (const auto& start : starts) {
    // The first start that is heard of says nothing: we may have come after it.
    const auto known = starts_.find(start.node);
    if (known != starts_.end()) {
      // An earlier instant counts too: the clock may have been set back meanwhile.
      if (known->second != start.value) {
        known->second = start.value;
        restarted.insert(start.node);
      }
    } else if (starts_.size() < max_nodes_) {
      starts_.emplace(start.node, start.value);
    }
  }
  return restarted;
}

}  // namespace limpet
