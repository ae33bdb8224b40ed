#include "diagnoser/mapping/directory.h"

#include <algorithm>

namespace limpet {
namespace {

std::string_view Label(const LabelPairs& labels, std::string_view name) {
  for (const auto& [key, value] : labels) {
    if (key == name) {
      return value;
    }
  }
  return {};
}

bool Takes(const Rule& rule, ThingKind kind, const Thing& thing) {
  const auto& source = rule.Source();
  switch (kind) {
    case ThingKind::kDisk:
      return (source.kind == GroupKind::kStorage || source.kind == GroupKind::kHosts) &&
             rule.TakesDevice(thing.device) && rule.TakesNode(thing.role, thing.labels);
    case ThingKind::kInterface:
      return (source.kind == GroupKind::kNetwork || source.kind == GroupKind::kHostInterfaces) &&
             rule.TakesDevice(thing.device) && rule.TakesNode(thing.role, thing.labels);
    case ThingKind::kHost:
      return source.kind == GroupKind::kHosts && rule.TakesNode(thing.role, thing.labels);
    case ThingKind::kSocket:
      // Of a server or of one of its clients, whatever the client's role.
      return source.kind == GroupKind::kCwnd &&
             (rule.TakesPort(thing.local_port) || rule.TakesPort(thing.remote_port));
    case ThingKind::kPeer:
      return source.kind == GroupKind::kCwnd;
    case ThingKind::kExporter:
      break;
  }
  return false;
}

// What a thing is, beside its name: bounded, since anybody may put labels on a series.
constexpr std::size_t kMostLabels = 32;

void AddLabel(std::string_view name, std::string_view value, LabelMap& labels) {
  const bool is_name = name == "device" || name == "instance" || name == "role";
  if (!is_name && !value.empty() && labels.size() < kMostLabels) {
    labels.emplace(name, value);
  }
}

bool IsWhole(ThingKind kind, const Thing& thing) {
  if (thing.node.empty()) {
    return false;
  }
  switch (kind) {
    case ThingKind::kDisk:
    case ThingKind::kInterface:
      return !thing.device.empty();
    case ThingKind::kHost:
      return true;
    case ThingKind::kSocket:
      return !thing.local_address.empty() && !thing.remote_address.empty();
    case ThingKind::kPeer:
      return !thing.local_address.empty() && !thing.remote_address.empty() && !thing.side.empty();
    case ThingKind::kExporter:
      break;
  }
  return false;
}

}  // namespace

Directory::Directory(std::vector<Rule> rules) : rules_(std::move(rules)) {
  for (const auto& rule : rules_) {
    for (const auto& matcher : rule.Source().labels) {
      if (std::find(wanted_labels_.begin(), wanted_labels_.end(), matcher.name) ==
          wanted_labels_.end()) {
        wanted_labels_.push_back(matcher.name);
      }
    }
  }
}

// No label value holds a NUL byte that matters here: at worst two odd names share a thing's key.
std::string Directory::KeyOf(const Thing& thing) {
  std::string key;
  for (const auto* part : {&thing.node, &thing.device, &thing.local_address, &thing.local_port,
                           &thing.remote_address, &thing.remote_port, &thing.side}) {
    key += *part;
    key += '\0';
  }
  return key;
}

void Directory::Place(ThingKind kind, Thing& thing) {
  std::vector<std::uint32_t> groups;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (Takes(rules_[i], kind, thing)) {
      groups.push_back(static_cast<std::uint32_t>(i));
    }
  }
  if (groups != thing.groups) {
    thing.groups = std::move(groups);
    ++version_;
  }
}

std::optional<std::uint32_t> Directory::Resolve(Field field, const LabelPairs& labels,
                                                const SourceLabels& source) {
  const auto kind = static_cast<std::size_t>(field.kind);
  Thing seen;
  seen.node = source.node.empty() ? Label(labels, "instance") : source.node;
  seen.role = source.role.empty() ? Label(labels, "role") : source.role;
  seen.device = Label(labels, field.kind == ThingKind::kHost ? "cpu" : "device");
  if (field.kind == ThingKind::kSocket || field.kind == ThingKind::kPeer) {
    seen.device.clear();
    seen.local_address = Label(labels, "local_address");
    seen.local_port = Label(labels, "local_port");
    seen.remote_address = Label(labels, field.kind == ThingKind::kPeer ? "peer" : "remote_address");
    seen.remote_port = Label(labels, "remote_port");
    seen.side = Label(labels, "side");
  }
  if (!IsWhole(field.kind, seen)) {
    return std::nullopt;
  }
  for (const auto& name : wanted_labels_) {
    auto value = Label(labels, name);
    for (const auto& [key, of_source] : source.labels) {
      if (value.empty() && key == name) {
        value = of_source;
      }
    }
    if (!value.empty()) {
      seen.labels.emplace(name, value);
    }
  }
  if (field.kind == ThingKind::kDisk || field.kind == ThingKind::kInterface) {
    for (const auto& [key, value] : source.labels) {
      AddLabel(key, value, seen.labels);
    }
  }
  if (field.index == kInfoField) {
    for (const auto& [key, value] : labels) {
      AddLabel(key, value, seen.labels);
    }
  }
  seen.flash = field.index == kInfoField && Label(labels, "rotational") == "0";

  if (field.index == kInfoField) {
    seen.wwn = Label(labels, "wwn");
  }

  const auto key = KeyOf(seen);
  const auto found = index_[kind].find(key);
  if (found != index_[kind].end()) {
    auto& thing = things_[kind][found->second];
    thing.flash = thing.flash || seen.flash;
    if (!seen.wwn.empty()) {
      thing.wwn = seen.wwn;
    }
    bool changed = false;
    for (const auto& [name, value] : seen.labels) {
      auto& mine = thing.labels[name];
      changed = changed || mine != value;
      mine = value;
    }
    if (changed) {
      Place(field.kind, thing);
    }
    return found->second;
  }
  return Insert(field.kind, key, std::move(seen));
}

std::optional<std::uint32_t> Directory::Insert(ThingKind of, std::string key, Thing thing) {
  const auto kind = static_cast<std::size_t>(of);
  Place(of, thing);
  // A disk that only its labels could bring into a group waits for its disk_info.
  if (thing.groups.empty() && (of != ThingKind::kDisk || wanted_labels_.empty())) {
    return std::nullopt;
  }
  thing.live = true;
  ++count_;
  std::uint32_t number = 0;
  if (free_[kind].empty()) {
    number = static_cast<std::uint32_t>(things_[kind].size());
    things_[kind].push_back(std::move(thing));
  } else {
    number = free_[kind].back();
    free_[kind].pop_back();
    things_[kind][number] = std::move(thing);
  }
  index_[kind].emplace(std::move(key), number);
  ++version_;
  return number;
}

std::optional<std::uint32_t> Directory::Restore(ThingKind kind, Thing thing) {
  auto key = KeyOf(thing);
  if (!IsWhole(kind, thing) || index_[static_cast<std::size_t>(kind)].contains(key)) {
    return std::nullopt;
  }
  thing.groups.clear();
  return Insert(kind, std::move(key), std::move(thing));
}

std::optional<std::uint32_t> Directory::Find(ThingKind kind, const Thing& thing) const {
  const auto& index = index_[static_cast<std::size_t>(kind)];
  const auto found = index.find(KeyOf(thing));
  return found == index.end() ? std::nullopt : std::optional(found->second);
}

std::string_view Directory::WwnOf(std::string_view node, std::string_view device) const {
  constexpr auto kDisks = static_cast<std::size_t>(ThingKind::kDisk);
  Thing wanted;
  wanted.node = node;
  wanted.device = device;
  const auto found = index_[kDisks].find(KeyOf(wanted));
  return found == index_[kDisks].end() ? std::string_view()
                                       : std::string_view(things_[kDisks][found->second].wwn);
}

void Directory::Forget(ThingKind kind, std::uint32_t thing) {
  const auto at = static_cast<std::size_t>(kind);
  index_[at].erase(KeyOf(things_[at][thing]));
  things_[at][thing] = Thing();
  free_[at].push_back(thing);
  --count_;
  ++version_;
}

}  // namespace limpet
