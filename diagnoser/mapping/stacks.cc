#include "diagnoser/mapping/stacks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

namespace limpet {
namespace {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); }

template <class Accepts>
bool All(std::string_view text, Accepts accepts) {
  return !text.empty() && std::all_of(text.begin(), text.end(), accepts);
}

// How a name goes on after its prefix.
enum class Rest : std::uint8_t {
  kAny,
  kNumber,    // digits alone
  kNoLetter,  // nothing, or something that begins with no letter: br0, br-lan, not brain
  kHex,       // of a hash
  kLetters,   // letters alone: sda, sdaa; partitions are such a name and a number
};

struct NameRow {
  std::string_view prefix;
  Rest rest;
  Layer layer;
};

bool Fits(const NameRow& row, std::string_view name) {
  if (!name.starts_with(row.prefix)) {
    return false;
  }
  const auto rest = name.substr(row.prefix.size());
  switch (row.rest) {
    case Rest::kAny:
      return true;
    case Rest::kNumber:
      return All(rest, IsDigit);
    case Rest::kNoLetter:
      return rest.empty() ||
             !((rest[0] >= 'a' && rest[0] <= 'z') || (rest[0] >= 'A' && rest[0] <= 'Z'));
    case Rest::kHex:
      return rest.size() >= 8 && All(rest, IsHex);
    case Rest::kLetters:
      return All(rest, [](char c) { return c >= 'a' && c <= 'z'; });
  }
  return false;
}

// The first that fits. Virtual ones first: "eni" with a hash is a pod's, "enp3s0" a card's.
constexpr std::array kInterfaceNames = {
    NameRow{"bond", Rest::kAny, Layer::kAggregate},
    NameRow{"team", Rest::kAny, Layer::kAggregate},
    NameRow{"vlan", Rest::kNoLetter, Layer::kOver},
    NameRow{"macv", Rest::kAny, Layer::kOver},
    NameRow{"ipvlan", Rest::kAny, Layer::kOver},
    NameRow{"ipvtap", Rest::kAny, Layer::kOver},
    NameRow{"br", Rest::kNoLetter, Layer::kBridge},
    NameRow{"bridge", Rest::kNoLetter, Layer::kBridge},
    NameRow{"vmbr", Rest::kNoLetter, Layer::kBridge},
    NameRow{"ovs", Rest::kAny, Layer::kBridge},
    NameRow{"brq", Rest::kAny, Layer::kVirtual},
    NameRow{"virbr", Rest::kAny, Layer::kVirtual},
    NameRow{"docker", Rest::kAny, Layer::kVirtual},
    NameRow{"podman", Rest::kAny, Layer::kVirtual},
    NameRow{"nerdctl", Rest::kAny, Layer::kVirtual},
    NameRow{"cni", Rest::kAny, Layer::kVirtual},
    NameRow{"flannel", Rest::kAny, Layer::kVirtual},
    NameRow{"cali", Rest::kAny, Layer::kVirtual},
    NameRow{"cilium", Rest::kAny, Layer::kVirtual},
    NameRow{"weave", Rest::kAny, Layer::kVirtual},
    NameRow{"kube-", Rest::kAny, Layer::kVirtual},
    NameRow{"nodelocaldns", Rest::kAny, Layer::kVirtual},
    NameRow{"ovn-", Rest::kAny, Layer::kVirtual},
    NameRow{"antrea", Rest::kAny, Layer::kVirtual},
    NameRow{"veth", Rest::kAny, Layer::kVirtual},
    NameRow{"eni", Rest::kHex, Layer::kVirtual},
    NameRow{"azv", Rest::kHex, Layer::kVirtual},
    NameRow{"gke", Rest::kHex, Layer::kVirtual},
    NameRow{"lxc", Rest::kAny, Layer::kVirtual},
    NameRow{"lxdbr", Rest::kAny, Layer::kVirtual},
    NameRow{"vnet", Rest::kNumber, Layer::kVirtual},
    NameRow{"vmnet", Rest::kNumber, Layer::kVirtual},
    NameRow{"vboxnet", Rest::kNumber, Layer::kVirtual},
    NameRow{"tap", Rest::kAny, Layer::kVirtual},
    NameRow{"tun", Rest::kAny, Layer::kVirtual},
    NameRow{"qbr", Rest::kAny, Layer::kVirtual},
    NameRow{"qv", Rest::kAny, Layer::kVirtual},
    NameRow{"fwbr", Rest::kAny, Layer::kVirtual},
    NameRow{"fwpr", Rest::kAny, Layer::kVirtual},
    NameRow{"fwln", Rest::kAny, Layer::kVirtual},
    NameRow{"wg", Rest::kNoLetter, Layer::kVirtual},
    NameRow{"zt", Rest::kAny, Layer::kVirtual},
    NameRow{"tailscale", Rest::kAny, Layer::kVirtual},
    NameRow{"vxlan", Rest::kAny, Layer::kVirtual},
    NameRow{"genev", Rest::kAny, Layer::kVirtual},
    NameRow{"gre", Rest::kAny, Layer::kVirtual},
    NameRow{"erspan", Rest::kAny, Layer::kVirtual},
    NameRow{"sit", Rest::kNumber, Layer::kVirtual},
    NameRow{"ip6", Rest::kAny, Layer::kVirtual},
    NameRow{"ip_vti", Rest::kAny, Layer::kVirtual},
    NameRow{"ipip", Rest::kAny, Layer::kVirtual},
    NameRow{"ppp", Rest::kNumber, Layer::kVirtual},
    NameRow{"dummy", Rest::kAny, Layer::kVirtual},
    NameRow{"ifb", Rest::kNumber, Layer::kVirtual},
    NameRow{"nlmon", Rest::kAny, Layer::kVirtual},
    NameRow{"lo", Rest::kNoLetter, Layer::kVirtual},
    // As the kernel and systemd name them.
    NameRow{"eth", Rest::kNumber, Layer::kHardware},
    NameRow{"en", Rest::kAny, Layer::kHardware},
    NameRow{"em", Rest::kNumber, Layer::kHardware},
    NameRow{"p1p", Rest::kAny, Layer::kHardware},
    NameRow{"p2p", Rest::kAny, Layer::kHardware},
    NameRow{"p3p", Rest::kAny, Layer::kHardware},
    NameRow{"p4p", Rest::kAny, Layer::kHardware},
    NameRow{"ib", Rest::kAny, Layer::kHardware},
    NameRow{"hsn", Rest::kNumber, Layer::kHardware},
    NameRow{"wl", Rest::kAny, Layer::kHardware},
};

constexpr std::array kDiskNames = {
    NameRow{"sd", Rest::kLetters, Layer::kHardware},
    NameRow{"vd", Rest::kLetters, Layer::kHardware},
    NameRow{"xvd", Rest::kLetters, Layer::kHardware},
    NameRow{"hd", Rest::kLetters, Layer::kHardware},
    NameRow{"nvme", Rest::kAny, Layer::kHardware},
    NameRow{"mmcblk", Rest::kAny, Layer::kHardware},
    NameRow{"pmem", Rest::kAny, Layer::kHardware},
    NameRow{"dasd", Rest::kAny, Layer::kHardware},
    NameRow{"cciss", Rest::kAny, Layer::kHardware},
    NameRow{"md", Rest::kAny, Layer::kAggregate},
    NameRow{"bcache", Rest::kAny, Layer::kAggregate},
    NameRow{"dm-", Rest::kNumber, Layer::kOver},
    NameRow{"drbd", Rest::kAny, Layer::kOver},
    NameRow{"zd", Rest::kNumber, Layer::kBridge},
    NameRow{"loop", Rest::kAny, Layer::kVirtual},
    NameRow{"ram", Rest::kNumber, Layer::kElsewhere},
    NameRow{"zram", Rest::kNumber, Layer::kElsewhere},
    NameRow{"rbd", Rest::kAny, Layer::kElsewhere},
    NameRow{"nbd", Rest::kAny, Layer::kElsewhere},
    NameRow{"sr", Rest::kNumber, Layer::kElsewhere},
    NameRow{"fd", Rest::kNumber, Layer::kElsewhere},
};

const NameRow* FindRow(EntityKind kind, std::string_view name) {
  const auto names = kind == EntityKind::kInterface ? std::span<const NameRow>(kInterfaceNames)
                                                    : std::span<const NameRow>(kDiskNames);
  const auto row = std::ranges::find_if(names, [&](const NameRow& one) { return Fits(one, name); });
  return row == names.end() ? nullptr : &*row;
}

constexpr std::string_view kHardwareKind = "hardware";

// What exporters call the kinds of both. limpet-exporter tells what is below as well: where nothing
// is, as in a container, a VLAN is no nearer to hardware than another interface.
struct KindName {
  std::string_view kind;
  Layer layer;
};
constexpr std::array kKindNames = {
    KindName{kHardwareKind, Layer::kHardware},
    KindName{"path", Layer::kHardware},
    KindName{"partition", Layer::kHardware},
    KindName{"ipoib", Layer::kHardware},
    KindName{"bond", Layer::kAggregate},
    KindName{"md", Layer::kAggregate},
    KindName{"multipath", Layer::kAggregate},
    KindName{"bcache", Layer::kAggregate},
    KindName{"dm", Layer::kOver},
    KindName{"drbd", Layer::kOver},
    KindName{"team", Layer::kVirtual},
    KindName{"vlan", Layer::kVirtual},
    KindName{"macvlan", Layer::kVirtual},
    KindName{"bridge", Layer::kVirtual},
    KindName{"tun", Layer::kVirtual},
    KindName{"loop", Layer::kVirtual},
    KindName{"virtual", Layer::kVirtual},
    KindName{"memory", Layer::kElsewhere},
    KindName{"network", Layer::kElsewhere},
    KindName{"removable", Layer::kElsewhere},
};

// "eth0" of "eth0.100"; IPoIB's children have hexadecimal numbers.
std::optional<std::string_view> ParentOfVlan(std::string_view name) {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || !All(name.substr(dot + 1), IsHex)) {
    return std::nullopt;
  }
  return name.substr(0, dot);
}

// "sda" of "sda1", "nvme0n1" of "nvme0n1p2", "md0" of "md0p1". Whole disks whose names end in a
// digit have their partitions after a p.
std::optional<std::string_view> DiskOfPartition(std::string_view name) {
  const auto end = name.find_last_not_of("0123456789");
  if (end == std::string_view::npos || end + 1 == name.size()) {
    return std::nullopt;
  }
  const auto stem = name.substr(0, end + 1);
  if (stem.ends_with('p') && stem.size() > 1 && IsDigit(stem[stem.size() - 2])) {
    return stem.substr(0, stem.size() - 1);
  }
  const auto* const row = FindRow(EntityKind::kDisk, stem);
  return row != nullptr && row->rest == Rest::kLetters ? std::optional(stem) : std::nullopt;
}

// "nvme0n1" of its path "nvme0c1n1".
std::optional<std::string> HeadOfPath(std::string_view name) {
  constexpr std::string_view kPrefix = "nvme";
  if (!name.starts_with(kPrefix)) {
    return std::nullopt;
  }
  const auto c = name.find('c', kPrefix.size());
  const auto n = name.find('n', kPrefix.size());
  if (c == std::string_view::npos || n == std::string_view::npos || n < c ||
      !All(name.substr(kPrefix.size(), c - kPrefix.size()), IsDigit) ||
      !All(name.substr(c + 1, n - c - 1), IsDigit) || !All(name.substr(n + 1), IsDigit)) {
    return std::nullopt;
  }
  return std::string(name.substr(0, c)).append(name.substr(n));
}

bool IsPort(std::string_view interface) { return interface.find('/') != std::string_view::npos; }

// What names alone tell of one server's devices.
class Names {
 public:
  Names(EntityKind kind, std::span<const StackedDevice> devices) : kind_(kind) {
    for (const auto& device : devices) {
      seen_.insert(device.name);
      if (kind == EntityKind::kInterface) {
        has_ports_ = has_ports_ || IsPort(device.name);
      } else if (auto head = HeadOfPath(device.name)) {
        heads_.insert(*std::move(head));
      }
    }
  }

  [[nodiscard]] bool Has(std::string_view name) const { return seen_.contains(name); }
  // Whether something that is seen lies below it.
  [[nodiscard]] bool Stands(std::string_view name) const {
    if (kind_ == EntityKind::kInterface) {
      const auto parent = ParentOfVlan(name);
      // IPoIB's bytes are its port's.
      return (parent && Has(*parent)) || (has_ports_ && name.starts_with("ib") && !IsPort(name));
    }
    const auto disk = DiskOfPartition(name);
    return (disk && Has(*disk)) || heads_.contains(std::string(name));
  }

 private:
  EntityKind kind_;
  std::unordered_set<std::string_view> seen_;
  std::unordered_set<std::string> heads_;  // of paths that are seen
  bool has_ports_ = false;
};

bool StandsOnSeen(const StackedDevice& device, const Names& names) {
  if (!device.lowers.empty()) {
    return std::ranges::any_of(device.lowers, [&](const std::string& lower) {
      return lower != device.name && names.Has(lower);
    });
  }
  return device.kind != kHardwareKind && names.Stands(device.name);
}

// Of what is told or named, when nothing that is seen lies below it. A name that tells nothing
// counts as hardware.
Layer LayerAbove(EntityKind kind, const StackedDevice& device) {
  const auto told = std::ranges::find(kKindNames, device.kind, &KindName::kind);
  if (told == kKindNames.end()) {
    return std::max(LayerByName(kind, device.name), Layer::kHardware);
  }
  auto layer = told->layer;
  // Its parts are there, only not among those that are looked at: it stands for them.
  for (const auto& lower : device.lowers) {
    layer = std::min(layer, std::max(LayerByName(kind, lower), Layer::kHardware));
  }
  return layer;
}

}  // namespace

Layer LayerByName(EntityKind kind, std::string_view device) {
  const bool is_interface = kind == EntityKind::kInterface;
  if (is_interface && IsPort(device)) {
    return Layer::kHardware;
  }
  if (is_interface && ParentOfVlan(device)) {
    return Layer::kOver;
  }
  if (const auto* const row = FindRow(kind, device)) {
    return row->layer;
  }
  const auto disk = is_interface ? std::nullopt : DiskOfPartition(device);
  const auto* const whole = disk ? FindRow(kind, *disk) : nullptr;
  return whole == nullptr ? Layer::kUnknown : whole->layer;
}

std::vector<bool> FindBottoms(EntityKind kind, std::span<const StackedDevice> devices) {
  const Names names(kind, devices);
  std::vector<std::optional<Layer>> layers(devices.size());
  std::optional<Layer> lowest;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!StandsOnSeen(devices[i], names)) {
      layers[i] = LayerAbove(kind, devices[i]);
      lowest = std::min(lowest.value_or(*layers[i]), *layers[i]);
    }
  }
  // Each stands on another: nobody's bytes are to be lost by what makes no sense.
  if (!lowest) {
    return std::vector<bool>(devices.size(), true);
  }
  std::vector<bool> bottoms(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    bottoms[i] = layers[i] == lowest && (lowest != Layer::kElsewhere || devices[i].asked_for);
  }
  return bottoms;
}

}  // namespace limpet
