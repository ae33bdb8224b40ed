#include "diagnoser/view/node_rates.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace limpet {
namespace {

void AddTo(double& sum, double more) {
  // A node with one silent disk still shows what the others do.
  if (!IsMissing(more)) {
    sum = IsMissing(sum) ? more : sum + more;
  }
}

class RateCollector {
 public:
  RateCollector(const Directory& directory, const Readings& readings, const Counted& counted,
                std::size_t grid, const RatesAt& at)
      : directory_(directory),
        readings_(readings),
        counted_(counted),
        grid_(grid),
        seconds_(ToSeconds(readings.Grids()[grid].step)),
        oldest_(at.oldest),
        newest_(BinAt(at.latest, readings.Grids()[grid].step)) {}

  std::vector<NodeRates> Collect() {
    for (std::uint32_t i = 0; i < directory_.Entities(EntityKind::kDisk).size(); ++i) {
      if (auto* const node = Find(EntityKind::kDisk, i)) {
        AddDisk(readings_.Tracks(EntityKind::kDisk, i), *node);
      }
    }
    for (std::uint32_t i = 0; i < directory_.Entities(EntityKind::kInterface).size(); ++i) {
      if (auto* const node = Find(EntityKind::kInterface, i)) {
        const auto tracks = readings_.Tracks(EntityKind::kInterface, i);
        AddTo(node->received, Rate(tracks, FieldNumber(NetCounter::kRxBytes)));
        AddTo(node->sent, Rate(tracks, FieldNumber(NetCounter::kTxBytes)));
      }
    }
    return std::move(nodes_);
  }

 private:
  // Whose entity it is; null when it says nothing.
  NodeRates* Find(EntityKind kind, std::uint32_t number) {
    const auto& entity = directory_.Entities(kind)[number];
    const auto& counted = counted_[Index(kind)];
    if (!entity.live || entity.groups.empty() || readings_.Tracks(kind, number).empty() ||
        (number < counted.size() && !counted[number])) {
      return nullptr;
    }
    const auto [place, is_new] = places_.try_emplace(entity.node, nodes_.size());
    if (is_new) {
      nodes_.push_back({.node = entity.node});
    }
    return &nodes_[place->second];
  }

  // The increase of the newest closed step; who is behind by more is silent.
  [[nodiscard]] double Rate(std::span<const CounterTrack> tracks, std::size_t counter) const {
    const auto& track = tracks[counter];
    if (!track.Last() || *track.Last() < oldest_) {
      return kMissing;
    }
    const auto& column = track.Column(grid_);
    return column.At(std::min(column.LastClosed(), newest_)) / seconds_;
  }

  void AddDisk(std::span<const CounterTrack> tracks, NodeRates& node) const {
    AddTo(node.requests, Rate(tracks, Index(DiskCounter::kReads)));
    AddTo(node.requests, Rate(tracks, Index(DiskCounter::kWrites)));
    AddTo(node.read, Rate(tracks, Index(DiskCounter::kReadBytes)));
    AddTo(node.written, Rate(tracks, Index(DiskCounter::kWrittenBytes)));
    const double busy = Rate(tracks, Index(DiskCounter::kBusySeconds));
    if (!IsMissing(busy)) {
      node.busy = IsMissing(node.busy) ? busy : std::max(node.busy, busy);
    }
  }

  const Directory& directory_;
  const Readings& readings_;
  const Counted& counted_;
  std::size_t grid_;
  double seconds_;
  UnixTime oldest_;
  std::int64_t newest_;  // bin
  std::vector<NodeRates> nodes_;
  std::unordered_map<std::string_view, std::size_t> places_;  // names are the directory's
};

}  // namespace

std::vector<NodeRates> CollectNodeRates(const Directory& directory, const Readings& readings,
                                        const Counted& counted, std::size_t grid,
                                        const RatesAt& at) {
  return RateCollector(directory, readings, counted, grid, at).Collect();
}

void AddHostLoads(const HostLoads& loads, UnixTime oldest, std::vector<NodeRates>& rates) {
  auto latest = loads.Latest();
  std::erase_if(latest, [&](const auto& one) { return one.second.at < oldest; });
  const auto put = [](const HostLoad& load, NodeRates& node) {
    node.cpu = load.cpu;
    node.load1 = load.load1;
  };
  for (auto& node : rates) {
    if (const auto found = latest.find(node.node); found != latest.end()) {
      put(found->second, node);
      latest.erase(found);
    }
  }
  for (const auto& [name, load] : latest) {
    put(load, rates.emplace_back(NodeRates{.node = name}));
  }
}

}  // namespace limpet
