#include "exporter/kernel/device_stack.h"

#include <algorithm>
#include <array>
#include <utility>

#include "exporter/common/text.h"

namespace limpet {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view kInfinibandType = "32";  // ARPHRD_INFINIBAND

bool IsName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}

Names List(FileReader& sys, const std::string& folder) {
  auto names = sys.List(folder);
  return names ? *std::move(names) : Names();
}

bool Has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string TrimmedValue(FileReader& sys, const std::string& path) {
  const auto text = sys.ReadOnce(path);
  return text ? std::string(Trim(*text)) : std::string();
}

// "vlan" of the line DEVTYPE=vlan.
std::string UeventValue(FileReader& sys, const std::string& folder, std::string_view key) {
  const auto text = sys.ReadOnce(folder + "/uevent");
  Lines lines(text ? *text : std::string_view());
  while (const auto line = lines.Next()) {
    if (line->starts_with(key)) {
      return std::string(Trim(line->substr(key.size())));
    }
  }
  return {};
}

Names LowersOf(FileReader& sys, const std::string& folder, const Names& files) {
  constexpr std::string_view kPrefix = "lower_";
  Names lowers;
  for (const auto& file : files) {
    if (file.starts_with(kPrefix)) {
      lowers.push_back(file.substr(kPrefix.size()));
    }
  }
  if (lowers.empty() && Has(files, "bonding")) {
    const auto text = TrimmedValue(sys, folder + "/bonding/slaves");
    Fields fields(text);
    for (auto field = fields.Next(); !field.empty(); field = fields.Next()) {
      lowers.emplace_back(field);
    }
  }
  return lowers;
}

// "mlx5_0/1"; empty when the driver does not say.
std::string PortBelow(FileReader& sys, const std::string& folder) {
  const auto devices = List(sys, folder + "/device/infiniband");
  const auto port = ParseU64(TrimmedValue(sys, folder + "/dev_port"));
  return devices.empty() ? std::string()
                         : devices.front() + "/" + std::to_string(port.value_or(0) + 1);
}

std::string InterfaceKind(FileReader& sys, const std::string& folder, const Names& files) {
  // Folders of the kernel's own, then what the driver calls itself.
  if (Has(files, "bonding")) {
    return "bond";
  }
  if (Has(files, "bridge")) {
    return "bridge";
  }
  if (Has(files, "tun_flags")) {
    return "tun";
  }
  auto type = UeventValue(sys, folder, "DEVTYPE=");
  if (type == "vlan" || type == "macvlan" || type == "bond" || type == "bridge" || type == "team") {
    return type;
  }
  if (type == "macvtap" || type == "ipvlan" || type == "ipvtap") {
    return "macvlan";
  }
  return Has(files, "device") ? "hardware" : "virtual";
}

struct NamedKind {
  std::string_view prefix;
  std::string_view kind;
};
constexpr std::array kDiskKinds = {
    NamedKind{"dm-", "dm"},       NamedKind{"md", "md"},        NamedKind{"bcache", "bcache"},
    NamedKind{"drbd", "drbd"},    NamedKind{"loop", "loop"},    NamedKind{"ram", "memory"},
    NamedKind{"zram", "memory"},  NamedKind{"rbd", "network"},  NamedKind{"nbd", "network"},
    NamedKind{"sr", "removable"}, NamedKind{"fd", "removable"},
};

std::string DiskKind(FileReader& sys, const std::string& folder, std::string_view device) {
  if (TrimmedValue(sys, folder + "/hidden") == "1") {
    return "path";
  }
  // A prefix is the driver's own, since these are made by it alone: sysfs has no better word.
  const auto named = std::ranges::find_if(
      kDiskKinds, [&](const NamedKind& one) { return device.starts_with(one.prefix); });
  if (named == kDiskKinds.end()) {
    return sys.Exists(folder + "/device") ? "hardware" : "virtual";
  }
  const bool is_multipath =
      named->kind == "dm" && TrimmedValue(sys, folder + "/dm/uuid").starts_with("mpath-");
  return is_multipath ? "multipath" : std::string(named->kind);
}

std::string BlockFolder(std::string_view device) {
  auto name = std::string(device);
  std::replace(name.begin(), name.end(), '/', '!');
  return "class/block/" + name;
}

// The disk of a partition; others as they are.
std::string WholeDisk(FileReader& sys, const std::string& device) {
  const auto folder = BlockFolder(device);
  // The link leads to the folder inside the disk's.
  auto disk = sys.Exists(folder + "/partition") ? UeventValue(sys, folder + "/..", "DEVNAME=")
                                                : std::string();
  return disk.empty() ? device : disk;
}

// "nvme0c1n1" is one of nvme0n1.
bool IsPathOf(std::string_view path, std::string_view head) {
  const auto n = head.rfind('n');
  if (n == 0 || n == std::string_view::npos || !path.starts_with(head.substr(0, n)) ||
      !path.ends_with(head.substr(n)) || path.size() <= head.size()) {
    return false;
  }
  const auto controller = path.substr(n, path.size() - head.size());
  return controller.starts_with('c') && ParseU64(controller.substr(1)).has_value();
}

Names PathsOf(FileReader& sys, std::string_view head) {
  auto paths = List(sys, "class/block");
  std::erase_if(paths, [&](const std::string& path) { return !IsPathOf(path, head); });
  return paths;
}

Names DisksBelow(FileReader& sys, const std::string& folder) {
  Names disks;
  for (auto& slave : List(sys, folder + "/slaves")) {
    std::replace(slave.begin(), slave.end(), '!', '/');
    // Two partitions of one disk are one disk.
    if (auto disk = WholeDisk(sys, slave); !Has(disks, disk)) {
      disks.push_back(std::move(disk));
    }
  }
  return disks;
}

DeviceStack Bounded(DeviceStack stack) {
  stack.lowers.resize(std::min(stack.lowers.size(), kMaxLowers));
  return stack;
}

}  // namespace

DeviceStack ReadInterfaceStack(FileReader& sys, std::string_view name) {
  if (!IsName(name)) {
    return {};
  }
  const auto folder = "class/net/" + std::string(name);
  const auto files = List(sys, folder);
  if (files.empty()) {
    return {};
  }
  DeviceStack stack{.kind = InterfaceKind(sys, folder, files),
                    .lowers = LowersOf(sys, folder, files)};
  if (stack.lowers.empty() && Has(files, "device") &&
      TrimmedValue(sys, folder + "/type") == kInfinibandType) {
    stack.kind = "ipoib";
    if (auto port = PortBelow(sys, folder); !port.empty()) {
      stack.lowers.push_back(std::move(port));
    }
  }
  return Bounded(std::move(stack));
}

DeviceStack ReadDiskStack(FileReader& sys, std::string_view device) {
  const auto folder = BlockFolder(device);
  if (device.empty() || device == "." || device == ".." || !sys.Exists(folder)) {
    return {};
  }
  if (auto disk = WholeDisk(sys, std::string(device)); disk != device) {
    return {.kind = "partition", .lowers = {std::move(disk)}};
  }
  DeviceStack stack{.kind = DiskKind(sys, folder, device), .lowers = DisksBelow(sys, folder)};
  if (device.starts_with("nvme") && stack.kind != "path") {
    if (auto paths = PathsOf(sys, device); !paths.empty()) {
      stack = {.kind = "multipath", .lowers = std::move(paths)};
    }
  }
  return Bounded(std::move(stack));
}

}  // namespace limpet
