// host_loads.h: how busy the processors of every node are, and its load average: what the live page
// shows of a host. Behaviour profiles read the same series into HostReadings.
//
// CPU:     the share of time that its processors were not idle between the two newest whole pages;
//          processors that come or go between them leave a hole.
// Bounds:  kMaxNodes; a node costs some 150 bytes, however many processors it has.
// Restart: nothing is saved.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/metrics/missing.h"
#include "exporter/common/time.h"

namespace limpet {

struct HostLoad {
  double cpu = kMissing;    // 0 to 1
  double load1 = kMissing;  // tasks that run or wait, mean of a minute
  UnixTime at;              // of the latest reading
};

class HostLoads {
 public:
  static constexpr std::size_t kMaxNodes = 200'000;

  // The number of the node; it stays. nullopt: there is no room.
  [[nodiscard]] std::optional<std::uint32_t> Number(std::string_view node);
  // Seconds that one of its processors has been idle since boot. Readings of one page have one
  // instant, and pages come in order.
  void AddIdle(std::uint32_t node, UnixTime at, double seconds);
  void AddLoad(std::uint32_t node, UnixTime at, double load1);
  void Forget(std::string_view node);

  // By node: those that have told either.
  [[nodiscard]] std::map<std::string, HostLoad> Latest() const;

 private:
  // The processors of one page.
  struct Page {
    UnixTime at;
    double idle = 0;  // seconds, summed
    std::uint32_t processors = 0;
  };
  struct Node {
    HostLoad load;
    Page reading;  // not whole yet
    Page whole;
  };
  static void Finish(Node& node);

  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<Node> nodes_;
};

}  // namespace limpet
