#include "diagnoser/mapping/disk_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "diagnoser/mapping/disk_sorter.h"
#include "diagnoser/mapping/disk_uses.h"

namespace limpet {
namespace {

constexpr std::size_t kNamed = 3;  // names of devices in one text

using Disks = std::vector<std::uint32_t>;

// What a name says that a device stands on; most say nothing.
constexpr std::array<std::string_view, 5> kLayers = {"nvme", "md", "dm-", "bcache", "mmcblk"};

// "md0" of "md", but not "mdadm".
bool IsNumbered(std::string_view device, std::string_view prefix) {
  return device.starts_with(prefix) && device.size() > prefix.size() &&
         device[prefix.size()] >= '0' && device[prefix.size()] <= '9';
}

std::string LayerName(const Entity& disk) {
  if (DiskLabel(disk, "path").find("usb-") != std::string::npos) {
    return "USB";
  }
  for (const auto layer : kLayers) {
    if (IsNumbered(disk.device, layer)) {
      return layer == "dm-" ? "dm" : layer == "nvme" ? "NVMe" : std::string(layer);
    }
  }
  return "";
}

// "ST8000NM0055-1RM112" and "ST8000NM0055-1RM113" are alike.
std::string Family(const Entity& disk) {
  const auto cut = disk.model.find_first_of("-_", 4);
  return disk.model.substr(0, cut);
}

using Step = std::function<std::vector<DiskKind>(const DiskKind&)>;

// Each kind becomes what the step makes of it, in the same order.
std::vector<DiskKind> Refine(const std::vector<DiskKind>& kinds, const Step& step) {
  std::vector<DiskKind> finer;
  for (const auto& kind : kinds) {
    for (auto& one : step(kind)) {
      finer.push_back(std::move(one));
    }
  }
  return finer;
}

// By number: whether the system lives on it, or on volumes over it and nothing else does.
std::vector<bool> FindSystemDisks(std::span<const Entity> entities) {
  std::map<std::string_view, Disks> nodes;
  for (std::uint32_t i = 0; i < entities.size(); ++i) {
    if (entities[i].live) {
      nodes[entities[i].node].push_back(i);
    }
  }
  std::vector<bool> system(entities.size());
  for (const auto& [node, disks] : nodes) {
    const auto uses = FindDiskUses(entities, disks);
    for (std::size_t i = 0; i < disks.size(); ++i) {
      const auto& disk = entities[disks[i]];
      system[disks[i]] = IsSystemMount(DiskLabel(disk, "mountpoint")) ||
                         IsSystemMount(DiskLabel(disk, kMountedLabel)) ||
                         (uses[i].system && !uses[i].data);
    }
  }
  return system;
}

// What a disk holds, and on what it stands: the first part of a key.
std::vector<DiskKind> FindUses(std::span<const Entity> entities, std::uint32_t group) {
  std::map<std::string, DiskKind> uses;
  const auto system = FindSystemDisks(entities);
  for (std::uint32_t i = 0; i < entities.size(); ++i) {
    const auto& disk = entities[i];
    if (!disk.live || std::ranges::find(disk.groups, group) == disk.groups.end()) {
      continue;
    }
    const std::string what = system[i] ? "system" : "data";
    auto key = what;
    if (const auto layer = LayerName(disk); !layer.empty()) {
      key.append(", ").append(layer);
    }
    auto& kind = uses[key];
    kind.key = key;
    kind.what = what;
    kind.disks.push_back(i);
  }
  std::vector<DiskKind> kinds;
  kinds.reserve(uses.size());
  for (auto& [key, kind] : uses) {
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

// The busy part of a kind, and the quiet one; who is in neither waits.
std::vector<DiskKind> SplitByLoad(const Directory& directory, const DiskKind& kind,
                                  Disks& waiting) {
  const auto entities = directory.Entities(EntityKind::kDisk);
  DiskKind busy = {.key = kind.key, .what = kind.what, .suffix = {}, .disks = {}};
  DiskKind quiet = {.key = kind.key + ", quiet", .what = "quiet", .suffix = {}, .disks = {}};
  const bool known = std::ranges::any_of(kind.disks, [&](std::uint32_t disk) {
    return DiskLabel(entities[disk], kLoadLabel) == kQuietLoad;
  });
  if (!known) {
    return {kind};
  }
  const auto names = FindQuietNames(directory, kind.disks);
  for (const auto disk : kind.disks) {
    const auto load = DiskLabel(entities[disk], kLoadLabel);
    if (load == kBusyLoad) {
      busy.disks.push_back(disk);
    } else if (load == kQuietLoad && names.contains(KindLabel(entities[disk], "device"))) {
      quiet.disks.push_back(disk);
    } else {
      waiting.push_back(disk);
    }
  }
  std::vector<DiskKind> kinds;
  for (auto* part : {&busy, &quiet}) {
    if (!part->disks.empty()) {
      kinds.push_back(std::move(*part));
    }
  }
  return kinds;
}

// What its group may be called after the name, the best first: those of kKindSuffixes that say what
// it is, and then the numbers.
std::vector<std::string> Suffixes(const DiskKind& kind) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kParts = {{
      {", md", "md"},
      {", dm", "dm"},
      {"system", "system"},
      {"quiet", "quiet"},
      {"NVMe", "nvme"},
      {"flash", "flash"},
      {"rotating", "rotating"},
  }};
  std::vector<std::string> wishes = {""};
  for (const auto& [part, suffix] : kParts) {
    if (kind.key.find(part) != std::string::npos) {
      wishes.emplace_back(suffix);
    }
  }
  wishes.insert(wishes.end(), {"2", "3", "4", "5"});
  return wishes;
}

// The group's own name is for the data of most servers. Kinds for which no name is left stay
// without one and are compared with nobody.
void NameKinds(const DiskSorter& sorter, const KindNames& names, DiskKinds& found) {
  auto& kinds = found.kinds;
  std::ranges::stable_sort(kinds, [&](const DiskKind& a, const DiskKind& b) {
    const auto rank = [&](const DiskKind& kind) {
      return std::tuple(kind.what == "data", sorter.Servers(kind.disks), kind.disks.size());
    };
    return rank(a) != rank(b) ? rank(a) > rank(b) : a.key < b.key;
  });
  std::set<std::string> taken;
  std::vector<DiskKind*> unnamed;
  for (auto& kind : kinds) {
    const auto before = names.find(kind.key);
    if (before != names.end() && taken.insert(before->second).second) {
      kind.suffix = before->second;
    } else {
      unnamed.push_back(&kind);
    }
  }
  std::set<std::string> lost;  // keys
  for (auto* kind : unnamed) {
    const auto wishes = Suffixes(*kind);
    const auto wish =
        std::ranges::find_if(wishes, [&](const auto& one) { return taken.insert(one).second; });
    if (wish == wishes.end()) {
      lost.insert(kind->key);
      found.alone.insert(found.alone.end(), kind->disks.begin(), kind->disks.end());
    } else {
      kind->suffix = *wish;
    }
  }
  std::erase_if(kinds, [&](const DiskKind& kind) { return lost.contains(kind.key); });
  std::ranges::stable_sort(kinds, {}, [](const DiskKind& kind) { return !kind.suffix.empty(); });
}

// "sda", "sdb to sdm", "sda, sdc, nvme0n1, … (8)".
std::string NameDevices(std::span<const Entity> entities, const Disks& disks) {
  std::set<std::pair<std::size_t, std::string>> names;  // shorter ones first: sdz before sdaa
  for (const auto disk : disks) {
    names.emplace(entities[disk].device.size(), entities[disk].device);
  }
  std::string text;
  std::size_t count = 0;
  for (const auto& [size, name] : names) {
    if (++count > kNamed) {
      return fmt::format("{}, … ({} names)", text, names.size());
    }
    text += text.empty() ? name : ", " + name;
  }
  return text;
}

}  // namespace

bool IsNoDisk(std::string_view device) {
  constexpr std::array<std::string_view, 9> kNoDisks = {"zram", "ram", "loop", "sr", "fd",
                                                        "nbd",  "rbd", "drbd", "zd"};
  return std::ranges::any_of(kNoDisks,
                             [&](std::string_view prefix) { return IsNumbered(device, prefix); });
}

bool IsSystemMount(std::string_view mountpoint) {
  constexpr std::array<std::string_view, 10> kMounts = {
      "/", "/usr", "/var", "/var/log", "/var/tmp", "/home", "/tmp", "/opt", "/root", "[SWAP]"};
  return mountpoint == "/boot" || mountpoint.starts_with("/boot/") ||
         std::ranges::find(kMounts, mountpoint) != kMounts.end();
}

std::string KindLabel(const Entity& disk, const std::string& label) {
  if (label == "device") {
    const auto home = DiskLabel(disk, kHomeLabel);
    return home.empty() ? disk.device : home;
  }
  return DiskLabel(disk, label);
}

std::set<std::string> FindQuietNames(const Directory& directory,
                                     std::span<const std::uint32_t> disks) {
  const auto entities = directory.Entities(EntityKind::kDisk);
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // quiet, all
  for (const auto disk : disks) {
    auto& [quiet, all] = counts[KindLabel(entities[disk], "device")];
    quiet += DiskLabel(entities[disk], kLoadLabel) == kQuietLoad ? 1U : 0U;
    ++all;
  }
  std::set<std::string> names;
  for (const auto& [name, count] : counts) {
    if (count.first >= kMinDiskServers && 4 * count.first >= 3 * count.second) {
      names.insert(name);
    }
  }
  return names;
}

std::vector<DiskKind> FindFactKinds(const Directory& directory, std::uint32_t group,
                                    std::span<const KindSplit> splits) {
  const auto entities = directory.Entities(EntityKind::kDisk);
  const DiskSorter sorter(entities);
  auto kinds = Refine(FindUses(entities, group), [&](const DiskKind& kind) {
    return sorter.By(kind, [](const Entity& disk) -> std::string {
      const auto rotates = DiskLabel(disk, kRotationalLabel);
      return rotates == "1" ? "rotating" : rotates == "0" ? "flash" : "";
    });
  });
  kinds = Refine(kinds, [&](const DiskKind& kind) {
    // System disks are as large as they came.
    return kind.what == "system" ? std::vector<DiskKind>{kind} : sorter.BySize(kind);
  });
  kinds = Refine(kinds, [&](const DiskKind& kind) {
    return kind.what == "system" ? std::vector<DiskKind>{kind} : sorter.By(kind, Family, true);
  });
  for (const auto& split : splits) {
    kinds = Refine(kinds, [&](const DiskKind& kind) {
      return kind.key != split.within
                 ? std::vector<DiskKind>{kind}
                 : sorter.By(kind, [&](const Entity& disk) {
                     return fmt::format(
                         "{} of {}",
                         split.odd.contains(KindLabel(disk, split.label)) ? "those" : "others",
                         split.label);
                   });
    });
  }
  return kinds;
}

DiskKinds FindDiskKinds(const Directory& directory, std::uint32_t group,
                        std::span<const KindSplit> splits, const KindNames& names) {
  const auto entities = directory.Entities(EntityKind::kDisk);
  const DiskSorter sorter(entities);
  DiskKinds found;
  for (const auto& facts : FindFactKinds(directory, group, splits)) {
    for (auto& kind : SplitByLoad(directory, facts, found.waiting)) {
      if (sorter.Servers(kind.disks) >= kMinDiskServers) {
        found.kinds.push_back(std::move(kind));
      } else {
        found.alone.insert(found.alone.end(), kind.disks.begin(), kind.disks.end());
      }
    }
  }
  NameKinds(sorter, names, found);
  std::set<std::string_view> servers;
  for (const auto& disk : entities) {
    if (std::ranges::find(disk.groups, group) != disk.groups.end()) {
      servers.insert(disk.node);
    }
  }
  found.few = servers.size() < kMinDiskServers;
  return found;
}

std::string DescribeKinds(const Directory& directory, const DiskKinds& kinds) {
  const auto entities = directory.Entities(EntityKind::kDisk);
  constexpr std::array<std::string_view, 7> kNumbers = {"no",   "one",  "two", "three",
                                                        "four", "five", "six"};
  std::size_t disks = kinds.alone.size() + kinds.waiting.size();
  std::set<std::string> words;
  for (const auto& kind : kinds.kinds) {
    disks += kind.disks.size();
    words.insert(kind.what);
  }
  std::string list;
  for (const auto& kind : kinds.kinds) {
    // Where one word would stand for two kinds, all that is known.
    list += fmt::format("{} {} ({})", list.empty() ? ":" : ",", NameDevices(entities, kind.disks),
                        words.size() == kinds.kinds.size() ? kind.what : kind.key);
  }
  const auto count = kinds.kinds.size();
  auto text =
      fmt::format("{} disk{} in {} kind{}{}", disks, disks == 1 ? "" : "s",
                  count < kNumbers.size() ? std::string(kNumbers[count]) : std::to_string(count),
                  count == 1 ? "" : "s", list);
  if (!kinds.waiting.empty()) {
    text +=
        fmt::format("; idle and compared with nobody: {}", NameDevices(entities, kinds.waiting));
  }
  return text;
}

std::vector<std::string> DescribeLoners(const Directory& directory, const PeerGroupRule& rule,
                                        const DiskKinds& kinds) {
  const auto entities = directory.Entities(EntityKind::kDisk);
  std::vector<std::string> texts;
  std::map<std::string, std::set<std::string>> nodes;  // by device
  for (const auto disk : kinds.alone) {
    nodes[entities[disk].device].insert(entities[disk].node);
  }
  for (const auto& [device, of] : nodes) {
    std::string roles;
    for (const auto& role : rule.roles) {
      roles += roles.empty() ? role : ", " + role;
    }
    texts.push_back(fmt::format(
        "{} of {}{} is compared with nobody: fewer than {} servers have disks like it; to place "
        "it: peer_groups: [{{name: {}-{}, kind: storage, {}device: '^{}$'}}]",
        device, *of.begin(), of.size() > 1 ? fmt::format(" and {} more", of.size() - 1) : "",
        kMinDiskServers, rule.name, device, roles.empty() ? "" : "roles: [" + roles + "], ",
        device));
  }
  return texts;
}

}  // namespace limpet
