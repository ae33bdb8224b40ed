#include "diagnoser/evidence/packets/node_segments.h"

#include <algorithm>

#include "diagnoser/evidence/packets/recent_rise.h"
#include "diagnoser/evidence/whole_second.h"
#include "diagnoser/series/counter_course.h"

namespace limpet {
namespace {

constexpr std::array kSides = {kReceiving, kSending};

const RecentReadings& All(const SocketReadings& socket, std::size_t side) {
  return side == kSending ? socket.sent : socket.received;
}
const RecentReadings& Missing(const SocketReadings& socket, std::size_t side) {
  return side == kSending ? socket.retransmitted : socket.out_of_order;
}

}  // namespace

void NodeSegments::FindServers(const Directory& directory, const std::vector<std::string>& masked) {
  const auto& rule = directory.Rules()[group_];
  const auto entities = directory.Entities(EntityKind::kPeer);
  entities_.clear();
  for (std::uint32_t i = 0; i < entities.size(); ++i) {
    const auto& entity = entities[i];
    const bool is_masked = std::ranges::find(masked, entity.node) != masked.end();
    if (is_masked) {
      Forget(entity.node);
    } else if (entity.live && entity.side == side_ && rule.TakesNode(entity.role, entity.labels)) {
      entities_.emplace(i, entity.node);
    }
  }
}

void NodeSegments::Observe(UnixTime t, Readings& readings) {
  for (const auto& [entity, name] : entities_) {
    auto* socket = readings.Socket(EntityKind::kPeer, entity);
    if (socket == nullptr) {
      continue;
    }
    Rise rise{.second = WholeSecond(t)};
    auto& server = servers_[name];
    for (const auto side : kSides) {
      const auto all = RiseInSecond(All(*socket, side), t, max_between_);
      const auto missing = RiseInSecond(Missing(*socket, side), t, max_between_);
      if (all && missing) {
        server.known[side] = true;
        rise.all[side] = *all;
        rise.missing[side] = *missing;
      }
    }
    if (rise.all != std::array<double, 2>{}) {
      server.rises.push_back(rise);
    }
    while (!server.rises.empty() &&
           server.rises.front().second <= rise.second - static_cast<std::int64_t>(keep_)) {
      server.rises.pop_front();
    }
    for (auto* counter :
         {&socket->sent, &socket->retransmitted, &socket->received, &socket->out_of_order}) {
      counter->Prune(t - kDoubt);
    }
  }
}

std::optional<SegmentTotals> NodeSegments::Totals(const std::string& server, std::size_t side,
                                                  UnixTime end, std::size_t seconds) const {
  const auto found = servers_.find(server);
  if (found == servers_.end() || !found->second.known[side]) {
    return std::nullopt;
  }
  SegmentTotals totals{.whole_node = side_ == kWholeNode, .rdma = side_ == kRdmaPort};
  const auto last = WholeSecond(end);
  for (const auto& rise : found->second.rises) {
    if (rise.second > last - static_cast<std::int64_t>(seconds) && rise.second <= last) {
      totals.sent += rise.all[side];
      totals.retransmitted += rise.missing[side];
    }
  }
  return totals;
}

void NodeSegments::AddNames(std::vector<std::string>& names) const {
  for (const auto& [name, server] : servers_) {
    if (server.known[kReceiving] || server.known[kSending]) {
      names.push_back(name);
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

void NodeSegments::Forget(std::string_view server) {
  if (const auto found = servers_.find(server); found != servers_.end()) {
    servers_.erase(found);
  }
}

}  // namespace limpet
