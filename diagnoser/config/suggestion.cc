#include "diagnoser/config/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "diagnoser/config/metric_packs.h"
#include "diagnoser/detect/comparison.h"
#include "diagnoser/mapping/disk_kinds.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

// Servers by the names of their daemons: the role, and the example with its ports and advice.
struct Daemon {
  std::string_view process;
  std::string_view role;
  std::string_view example;
};
constexpr Daemon kDaemons[] = {{"ceph-osd", "osd", "ceph"},
                               {"ceph-mon", "mon", "ceph"},
                               {"ceph-mds", "mds", "ceph"},
                               {"glusterfsd", "brick", "glusterfs"},
                               {"beegfs-storage", "storage", "beegfs"},
                               {"beegfs-meta", "meta", "beegfs"},
                               {"mfschunkserver", "chunkserver", "moosefs"},
                               {"minio", "minio", "minio"},
                               {"nfsd", "nfs", "nfs"}};

const Daemon* FindDaemon(const SeenNode& node) {
  for (const auto& daemon : kDaemons) {
    if (node.processes.contains(std::string(daemon.process))) {
      return &daemon;
    }
  }
  return nullptr;
}

// What its list says; then the daemons say most, then who connects to whom. Somebody has to be
// compared: server.
std::string RoleOf(const SeenNode& node) {
  if (!node.target.role.empty()) {
    return node.target.role;
  }
  if (const auto* daemon = FindDaemon(node)) {
    return std::string(daemon->role);
  }
  return node.uses && !node.serves ? "client" : "server";
}

bool IsDigits(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

// "sda1" of "sda", "nvme0n1p2" of "nvme0n1".
bool IsPartOf(std::string_view part, std::string_view whole) {
  if (!part.starts_with(whole) || part.size() <= whole.size() || whole.empty()) {
    return false;
  }
  auto rest = part.substr(whole.size());
  const bool ends_in_digit = std::isdigit(static_cast<unsigned char>(whole.back())) != 0;
  if (ends_in_digit && !rest.starts_with('p')) {
    return false;
  }
  rest.remove_prefix(ends_in_digit ? 1 : 0);
  return IsDigits(rest);
}

// In quotes, so that no name is taken for something else by YAML.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : Printable(text)) {
    quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  }
  return quoted + "\"";
}

// A name as it is where YAML takes it for one.
std::string Named(std::string_view text) {
  const auto is_of_names = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  };
  const bool plain = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
                     std::ranges::all_of(text, is_of_names);
  return plain ? std::string(text) : Quoted(text);
}

std::string AddressOf(const Target& target) {
  const auto& host = target.endpoint.host;
  const auto shown = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return Quoted(fmt::format("{}:{}", shown, target.endpoint.port));
}

using ByRole = std::map<std::string, std::vector<const SeenNode*>>;

ByRole Roles(std::span<const SeenNode> nodes) {
  ByRole roles;
  for (const auto& node : nodes) {
    if (node.error.empty()) {
      roles[RoleOf(node)].push_back(&node);
    }
  }
  return roles;
}

std::string SeenText(const SeenNode& node) {
  std::string disks;
  for (const auto& disk : node.disks) {
    disks += fmt::format("{}{}{}{}", disks.empty() ? "" : ", ", Printable(disk.device),
                         disk.model.empty() ? "" : " (" + Printable(disk.model) + ")",
                         disk.rotational == "0"   ? " flash"
                         : disk.rotational == "1" ? " rotating"
                                                  : "");
  }
  return fmt::format("#   {}: {}; {}{}\n", Printable(node.target.node),
                     disks.empty() ? "no disks" : disks,
                     node.windows ? "congestion windows" : "no congestion windows",
                     node.serves ? ", serves"
                     : node.uses ? ", a client"
                                 : "");
}

// Whether its address and role say all there is to say of a target.
bool IsPlain(const Target& target) {
  return target.node == target.endpoint.host && target.labels.empty() && !target.endpoint.https &&
         target.endpoint.path == Endpoint().path;
}

// Returns an entry that names one target, with every key in which it differs from the default: the
// configuration then asks the very exporter that has answered.
std::string EntryText(const Target& target, const std::string& role) {
  auto text = fmt::format("{{address: {}, node: {}, role: {}", AddressOf(target),
                          Quoted(target.node), Named(role));
  if (target.endpoint.https) {
    text += ", scheme: https";
  }
  if (target.endpoint.path != Endpoint().path) {
    text += ", metrics_path: " + Quoted(target.endpoint.path);
  }
  std::string labels;
  for (const auto& [name, value] : target.labels) {
    labels += (labels.empty() ? "" : ", ") + Named(name) + ": " + Quoted(value);
  }
  return text + (labels.empty() ? "}" : ", labels: {" + labels + "}}");
}

std::string TargetsText(const ByRole& roles) {
  std::string text = "targets:\n";
  for (const auto& [role, nodes] : roles) {
    std::string addresses;
    std::string entries;
    for (const auto* node : nodes) {
      if (IsPlain(node->target)) {
        addresses += (addresses.empty() ? "" : ", ") + AddressOf(node->target);
      } else {
        entries += "  - " + EntryText(node->target, role) + "\n";
      }
    }
    if (!addresses.empty()) {
      text += fmt::format("  - {{addresses: [{}], role: {}}}\n", addresses, Named(role));
    }
    text += entries;
  }
  return text;
}

// No groups: those that make themselves know more of the disks than a page tells (mapping/
// disk_kinds.h), and a list that names some leaves out what comes later.
std::string GroupsText(const ByRole& roles) {
  std::string text =
      "\n# Without peer_groups, the servers of a role are peers, and of their disks those that "
      "are\n"
      "# alike: system or data, NVMe, flash or rotating, of a size.\n";
  for (const auto& [role, nodes] : roles) {
    if (role != "client" && nodes.size() < kMinPeers) {
      text += fmt::format("# {}: {} of them: at least {} are needed to tell who differs\n",
                          Printable(role), nodes.size(), kMinPeers);
    }
  }
  return text;
}

std::string ExamplesText(std::span<const SeenNode> nodes) {
  std::set<std::string_view> examples;
  for (const auto& node : nodes) {
    if (const auto* daemon = FindDaemon(node)) {
      examples.insert(daemon->example);
    }
  }
  std::string text;
  for (const auto example : examples) {
    text += fmt::format("# config/examples/{}.yml has more about it.\n", example);
  }
  return text;
}

std::string MetricFilesText(std::span<const SeenNode> nodes) {
  std::set<std::string> packs;
  for (const auto& node : nodes) {
    packs.insert(node.packs.begin(), node.packs.end());
  }
  std::string text;
  for (const auto& pack : packs) {
    text += fmt::format("  - {}{}.yml\n", kMetricPackFolder, pack);
  }
  return text.empty() ? ""
                      : "\n# What the storage says of its own requests.\nmetric_files:\n" + text;
}

}  // namespace

std::vector<SeenDisk> WholeDisks(std::vector<SeenDisk> disks) {
  std::vector<SeenDisk> whole;
  for (const auto& disk : disks) {
    const bool part = std::ranges::any_of(
        disks, [&](const SeenDisk& one) { return IsPartOf(disk.device, one.device); });
    if (!IsNoDisk(disk.device) && !part) {
      whole.push_back(disk);
    }
  }
  return whole;
}

std::string SuggestConfig(std::span<const SeenNode> nodes) {
  std::string text = "# Suggested by limpet-diagnoser suggest-config from what these nodes show:\n";
  for (const auto& node : nodes) {
    text += node.error.empty() ? SeenText(node)
                               : fmt::format("#   {}: left out: {}\n", Printable(node.target.node),
                                             Printable(node.error));
  }
  text += ExamplesText(nodes);
  text +=
      "# Peers must hold parts of the same files on the same kind of hardware: check the roles.\n"
      "# limpet-diagnoser check-config --config FILE --ask shows who is compared with whom.\n";
  const auto roles = Roles(nodes);
  return roles.empty() ? text
                       : text + TargetsText(roles) + GroupsText(roles) + MetricFilesText(nodes);
}

}  // namespace limpet
