#include "diagnoser/detect/wasserstein/like_devices.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "diagnoser/detect/comparison.h"

namespace limpet {

ServersOfDevices::ServersOfDevices(const GroupSamples& group, std::span<const std::size_t> who) {
  std::map<std::string_view, std::uint32_t> numbers;
  server_of_.reserve(who.size());
  for (const auto member : who) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    server_of_.push_back(numbers.emplace(group.members[member].node, next).first->second);
  }
  servers_ = numbers.size();
}

bool ServersOfDevices::HaveSeveral() const {
  return servers_ >= kMinPeers && server_of_.size() > servers_;
}

LikeDevices::LikeDevices(const ServersOfDevices& servers, std::span<const double> values)
    : servers_(&servers), values_(values.begin(), values.end()), by_server_(servers.size()) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    by_server_[servers.Of(i)].push_back(values[i]);
  }
  for (auto& devices : by_server_) {
    std::ranges::sort(devices);
  }
}

std::vector<double> LikeDevices::FindLike(std::size_t component, bool high) const {
  const auto own = servers_->Of(component);
  const auto& devices = by_server_[own];
  // Equal values are one place: the last of them, from where it is counted.
  const auto at = high ? std::ranges::lower_bound(devices, values_[component])
                       : std::ranges::upper_bound(devices, values_[component]) - 1;
  const auto place = static_cast<std::size_t>(high ? devices.end() - 1 - at : at - devices.begin());
  std::vector<double> like;
  like.reserve(by_server_.size() - 1);
  for (std::size_t server = 0; server < by_server_.size(); ++server) {
    if (server != own) {
      const auto& others = by_server_[server];
      const auto last = std::min(place, others.size() - 1);
      like.push_back(high ? others[others.size() - 1 - last] : others[last]);
    }
  }
  return like;
}

}  // namespace limpet
