// like_devices.h: of servers with several devices each, the device of every other server that takes
// the same place among its server's as a device does among its own's.
//
// Half of a group of busy and light disks differs from the other half. The busiest disk of a server
// is an outlier where it also differs from the other servers' busiest ones
// (docs/decisions/0184).
// Threads: values; reading takes no lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "diagnoser/detect/group_window.h"

namespace limpet {

// Which device of one server belongs to which, for all members of one window.
class ServersOfDevices {
 public:
  // Of the members that take part in the window; refers to neither afterwards.
  ServersOfDevices(const GroupSamples& group, std::span<const std::size_t> who);

  // Returns whether at least three servers take part and some of them with several devices.
  [[nodiscard]] bool HaveSeveral() const;
  [[nodiscard]] std::size_t size() const { return servers_; }
  [[nodiscard]] std::size_t Of(std::size_t component) const { return server_of_[component]; }

 private:
  std::vector<std::uint32_t> server_of_;  // by component
  std::size_t servers_ = 0;
};

// One value of each device, by server.
class LikeDevices {
 public:
  // `values`: one a component of the servers. Refers to the servers only. n log n.
  LikeDevices(const ServersOfDevices& servers, std::span<const double> values);

  // Returns a value of each other server, unsorted: of the device in the same place, counted from
  // the largest value of each server or, if not `high`, from the smallest. A server with fewer
  // devices is there with its last one. Linear in the servers.
  [[nodiscard]] std::vector<double> FindLike(std::size_t component, bool high) const;

 private:
  const ServersOfDevices* servers_;
  std::vector<double> values_;
  std::vector<std::vector<double>> by_server_;  // sorted, smallest first
};

}  // namespace limpet
