// device_kinds.h: finds a group of two kinds of devices, so that it can be told and split.
//
// At least three servers are in the window, and three quarters of them have several devices, of
// which one stands out on the same side and another does not. What stands out as a kind indicts
// nothing already by its detector (detect/wasserstein/like_devices.h, docs/decisions/0184).
// Threads: pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diagnoser/verdict/events.h"

namespace limpet {

// The devices of one metric of a window, by what sets them apart.
struct TwoSides {
  std::string metric;
  std::vector<std::string> odd;  // stand out as a kind; empty: nobody does
  std::vector<std::string> rest;
};

class DeviceKinds {
 public:
  DeviceKinds() = default;  // none
  // `node_of` gives the server of a component of the window, by place.
  DeviceKinds(const WindowEvent& window,
              const std::function<const std::string&(std::size_t)>& node_of);

  // Returns whether standing out on this side is a kind of device here.
  [[nodiscard]] bool Explains(Direction direction) const {
    return (direction == Direction::kHigh && high_) || (direction == Direction::kLow && low_);
  }
  [[nodiscard]] bool Any() const { return high_ || low_; }
  [[nodiscard]] TwoSides Sides(const WindowEvent& window) const;

 private:
  bool high_ = false;
  bool low_ = false;
};

}  // namespace limpet
