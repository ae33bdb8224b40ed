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
  bool high = false;  // one of them stands out
  bool low = false;
};

}  // namespace

DeviceKinds::DeviceKinds(const WindowEvent& window,
                         const std::function<const std::string&(std::size_t)>& node_of) {
  std::map<std::string_view, Server> servers;
  for (std::size_t place = 0; place < window.components.size(); ++place) {
    const auto& component = window.components[place];
    auto& server = servers[node_of(place)];
    ++server.devices;
    // Not only those that are flagged already: of devices of one kind some are flagged a window
    // before the others, and would be named for that long.
    if (component.flagged || component.window_anomalous) {
      server.high = server.high || component.direction == Direction::kHigh;
      server.low = server.low || component.direction == Direction::kLow;
    }
  }
  const auto most_are = [&](auto&& what) {
    const auto count =
        std::ranges::count_if(servers, [&](const auto& server) { return what(server.second); });
    return 2 * static_cast<std::size_t>(count) > servers.size();
  };
  if (servers.size() < kMinServers ||
      !most_are([](const Server& server) { return server.devices > 1; })) {
    return;
  }
  high_ = most_are([](const Server& server) { return server.high; });
  low_ = most_are([](const Server& server) { return server.low; });
}

}  // namespace limpet
