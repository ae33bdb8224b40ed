// Facts of flow control: pause frames, of links and of their priorities (PFC).
#include <string>
#include <vector>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/collectors/facts/reading.h"
#include "exporter/collectors/facts/table.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

const std::string kNet = "class/net";

// Interfaces that may have a cable: a virtual one has nobody to stop.
std::vector<std::string> Cabled(FactPass& pass) {
  std::vector<std::string> names;
  for (auto& name : pass.List(kNet, kNet)) {
    if (pass.Sources().interfaces.Shows(Printable(name)) &&
        !pass.Sources().sys->Exists("devices/virtual/net/" + name)) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

void Add(FactPass& pass, const std::string& device, const std::string& priority,
         const PauseCounts& counts) {
  const auto add = [&](const char* direction, const std::optional<std::uint64_t>& frames) {
    if (frames) {
      pass.Add(catalog::kPauseFrames,
               MakeLabels({{"device", device}, {"direction", direction}, {"priority", priority}}),
               static_cast<double>(*frames));
    }
  };
  add("receive", counts.received);
  add("transmit", counts.sent);
}

void ReadFlowControl(FactPass& pass) {
  const auto& probe = pass.Sources().flow_control;
  const auto devices = probe ? Cabled(pass) : std::vector<std::string>();
  if (devices.empty() || !pass.Enter("netlink ethtool", "netlink ethtool")) {
    return;
  }
  const auto found = probe(devices);
  if (!found) {
    if (found.error().code == ErrorCode::kPermission) {
      pass.AddUnread("netlink ethtool", "permission");
    }
    return;
  }
  for (const auto& [device, control] : *found) {
    Add(pass, Printable(device), "", control.link);
    for (const auto& [priority, counts] : control.priorities) {
      Add(pass, Printable(device), std::to_string(priority), counts);
    }
  }
}

}  // namespace

const FactSubject kFlowControlFacts{.read = ReadFlowControl};

}  // namespace limpet
