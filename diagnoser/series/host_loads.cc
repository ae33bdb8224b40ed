#include "diagnoser/series/host_loads.h"

#include <algorithm>

namespace limpet {

std::optional<std::uint32_t> HostLoads::Number(std::string_view node) {
  if (const auto known = numbers_.find(node); known != numbers_.end()) {
    return known->second;
  }
  if (nodes_.size() >= kMaxNodes) {
    return std::nullopt;
  }
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  numbers_.emplace(std::string(node), number);
  return number;
}

// The last page is taken as whole when the next one begins: its lines come one by one.
void HostLoads::Finish(Node& node) {
  const auto& [before_at, before_idle, before_processors] = node.whole;
  const auto& [at, idle, processors] = node.reading;
  node.load.cpu = kMissing;
  // A sum that fell: the node has booted.
  if (before_processors == processors && processors > 0 && idle >= before_idle) {
    const double idle_share = (idle - before_idle) / (ToSeconds(at - before_at) * processors);
    node.load.cpu = std::clamp(1 - idle_share, 0.0, 1.0);
  }
  node.whole = node.reading;
}

void HostLoads::AddIdle(std::uint32_t node, UnixTime at, double seconds) {
  auto& mine = nodes_[node];
  if (at < mine.reading.at) {
    return;
  }
  if (at > mine.reading.at) {
    if (mine.reading.processors > 0) {
      Finish(mine);
    }
    mine.reading = {.at = at, .idle = 0, .processors = 0};
  }
  mine.reading.idle += seconds;
  ++mine.reading.processors;
  mine.load.at = std::max(mine.load.at, at);
}

void HostLoads::AddLoad(std::uint32_t node, UnixTime at, double load1) {
  auto& load = nodes_[node].load;
  if (at >= load.at) {
    load.load1 = load1;
    load.at = at;
  }
}

void HostLoads::Forget(std::string_view node) {
  if (const auto known = numbers_.find(node); known != numbers_.end()) {
    nodes_[known->second] = Node();
  }
}

std::map<std::string, HostLoad> HostLoads::Latest() const {
  std::map<std::string, HostLoad> latest;
  for (const auto& [name, number] : numbers_) {
    const auto& load = nodes_[number].load;
    if (!IsMissing(load.cpu) || !IsMissing(load.load1)) {
      latest.emplace_hint(latest.end(), name, load);
    }
  }
  return latest;
}

}  // namespace limpet
