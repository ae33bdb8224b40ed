#include "diagnoser/verdict/device_kinds.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace limpet {
namespace {

constexpr std::size_t kMinServers = 3;

struct Server {
  std::size_t devices = 0;
  std::size_t high = 0;  // of them, that stand out
  std::size_t low = 0;
};

bool StandsOut(const ComponentWindow& component) {
  return component.flagged || component.window_anomalous || component.of_kind;
}

// A server that is slow with all of its devices is no kind of device.
bool HasBoth(const Server& server, std::size_t standing_out) {
  return standing_out > 0 && standing_out < server.devices;
}

}  // namespace

TwoSides DeviceKinds::Sides(const WindowEvent& window) const {
  TwoSides sides{.metric = window.metric, .odd = {}, .rest = {}};
  for (const auto& component : window.components) {
    const bool odd = StandsOut(component) && Explains(component.direction);
    (odd ? sides.odd : sides.rest).push_back(component.component);
  }
  return sides;
}

DeviceKinds::DeviceKinds(const WindowEvent& window,
                         const std::function<const std::string&(std::size_t)>& node_of) {
  std::map<std::string_view, Server> servers;
  for (std::size_t place = 0; place < window.components.size(); ++place) {
    const auto& component = window.components[place];
    auto& server = servers[node_of(place)];
    ++server.devices;
    if (StandsOut(component)) {
      server.high += component.direction == Direction::kHigh ? 1 : 0;
      server.low += component.direction == Direction::kLow ? 1 : 0;
    }
  }
  const auto most_are = [&](auto&& what) {
    const auto count =
        std::ranges::count_if(servers, [&](const auto& server) { return what(server.second); });
    return 4 * static_cast<std::size_t>(count) >= 3 * servers.size();
  };
  if (servers.size() < kMinServers) {
    return;
  }
  high_ = most_are([](const Server& server) { return HasBoth(server, server.high); });
  low_ = most_are([](const Server& server) { return HasBoth(server, server.low); });
}

}  // namespace limpet
