#include "diagnoser/publish/foreign_pages.h"

#include <fmt/format.h>

namespace limpet {

std::string Text(const ReplacedNode& replaced) {
  const auto what = [&] {
    switch (replaced.change) {
      case IdentityChange::kStartTime:
        return "an exporter that was running before";
      case IdentityChange::kBootTime:
        return "another boot of the machine";
      case IdentityChange::kHostname:
        return "another host name";
      case IdentityChange::kDisk:
        return "other disks (world-wide name, serial number or model)";
    }
    return "";
  }();
  return fmt::format(
      "{}: its page tells of {}: no counter goes on from the page before; if this repeats, several "
      "exporters answer at this address",
      replaced.node, what);
}

std::string Text(const ImpossibleIncrease& impossible) {
  return fmt::format(
      "{}: {}{}{} rose by {:g} in {:.3f} s, and no machine makes more than {:g}: left out, as a "
      "gap",
      impossible.node, impossible.device, impossible.device.empty() ? "" : " ", impossible.counter,
      impossible.increase, ToSeconds(impossible.over), impossible.most);
}

}  // namespace limpet
